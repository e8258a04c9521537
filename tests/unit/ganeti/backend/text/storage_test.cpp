// SPDX-License-Identifier: BSD-2-Clause
#include <doctest/doctest.h>

#include <string>

#include "support/ganeti_text.hpp"

using namespace ballast;
using namespace ballast::ganeti;
using ballast::ganeti::test::ClusterText;

namespace {

const std::string kNode = "n1|1000|10|500|10000|5000|4|M|uuid-g|1||N|0|1|1.0";
const std::string kInstance = "i1|100|200|1|running|Y|n1||plain||1|-|N";

ClusterText with_storage(const std::string& column) {
  ClusterText text;
  text.nodes = kNode + "|" + column + "\n";
  return text;
}

ClusterText with_disks(const std::string& column) {
  ClusterText text;
  text.nodes = kNode + "|1,2,lvm-vg,x\n";
  text.instances = kInstance + "|" + column + "\n";
  return text;
}

std::string error_of(const ClusterText& text) {
  const auto snapshot = read_text(text.text(), "f.data", {});
  return snapshot ? std::string("no error") : to_string(snapshot.error());
}

/// `offset` counts from the storage column's first byte.
std::string place(std::size_t offset) {
  return "f.data:3:" + std::to_string(kNode.size() + 2 + offset) + ": ";
}
std::string disk_place(std::size_t offset) {
  return "f.data:5:" + std::to_string(kInstance.size() + 2 + offset) + ": ";
}

std::string rewritten(const ClusterText& text) {
  const Snapshot snapshot = test::load(text);
  return write_text(snapshot.cluster, snapshot.state);
}

}  // namespace

TEST_CASE("a missing storage column is not told, an empty one tells that there is none") {
  ClusterText text;
  text.nodes = kNode + "\n";
  CHECK_FALSE(test::load(text).cluster.has_storage);
  CHECK(rewritten(text).find(kNode + "\n") != std::string::npos);
  const Snapshot told = test::load(with_storage(""));
  CHECK(told.cluster.has_storage);
  CHECK(told.cluster.nodes[0].storage_told);
  CHECK(told.cluster.nodes[0].units.empty());
  CHECK(rewritten(with_storage("")).find(kNode + "|\n") != std::string::npos);
}

TEST_CASE("storage entries tell free, total, type, key and parameters; drbd is drbd8") {
  const Snapshot snapshot = test::load(with_storage("10,20,lvm-vg,a,Y,p2;5,5,drbd,b"));
  const Node& node = snapshot.cluster.nodes[0];
  REQUIRE(node.units.size() == 2);
  CHECK(to_string(snapshot.cluster[node.units[0].key]) == "drbd8/b");
  CHECK(to_string(snapshot.cluster[node.units[1].key]) == "lvm-vg/a");
  CHECK(node.units[1].free_mib == 10);
  CHECK(node.units[1].total_mib == 20);
  CHECK(node.units[1].parameters == std::vector<std::string>{"Y", "p2"});
}

TEST_CASE("a backslash makes the next character literal, a bare bar ends the column") {
  const Snapshot snapshot = test::load(with_storage(R"(1,2,file,/a\,b\;c\|d\\e|surplus;,|)"));
  REQUIRE(snapshot.cluster.nodes[0].units.size() == 1);
  CHECK(snapshot.cluster[snapshot.cluster.nodes[0].units[0].key].key == R"(/a,b;c|d\e)");
  const std::string written = rewritten(with_storage(R"(1,2,file,/a\,b\;c\|d\\e|surplus)"));
  CHECK(written.find(R"(|1,2,file,/a\,b\;c\|d\\e)"
                     "\n") != std::string::npos);
}

