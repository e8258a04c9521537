// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/backend/text/text.hpp"

#include <doctest/doctest.h>

#include <string>

#include "support/ganeti_text.hpp"

using namespace ballast;
using namespace ballast::ganeti;
using ballast::ganeti::test::ClusterText;

namespace {

constexpr const char* kNodes =
    "n1|1000|10|500|10000|5000|4|M|uuid-g|1\n"
    "n2|1000.5|10|500|10000|5000|4|N|uuid-g|1|t1,t2|N|0|1|2.5\n";
constexpr const char* kInstance = "i1|100|200|1|running|Y|n1|n2|drbd|a,b|1|-|N\n";

std::string error_of(const std::string& text) {
  const auto snapshot = read_text(text, "f.data", {});
  return snapshot ? std::string("no error") : to_string(snapshot.error());
}

std::string error_of(const ClusterText& text) { return error_of(text.text()); }

ClusterText small() {
  ClusterText text;
  text.nodes = kNodes;
  text.instances = kInstance;
  return text;
}

}  // namespace

TEST_CASE("a file needs four sections") {
  const std::string words = " sections instead of 4 or more";
  CHECK(error_of("") == "Invalid format of the input file: 0" + words);
  CHECK(error_of("a\n") == "Invalid format of the input file: 1" + words);
  CHECK(error_of("\n\n") == "Invalid format of the input file: 3" + words);
  CHECK(error_of("\n\n\n") == "no error");
  CHECK(error_of(small().text() + "\nnonsense\n\nmore\n") == "no error");
}

TEST_CASE("rows that are too short are shown") {
  ClusterText text = small();
  text.groups = "a|b\n";
  CHECK(error_of(text) == R"(Invalid/incomplete group data: '["a","b"]')");
  text = small();
  text.nodes = "n|1|2\n";
  CHECK(error_of(text) == R"(Invalid/incomplete node data: '["n","1","2"]')");
  text = small();
  text.instances = "i\"|1\n";
  CHECK(error_of(text) == R"(Invalid/incomplete instance data: '["i\"","1"]')");
  text = small();
  text.policies = "p|1\n";
  CHECK(error_of(text) == R"(Invalid ipolicy data: '["p","1"]')");
}

TEST_CASE("the first error of a row wins, in the reference's order of fields") {
  ClusterText text = small();
  text.instances = "i1|x|y|1|bad|Q|nx|ny|what||1|-|N\n";
  CHECK(error_of(text) == "Unknown node 'nx' for instance i1");
  text.instances = "i1|x|y|1|bad|Q|n1|n2|what||1|-|N\n";
  CHECK(error_of(text) == "i1: cannot parse string 'x'");
  text.instances = "i1|1|1|1|bad|Q|n1|n2|what||1|-|N\n";
  CHECK(error_of(text) == R"(Invalid string value for type InstanceStatus: "bad")");
  text.instances = "i1|1|1|1|running|Q|n1|n2|what||1|-|N\n";
  CHECK(error_of(text) == "Invalid auto_balance value 'Q' for instance i1");
  text.instances = "i1|1|1|1|running|Y|n1|n2|what||1|-|N\n";
  CHECK(error_of(text) == R"(Instance i1: Invalid string value for type DiskTemplate: "what")");
  text.instances = "i1|1|1|1|running|Y|n1|n1|drbd||1|-|N\n";
  CHECK(error_of(text) == "Instance i1 has same primary and secondary node - n1");
  text.instances = "i1|1|1|1|running|Y|n1|n1|plain||1|-|Z\n";
  CHECK(error_of(text) == "Invalid forthcoming value 'Z' for instance i1");
}

TEST_CASE("nodes refuse unknown groups and flags") {
  ClusterText text = small();
  text.nodes = "n1|1|1|1|1|1|1|N|other\n";
  CHECK(error_of(text) == "Unknown group 'other' for node n1");
  text.nodes = "n1|1|1|1|1|1|1|N|uuid-g|1||maybe\n";
  CHECK(error_of(text) == "Invalid exclusive_storage value for node 'n1': maybe");
}

TEST_CASE("a question mark makes a node unknown, whatever else it says") {
  ClusterText text = small();
  text.nodes = std::string(kNodes) + "n3|?|x|x|x|x|x|M|uuid-g|x|tag|Q|x|x|x|x\n";
  const auto snapshot = read_text(text.text(), "f", {});
  REQUIRE(snapshot);
  const Node& node = snapshot->cluster.nodes[2];
  CHECK(node.is_offline);
  CHECK_FALSE(node.is_master);
  CHECK(node.os_cpus == 0);
  CHECK(node.total_spindles == 0);
  CHECK(node.cpu_speed == 1);
  CHECK(node.tags.empty());
}

TEST_CASE("of duplicate names the last can be referenced") {
  ClusterText text = small();
  text.nodes = std::string(kNodes) + "n1|7|1|1|1|1|1|N|uuid-g\n";
  const auto snapshot = read_text(text.text(), "f", {});
  REQUIRE(snapshot);
  CHECK(snapshot->cluster.nodes.size() == 3);
  CHECK(snapshot->state.placements[0].primary == NodeId(2));
}

