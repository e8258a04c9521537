// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/redundancy/what_if.hpp"

#include <doctest/doctest.h>

#include <string>

#include "support/ganeti_text.hpp"

using namespace ballast::ganeti;
using ballast::ganeti::test::ClusterText;

namespace {

/// Three nodes with 1000 MiB each, and a node of another group.
Snapshot cluster_with(const std::string& instances, const std::string& flags = "NNNN") {
  ClusterText text;
  text.groups = "g|uuid-g|preferred||\nh|uuid-h|preferred||\n";
  for (const std::string name : {"a", "b", "c", "z"}) {
    const std::size_t i = name == "z" ? 3 : static_cast<std::size_t>(name[0] - 'a');
    text.nodes += name + "|1000|0|1000|1000|1000|4|" + flags[i] + "|uuid-" +
                  (name == "z" ? "h" : "g") + "|1\n";
  }
  text.instances = instances;
  text.policies =
      "g|1,1,1,1,1,1|1,1,1,1,0,1;999,9,999,9,9,9|drbd,plain,rbd|4|32\n"
      "h|1,1,1,1,1,1|1,1,1,1,0,1;999,9,999,9,9,9|drbd,plain,rbd|4|32\n";
  return test::load(text);
}

std::string line(const std::string& name, int memory, const std::string& primary,
                 const std::string& secondary, const std::string& disk_template) {
  return name + "|" + std::to_string(memory) + "|100|1|running|Y|" + primary + "|" + secondary +
         "|" + disk_template + "||1\n";
}

WhatIf without(const Snapshot& snapshot, const std::vector<std::string>& names) {
  Loss loss;
  for (const std::string& name : names) loss.nodes.push_back(test::node(snapshot, name));
  return what_if(snapshot.cluster, snapshot.state, loss);
}

}  // namespace

TEST_CASE("mirrored instances fail over, or lose their mirror") {
  const Snapshot s =
      cluster_with(line("p", 300, "a", "b", "drbd") + line("q", 300, "b", "a", "drbd") +
                   line("r", 300, "b", "c", "drbd"));
  const WhatIf answer = without(s, {"a"});
  REQUIRE(answer.affected.size() == 2);
  CHECK(answer.affected[0].fate == Fate::FailsOver);
  CHECK(answer.affected[0].now == test::node(s, "b"));
  CHECK(answer.affected[1].fate == Fate::LosesMirror);
  CHECK(answer.affected[1].now == test::node(s, "b"));
  REQUIRE(answer.survivors.size() == 1);
  CHECK(answer.survivors[0].arrivals == 1);
  CHECK_FALSE(answer.survivors[0].lacks_memory());
}

TEST_CASE("an instance without room is stuck, the next one still fails over") {
  const Snapshot s =
      cluster_with(line("small", 300, "a", "b", "drbd") + line("large", 900, "a", "b", "drbd"));
  const WhatIf answer = without(s, {"a"});
  REQUIRE(answer.affected.size() == 2);
  CHECK(answer.affected[0].fate == Fate::Stuck);
  CHECK(answer.affected[0].refusals.front().rule == Rule::MemoryUnallocated);
  CHECK(answer.affected[1].fate == Fate::FailsOver);
  REQUIRE(answer.survivors.size() == 1);
  CHECK(answer.survivors[0].wanted_mib == 1200);
  CHECK(answer.survivors[0].lacks_memory());
  CHECK(answer.survivors[0].is_over_committed());
}

TEST_CASE("both nodes gone, or the secondary offline") {
  const std::string instances = line("p", 300, "a", "b", "drbd");
  CHECK(without(cluster_with(instances), {"a", "b"}).affected[0].fate == Fate::Lost);
  const WhatIf offline = without(cluster_with(instances, "NYNN"), {"a"});
  CHECK(offline.affected[0].fate == Fate::Stuck);
  CHECK(offline.affected[0].refusals.front().rule == Rule::TargetOffline);
}

TEST_CASE("shared storage restarts in the group, elsewhere only where the group is gone") {
  const Snapshot s = cluster_with(line("p", 300, "a", "", "rbd"));
  const NodeId now = without(s, {"a", "b"}).affected[0].now;
  CHECK(now == test::node(s, "c"));
  const WhatIf all = without(s, {"a", "b", "c"});
  CHECK(all.affected[0].fate == Fate::Restarts);
  CHECK(all.affected[0].now == test::node(s, "z"));
  const WhatIf none = without(s, {"a", "b", "c", "z"});
  CHECK(none.affected[0].fate == Fate::Stuck);
  CHECK(none.affected[0].refusals.empty());
}

TEST_CASE("disks that are only there are lost, with or without room for a new instance") {
  const Snapshot s = cluster_with(line("p", 300, "a", "", "plain"));
  CHECK(without(s, {"a"}).affected[0].fate == Fate::Recreatable);
  const Snapshot full = cluster_with(line("p", 1200, "a", "", "plain"));
  CHECK(without(full, {"a"}).affected[0].fate == Fate::Lost);
  CHECK(is_down(Fate::Recreatable));
  CHECK_FALSE(is_down(Fate::FailsOver));
}

TEST_CASE("a lost unit only concerns the disks on it") {
  const std::string tail =
      "|1000|0|1000|2000|2000|4|N|uuid-g|1||N|0|1|1.0|1000,1000,drbd8,s;1000,1000,drbd8,h\n";
  ClusterText text;
  text.nodes = "a" + tail + "b" + tail;
  text.instances =
      "p|100|100|1|running|Y|a|b|drbd||1|-|N|100,drbd8,s\n"
      "q|100|100|1|running|Y|a|b|drbd||1|-|N|100,drbd8,h\n"
      "r|100|100|1|running|Y|b|a|drbd||1|-|N|100,drbd8,s\n";
  const Snapshot s = test::load(text);
  StorageKeyId fast;
  for (std::size_t k = 0; k < s.cluster.storage_keys.size(); ++k) {
    if (s.cluster.storage_keys[k].key == "s") fast = StorageKeyId(k);
  }
  const WhatIf on_a = what_if(s.cluster, s.state, {{}, {{fast, test::node(s, "a")}}});
  REQUIRE(on_a.affected.size() == 2);
  CHECK(on_a.affected[0].fate == Fate::FailsOver);
  CHECK(on_a.affected[1].fate == Fate::LosesMirror);
  const WhatIf everywhere = what_if(s.cluster, s.state, {{}, {{fast, NodeId()}}});
  REQUIRE(everywhere.affected.size() == 2);
  CHECK(everywhere.affected[0].fate == Fate::Lost);
  CHECK(everywhere.affected[1].fate == Fate::Lost);
}

TEST_CASE("the refusal that says most") {
  Refusal low{FailReason::Mem, Rule::MemoryUnallocated, {}, -1, {}, 500, 10};
  Refusal high{FailReason::Mem, Rule::MemoryUnallocated, {}, -1, {}, 500, 400};
  Refusal other{FailReason::Mig, Rule::Migration, {}, -1, {}, 0, 900};
  CHECK(telling_refusal({}) == nullptr);
  CHECK(telling_refusal({other, low, high})->available == 400);
}
