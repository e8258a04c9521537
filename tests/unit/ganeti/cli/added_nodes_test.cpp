// SPDX-License-Identifier: BSD-2-Clause
#include "../../../../src/ganeti/cli/sources/added_nodes.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "ballast/ganeti/backend/text/text.hpp"
#include "support/ganeti_text.hpp"

namespace ballast::ganeti::cli {
namespace {

using test::ClusterText;

/// As it is read, before the pipeline.
Snapshot read(const std::string& nodes) {
  ClusterText text;
  text.groups = "g|uuid-g|preferred||\nh|uuid-h|preferred||\n";
  text.nodes = nodes;
  return *read_text(text.text(), "test.data", {});
}

std::string node_line(const std::string& name, const std::string& units = "") {
  return name + "|8192|512|7680|1000|1000|4|N|uuid-g|2||N|0|1|1.5|" + units + "\n";
}

std::string refusal(const std::string& nodes, const std::string& spec) {
  Snapshot snapshot = read(nodes);
  const Status added = add_nodes(snapshot, {spec});
  return added ? "" : added.error().message;
}

TEST_CASE("new nodes take name, speed and own memory from their group") {
  Snapshot snapshot = read(node_line("a.example.org"));
  REQUIRE(add_nodes(snapshot, {"g,2,100g,16g,8"}));
  REQUIRE(snapshot.cluster.nodes.size() == 3);
  REQUIRE(snapshot.state.nodes.size() == 3);
  const Node& node = snapshot.cluster.nodes[2];
  CHECK(snapshot.cluster.nodes[1].name == "new-1.example.org");
  CHECK(node.name == "new-2.example.org");
  CHECK(node.total_mem == 16 * 1024);
  CHECK(node.node_mem == 512);
  CHECK(node.free_mem == 16 * 1024 - 512);
  CHECK(node.total_disk == 100 * 1024);
  CHECK(node.total_cpu == 8);
  CHECK(node.total_spindles == 2);
  CHECK(node.cpu_speed == 1.5);
}

TEST_CASE("names that are taken are passed over, a group may be empty or named by its id") {
  Snapshot snapshot = read(node_line("new-1") + node_line("b"));
  REQUIRE(add_nodes(snapshot, {"uuid-g,1,1g,1g,1", "h,1,1g,1g,1,3"}));
  REQUIRE(snapshot.cluster.nodes.size() == 4);
  CHECK(snapshot.cluster.nodes[2].name == "new-2");
  CHECK(snapshot.cluster.nodes[3].name == "new-3");
  CHECK(snapshot.cluster[snapshot.cluster.nodes[3].group].name == "h");
  CHECK(snapshot.cluster.nodes[3].total_spindles == 3);
}

TEST_CASE("storage units: said, or the only local one of the group") {
  Snapshot said = read(node_line("a", "500,1000,lvm-vg,x;500,1000,drbd8,x"));
  REQUIRE(add_nodes(said, {"g,1,100g,16g,8;60g,lvm-vg,fast;40g,rbd,pool"}));
  REQUIRE(said.cluster.nodes[1].units.size() == 2);
  CHECK(to_string(said.cluster[said.cluster.nodes[1].units[0].key]) == "lvm-vg/fast");
  CHECK(said.cluster.nodes[1].units[1].total_mib == 40 * 1024);
  Snapshot copied = read(node_line("a", "500,1000,lvm-vg,x;500,1000,drbd8,x"));
  REQUIRE(add_nodes(copied, {"g,1,100g,16g,8"}));
  REQUIRE(copied.cluster.nodes[1].units.size() == 2);
  CHECK(copied.cluster.nodes[1].units[0].free_mib == 100 * 1024);
  CHECK(refusal(node_line("a", "500,1000,lvm-vg,x;500,1000,lvm-vg,y"), "g,1,100g,16g,8")
            .find("say those of the new node") != std::string::npos);
}

TEST_CASE("every part that cannot be is refused, and nothing is added") {
  for (const std::string_view wrong :
       {"", "g", "g,1,1g,1g", "g,1,1g,1g,1,1,1", "x,1,1g,1g,1", "g,0,1g,1g,1", "g,10001,1g,1g,1",
        "g,1,-1,1g,1", "g,1,1g,512,1", "g,1,1g,1g,0", "g,1,1g,1g,1,-1", "g,1,1g,1g,1;",
        "g,x,1g,1g,1", "g,1,1g,1g,1;5g,lvm-vg", "g,1,1g,1g,1;5g,,x", "g,1,1g,1g,1;y,lvm-vg,x"}) {
    CAPTURE(wrong);
    Snapshot snapshot = read(node_line("a"));
    const Status added = add_nodes(snapshot, {std::string(wrong)});
    REQUIRE_FALSE(added);
    CHECK(added.error().message.starts_with("option --add-node: "));
    CHECK(snapshot.cluster.nodes.size() == 1);
  }
}

}  // namespace
}  // namespace ballast::ganeti::cli