TEST_CASE("policies replace the group's and name their errors") {
  ClusterText text = small();
  text.policies =
      "|1,1,1,1,1,1||plain|7|8\ng|2,2,2,2,2,2|1,1,1,1,1,1;3,3,3,3,3,3|drbd,plain|0.05|1e8\n";
  const auto snapshot = read_text(text.text(), "f", {});
  REQUIRE(snapshot);
  CHECK(snapshot->cluster.policy.vcpu_ratio == 7);
  CHECK(snapshot->cluster.groups[0].policy.ranges.size() == 1);
  CHECK(snapshot->cluster.groups[0].policy.vcpu_ratio == 0.05);
  text.policies = "g|1,2,3|||1|1\n";
  CHECK(error_of(text) == R"(Invalid ispec data for g/stdspec: ["1","2","3"])");
  text.policies = "g|1,2,x,4,5,6|||1|1\n";
  CHECK(error_of(text) == "g/stdspec/disksize: cannot parse string 'x'");
  text.policies = "g|1,2,3,4,5,6|1,1,1,1,1,1||1|1\n";
  CHECK(error_of(text) == "Odd number of min/max specs for g");
  text.policies = "g|1,2,3,4,5,6|1,1,1,1,1,1;1,1,1,1,1,z||1|1\n";
  CHECK(error_of(text) == "g/maxspec/spindleuse: cannot parse string 'z'");
  text.policies = "g|1,2,3,4,5,6||plain,x|1|1\n";
  CHECK(error_of(text) == R"(Invalid string value for type DiskTemplate: "x")");
  text.policies = "nobody|1,2,3,4,5,6||plain|1|1\n";
  CHECK(error_of(text) == "Wrong number of elems found with name nobody");
}

TEST_CASE("bytes that are not UTF-8 are refused with their place") {
  CHECK(error_of("g|u|preferred||\n\nab\xFF|1\n\n\n") == R"(f.data:3:3: byte "\xff" is not UTF-8)");
}

TEST_CASE("groups without policy line keep the built-in policy, not the cluster's") {
  ClusterText text = small();
  text.policies = "|1,1,1,1,1,1||plain|7|8\n";
  const Snapshot snapshot = test::load(text);
  CHECK(snapshot.cluster.groups[0].policy == default_policy());
}

TEST_CASE("what is written reads back as the same bytes") {
  ClusterText text = small();
  text.tags = "one\ntwo|with bar\n";
  text.instances = std::string(kInstance) + "i2|5|6|7|ADMIN_offline|N|n2||file||3|4|Y\n";
  const Snapshot first = test::load(text);
  const std::string written = write_text(first.cluster, first.state);
  const Snapshot second = test::load(written);
  CHECK(write_text(second.cluster, second.state) == written);
  CHECK(written.find("n2|1000|10|500|10000|5000|4|N|uuid-g|1|t1,t2|N|0|1|2.5\n") !=
        std::string::npos);
  CHECK(written.find("i2|5|6|7|ADMIN_offline|N|n2||file||3|4|Y\n") != std::string::npos);
}

TEST_CASE("one group's part is written with all groups; a node outside it that is needed is told") {
  ClusterText text;
  text.groups = "g|uuid-g|preferred||\nh|uuid-h|last_resort|x,y|net\n";
  text.nodes = "n1|1000|10|500|10000|5000|4|M|uuid-g|1\nn2|1000|10|500|10000|5000|4|N|uuid-h|1\n";
  text.instances = "i1|1|2|3|running|Y|n2||plain||1|-|N\n";
  Snapshot snapshot = test::load(text);
  const Part part = part_of(snapshot.cluster, snapshot.state, GroupId(std::size_t{1}));
  const auto written = write_text(snapshot.cluster, snapshot.state, part);
  REQUIRE(written);
  CHECK(written->find("n1|") == std::string::npos);
  CHECK(written->find("h|uuid-h|last_resort|x,y|net\n") != std::string::npos);
  snapshot.state.placements[0].secondary = NodeId(std::size_t{0});
  const auto broken = write_text(snapshot.cluster, snapshot.state, part);
  REQUIRE_FALSE(broken);
  CHECK(broken.error() == NodeId(std::size_t{0}));
}

TEST_CASE("read_utilisation takes five fields a line") {
  const auto entries = read_utilisation("i1 1 2 3 4.5\ni2 0 0 0 0");
  REQUIRE(entries);
  CHECK(entries->size() == 2);
  CHECK(entries->front().load == Load{1, 2, 3, 4.5});
  CHECK(read_utilisation("")->empty());
  CHECK(read_utilisation("i1 1 2 3\n").error().message == "Cannot parse line i1 1 2 3");
  CHECK(read_utilisation("i1 1 2 3 4 \n").error().message == "Cannot parse line i1 1 2 3 4 ");
  CHECK(read_utilisation("i1 1 2 x 4\n").error().message == "i1: cannot parse string 'x'");
}
