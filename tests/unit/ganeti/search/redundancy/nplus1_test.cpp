// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/redundancy/nplus1.hpp"

#include <doctest/doctest.h>

#include <string>

#include "support/ganeti_text.hpp"

using namespace ballast::ganeti;
using ballast::ganeti::test::ClusterText;

namespace {

/// Two nodes with 1000 MiB of memory and disk each; can the first be evacuated?
Evacuation first_of_two(const std::string& instances, const std::string& policies = "") {
  ClusterText text;
  text.nodes = "n1|1000|0|1000|1000|1000|4|N|uuid-g\nn2|1000|0|1000|1000|1000|4|N|uuid-g\n";
  text.instances = instances;
  text.policies = policies;
  const Snapshot snapshot = test::load(text);
  const Part part = part_of(snapshot.cluster, snapshot.state, GroupId(std::size_t{0}));
  return EvacuationCheck(snapshot.cluster, snapshot.state, part.nodes)
      .can_evacuate(NodeId(std::size_t{0}));
}

std::string line(const std::string& name, const std::string& memory, const std::string& secondary,
                 const std::string& disk_template) {
  return name + "|" + memory + "|200|1|running|Y|n1|" + secondary + "|" + disk_template +
         "||1|-|N\n";
}

const std::string kPolicy = "g|1,1,1,1,1,1|1,1,1,1,0,1;999,9,999,9,9,9|drbd,plain,rbd|4|32\n";

}  // namespace

TEST_CASE("mirrored and shared instances need memory elsewhere") {
  CHECK(first_of_two("") == Evacuation::Possible);
  CHECK(first_of_two(line("a", "999", "n2", "drbd")) == Evacuation::Possible);
  CHECK(first_of_two(line("a", "600", "n2", "drbd") + line("b", "400", "n2", "drbd")) ==
        Evacuation::Impossible);
  CHECK(first_of_two(line("a", "999", "", "rbd")) == Evacuation::Possible);
  CHECK(first_of_two(line("a", "1000", "", "rbd")) == Evacuation::Impossible);
}

TEST_CASE("other instances are made anew, which the policy must allow") {
  CHECK(first_of_two(line("a", "500", "", "plain"), kPolicy) == Evacuation::Possible);
  CHECK(first_of_two(line("a", "500", "", "file"), kPolicy) == Evacuation::Impossible);
}

TEST_CASE("a DRBD instance without secondary cannot be asked about") {
  CHECK(first_of_two(line("a", "5", "", "drbd")) == Evacuation::ReferenceWouldDie);
}