TEST_CASE("bad storage entries are refused with file, line and column") {
  CHECK(error_of(with_storage("1,2,file")) ==
        place(0) + R"(storage entry "1,2,file": 3 fields instead of 4 or more)");
  CHECK(error_of(with_storage("x,4000,drbd8,vg")) ==
        place(0) + R"(storage entry "x,4000,drbd8,vg": free is not a number)");
  CHECK(error_of(with_storage("1,,drbd8,vg")) ==
        place(2) + R"(storage entry "1,,drbd8,vg": total is not a number)");
  CHECK(error_of(with_storage("1,1.5,drbd8,vg")) ==
        place(2) + R"(storage entry "1,1.5,drbd8,vg": total is not a number)");
  CHECK(error_of(with_storage("-1,2,drbd8,vg")) ==
        place(0) + R"(storage entry "-1,2,drbd8,vg": free is negative)");
  CHECK(error_of(with_storage("3,2,drbd8,vg")) ==
        place(0) + R"(storage entry "3,2,drbd8,vg": free 3 is above total 2)");
  CHECK(error_of(with_storage("1,2,a,b;1,2,a,b")) ==
        place(8) + R"(storage entry "1,2,a,b": the node has a unit a/b already)");
  CHECK(error_of(with_storage("1,2,drbd,b;1,2,drbd8,b")) ==
        place(11) + R"(storage entry "1,2,drbd8,b": the node has a unit drbd8/b already)");
  CHECK(error_of(with_storage("1,2,,b")) == place(4) + R"(storage entry "1,2,,b": type is empty)");
  CHECK(error_of(with_storage("1,2,a,b;")) ==
        place(8) + R"(storage entry "": 1 field instead of 4 or more)");
  CHECK(error_of(with_storage("1,2,a,b\\")) ==
        place(7) + R"(storage entry "1,2,a,b\\": a backslash with nothing after it)");
  CHECK(error_of(with_storage("1,2,a,b\r")) ==
        place(7) + R"(storage entry "1,2,a,b\x0d": a control character)");
  CHECK(error_of(with_storage("1,99999999999999999999,a,b")) ==
        place(2) + R"(storage entry "1,99999999999999999999,a,b": total is too large a number)");
}

TEST_CASE("disks tell size, type, key and parameters") {
  const Snapshot snapshot = test::load(with_disks("150,lvm-vg,x;50,file,/srv/a,p"));
  const Instance& instance = snapshot.cluster.instances[0];
  REQUIRE(instance.disks.size() == 2);
  CHECK(instance.disks[0].taken_mib == 150);
  CHECK(to_string(snapshot.cluster[instance.disks[1].unit]) == "file//srv/a");
  CHECK(rewritten(with_disks("150,lvm-vg,x;50,file,/srv/a,p"))
            .find("|N|150,lvm-vg,x;50,file,/srv/a,p\n") != std::string::npos);
  CHECK(rewritten(with_disks("")).find(kInstance + "|\n") != std::string::npos);
}

TEST_CASE("bad disk entries are refused with file, line and column") {
  CHECK(error_of(with_disks("1,lvm-vg")) ==
        disk_place(0) + R"(disks entry "1,lvm-vg": 2 fields instead of 3 or more)");
  CHECK(error_of(with_disks("1,lvm-vg,x;y,lvm-vg,x")) ==
        disk_place(11) + R"(disks entry "y,lvm-vg,x": size is not a number)");
}

TEST_CASE("the spindles of column 12 survive a list of disks") {
  ClusterText text = with_disks("150,lvm-vg,x;50,lvm-vg,x");
  text.instances = "i1|100|200|1|running|Y|n1||plain||1|7|N|150,lvm-vg,x;50,lvm-vg,x\n";
  CHECK(test::load(text).cluster.instances[0].disk_spindles() == 7);
  CHECK(rewritten(text).find("|1|7|N|150,lvm-vg,x;50,lvm-vg,x\n") != std::string::npos);
}

TEST_CASE("ignored storage is not even parsed") {
  ClusterText text = with_storage("nonsense");
  text.instances = kInstance + "|more nonsense\n";
  PipelineOptions options;
  options.ignore_storage = true;
  const Snapshot snapshot = test::load(text, options);
  CHECK_FALSE(snapshot.cluster.has_storage);
  const std::string written = write_text(snapshot.cluster, snapshot.state);
  CHECK(written.find(kNode + "\n") != std::string::npos);
  CHECK(written.find(kInstance + "\n") != std::string::npos);
}
