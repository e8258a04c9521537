// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/loading/pipeline.hpp"

#include <doctest/doctest.h>

#include <string>

#include "ballast/ganeti/moves/node_ops.hpp"
#include "support/ganeti_text.hpp"

using namespace ballast;
using namespace ballast::ganeti;
using ballast::ganeti::test::ClusterText;

namespace {

constexpr const char* kRest = "|1000|100|900|1000|1000|4|N|uuid-g|2|";

ClusterText tagged(const std::string& tags, const std::string& tags1, const std::string& tags2,
                   const std::string& instance_tags) {
  ClusterText text;
  text.nodes = "n1" + std::string(kRest) + tags1 + "\nn2" + kRest + tags2 + "\n";
  text.instances = "a|1|1|1|running|Y|n1|n2|drbd|" + instance_tags + "|1|-|N\n";
  text.tags = tags;
  return text;
}

std::vector<std::string> texts(const Cluster& cluster, const std::vector<TagId>& ids) {
  std::vector<std::string> result;
  for (const TagId id : ids) result.push_back(cluster.symbols[id.index()]);
  return result;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("exclusion tags start with a prefix, order and duplicates kept") {
  PipelineOptions options;
  options.exclusion_prefixes = {"srv"};
  const Snapshot snapshot = test::load(tagged("htools:iextags:z\nhtools:iextags:\nhtools:iextags\n",
                                              "", "", "zb,za,srv:1,srv1,zb,other"),
                                       options);
  CHECK(texts(snapshot.cluster, snapshot.cluster.instances[0].exclusion_tags) ==
        Texts{"zb", "za", "srv:1", "zb"});
  CHECK(conflicting_primaries(snapshot.state.nodes[0]) == 1);
}

TEST_CASE("locations: nodes share tags, instances desire some") {
  const Snapshot snapshot =
      test::load(tagged("htools:nlocation:rack\nhtools:desiredlocation:rack\n", "rack:1,power:a",
                        "rack:1,rack:2", "rack:2,rack:3"));
  CHECK(snapshot.state.placements[0].location_score == 1);
  CHECK(texts(snapshot.cluster, snapshot.cluster.nodes[0].location_tags) == Texts{"rack:1"});
  // One common location, both desired ones are missing on the primary.
  CHECK(snapshot.state.nodes[0].location_score == 1 + 2);
  CHECK(location_deficit(snapshot.cluster.instances[0], snapshot.cluster.nodes[1]) == 1);
}

TEST_CASE("migration needs the source's tags among what the target can receive") {
  const std::string rule = "htools:migration:ver\n";
  const auto allowed = [](const Snapshot& snapshot) {
    return !check_migration(snapshot.cluster, NodeId(std::size_t{0}), NodeId(std::size_t{1}));
  };
  CHECK(allowed(test::load(tagged(rule, "ver:1", "ver:1,ver:2", ""))));
  CHECK_FALSE(allowed(test::load(tagged(rule, "ver:1", "ver:2", ""))));
  CHECK(allowed(
      test::load(tagged(rule + "htools:allowmigration:ver:1::ver:2\n", "ver:1", "ver:2", ""))));
  CHECK_FALSE(allowed(
      test::load(tagged(rule + "htools:allowmigration:ver:1::ver:2::x\n", "ver:1", "ver:2", ""))));
  CHECK(allowed(test::load(
      tagged(rule + "htools:allowmigration:ver:1:::ver:2\n", "ver:1", ":ver:2,ver:1", ""))));
}

TEST_CASE("aliases leave out the longest common suffix that begins with a dot") {
  ClusterText text;
  text.nodes = std::string("n1.a.example.com") + kRest + "\nn2.a.example.com" + kRest + "\n";
  text.instances = "i.b.example.com|1|1|1|running|Y|n1.a.example.com||file||1|-|N\n";
  const Snapshot snapshot = test::load(text);
  CHECK(snapshot.cluster.common_suffix == ".example.com");
  CHECK(snapshot.cluster.nodes[0].alias == "n1.a");
  CHECK(snapshot.cluster.instances[0].alias == "i.b");
}

TEST_CASE("utilisation applies to the only instance of that name") {
  ClusterText text = tagged("", "", "", "");
  text.instances += "b|1|1|1|running|Y|n1||file||1|-|N\nb|1|1|1|running|Y|n1||file||1|-|N\n";
  PipelineOptions options;
  options.utilisation = {
      {"a", {1, 2, 3, 4}}, {"b", {9, 9, 9, 9}}, {"a", {5, 6, 7, 8}}, {"none", {}}};
  const Snapshot snapshot = test::load(text, options);
  CHECK(snapshot.cluster.instances[0].load == Load{5, 6, 7, 8});
  CHECK(snapshot.cluster.instances[1].load == Load{1, 1, 1, 1});
  options.ignore_dynamic = true;
  CHECK(test::load(text, options).cluster.instances[0].load == Load{0, 0, 0, 0});
}

TEST_CASE("instances are chosen by exact name or by the only one that goes on with a dot") {
  ClusterText text = tagged("", "", "", "");
  text.instances =
      "web.one|1|1|1|running|Y|n1|n2|drbd||1|-|N\nweb.two|1|1|1|running|Y|n1|n2|drbd||1|-|N\n"
      "web|1|1|1|running|Y|n1|n2|drbd||1|-|N\ndb.one|1|1|1|running|Y|n1|n2|drbd||1|-|N\n";
  PipelineOptions options;
  options.selected_instances = {"web", "db"};
  options.excluded_instances = {"db.one"};
  const Snapshot snapshot = test::load(text, options);
  CHECK_FALSE(snapshot.cluster.instances[0].is_movable);
  CHECK(snapshot.cluster.instances[2].is_movable);
  CHECK_FALSE(snapshot.cluster.instances[3].is_movable);
  auto raw = read_text(text.text(), "f", {});
  options.selected_instances = {"nobody", "web."};
  options.excluded_instances = {"w"};
  const auto failed = run_pipeline(*raw, options);
  REQUIRE_FALSE(failed);
  CHECK(failed.error().message == R"(Unknown instance(s): ["nobody","web.","w"])");
}

TEST_CASE("figures that do not add up are told, the last node first") {
  ClusterText text;
  text.nodes =
      "n1|10000|100|100|1000|1000|4|N|uuid-g\nn2|1000|100|388|1000|-24|4|N|uuid-g\n"
      "n3|1000|100|387|1000|-24|4|N|uuid-g\nn4|1000|100|900|3000|900|4|N|uuid-g\n";
  auto snapshot = read_text(text.text(), "f", {});
  const auto warnings = run_pipeline(*snapshot, {});
  REQUIRE(warnings);
  CHECK(*warnings == Texts{"node n4 is missing 0 MB ram and 2 GB disk",
                           "node n3 is missing 513 MB ram and 1 GB disk",
                           "node n1 is missing 9800 MB ram and 0 GB disk"});
}

TEST_CASE("instances that span groups are not moved") {
  ClusterText text;
  text.groups = "g|uuid-g|preferred||\nh|uuid-h|preferred||\n";
  text.nodes = "n1|1000|100|900|1000|1000|4|N|uuid-g\nn2|1000|100|900|1000|1000|4|N|uuid-h\n";
  text.instances = "a|1|1|1|running|Y|n1|n2|drbd||1|-|N\n";
  const Snapshot snapshot = test::load(text);
  CHECK_FALSE(snapshot.cluster.instances[0].is_movable);
  const std::vector<Part> parts = parts_of(snapshot.cluster, snapshot.state);
  REQUIRE(parts.size() == 2);
  CHECK(parts[0].instances.size() == 1);
  CHECK(parts[1].instances.empty());
}

TEST_CASE("offline nodes are named like instances; wrong names come in reverse order") {
  Snapshot snapshot = test::load(tagged("", "", "", ""));
  REQUIRE(set_offline(snapshot, {"n2"}));
  CHECK(snapshot.cluster.nodes[1].is_offline);
  const auto failed = set_offline(snapshot, {"x", "n1", "y"});
  REQUIRE_FALSE(failed);
  CHECK(failed.error().message == "wrong node name(s) set as offline: y,x");
}

TEST_CASE("a second run attaches everything twice and keeps tag counts apart") {
  Snapshot snapshot = test::load(tagged("htools:iextags:m\n", "", "", "m1,a1"));
  PipelineOptions options;
  options.exclusion_prefixes = {"a1"};
  snapshot.cluster.instances[0].tags = {"m1", "a1:"};
  REQUIRE(run_pipeline(snapshot, options));
  const NodeState& node = snapshot.state.nodes[0];
  CHECK(node.primaries.size() == 2);
  CHECK(node.inst_mem == 2);
  CHECK(snapshot.state.nodes[1].reserved_mem == 2);
  REQUIRE(node.primary_tags.size() == 2);
  CHECK(snapshot.cluster.symbols == Texts{"a1:", "m1"});
  CHECK(node.primary_tags[0].second == 1);
  CHECK(node.primary_tags[1].second == 2);
}

TEST_CASE("KVM nodes use the given memory, where the source tells the hypervisor") {
  auto snapshot = read_text(tagged("", "", "", "").text(), "f", {});
  snapshot->cluster.nodes[0].hypervisor = "kvm";
  PipelineOptions options;
  options.static_kvm_memory = 700;
  REQUIRE(run_pipeline(*snapshot, options));
  CHECK(snapshot->cluster.nodes[0].node_mem == 700);
  CHECK(snapshot->cluster.nodes[1].node_mem == 100);
}
