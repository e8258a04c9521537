// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/report/doctor/doctor.hpp"
#include "ballast/ganeti/loading/pipeline.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "support/ganeti_text.hpp"

using namespace ballast;
using namespace ballast::ganeti;
using ballast::ganeti::test::ClusterText;

namespace {

std::vector<Finding> findings_of(const Snapshot& s) {
  const std::vector<Part> parts = parts_of(s.cluster, s.state);
  const BalanceOptions options;
  const Rebalancing plan = rebalance(s.cluster, s.state, parts, options);
  return examine({s.cluster, s.state, parts, options, plan});
}

std::vector<Finding> findings_of(const ClusterText& text) { return findings_of(test::load(text)); }

std::vector<Finding> with_code(const ClusterText& text, const std::string& code) {
  std::vector<Finding> findings = findings_of(text);
  std::erase_if(findings, [&](const Finding& finding) { return finding.code != code; });
  return findings;
}

std::string text_at(const Value& map, std::string_view key) {
  const Value* value = map.find(key);
  return value != nullptr && value->is_string() ? *value->get<std::string>() : "";
}

std::int64_t number_at(const Finding& finding, std::string_view key) {
  const Value* value = finding.figures.find(key);
  const auto* number = value != nullptr ? value->get<std::int64_t>() : nullptr;
  return number != nullptr ? *number : -1;
}

constexpr std::int64_t kMib = 1048576;

/// Nodes a, b and c with 10000 MiB of memory and disk, everything free; tags by node.
ClusterText three_nodes(const std::string& instances, const std::string& tags_a = "",
                        const std::string& tags_b = "", const std::string& tags_c = "") {
  ClusterText text;
  text.nodes = "a|10000|0|10000|10000|10000|8|N|uuid-g|1|" + tags_a +
               "\nb|10000|0|10000|10000|10000|8|N|uuid-g|1|" + tags_b +
               "\nc|10000|0|10000|10000|10000|8|N|uuid-g|1|" + tags_c + "\n";
  text.instances = instances;
  return text;
}

std::string mirrored(const std::string& name, const std::string& nodes,
                     const std::string& tags = "") {
  return name + "|100|100|1|running|Y|" + nodes + "|drbd|" + tags + "|1\n";
}

}  // namespace

TEST_CASE("a healthy cluster has no findings") {
  ClusterText text = three_nodes("");
  text.nodes = "a|10000|0|8976|10000|7696|8|N|uuid-g|1\nb|10000|0|8976|10000|7696|8|N|uuid-g|1\n";
  text.instances = "p|1024|1024|1|running|Y|a|b|drbd||1\nq|1024|1024|1|running|Y|b|a|drbd||1\n";
  CHECK(findings_of(text).empty());
}

TEST_CASE("figures: what is missing, what is too much, what is within the tolerance") {
  ClusterText text = three_nodes("");
  text.nodes =
      "a|10000|1000|8000|10000|8000|8|N|uuid-g|1\nb|10000|0|12000|10000|12000|8|N|uuid-g|1\n"
      "c|10000|0|9488|10000|8976|8|N|uuid-g|1\n";
  const auto missing = with_code(text, "memory-unaccounted");
  REQUIRE(missing.size() == 1);
  CHECK(text_at(missing[0].subject, "node") == "a");
  CHECK(number_at(missing[0], "missing_bytes") == 1000 * kMib);
  CHECK(with_code(text, "memory-above-total").size() == 1);
  const auto disk = with_code(text, "disk-unaccounted");
  REQUIRE(disk.size() == 1);
  CHECK(number_at(disk[0], "missing_bytes") == 2000 * kMib);
  CHECK(with_code(text, "disk-above-total").size() == 1);
}

TEST_CASE("offline nodes: stranded primaries are errors, lost mirrors warnings") {
  ClusterText text = three_nodes(mirrored("p", "a|b") + mirrored("q", "b|a"));
  text.nodes.replace(text.nodes.find("|N|"), 3, "|Y|");
  const auto stranded = with_code(text, "primary-on-offline-node");
  REQUIRE(stranded.size() == 1);
  CHECK(stranded[0].severity == Severity::Error);
  CHECK(stranded[0].text.find(": p") != std::string::npos);
  CHECK(with_code(text, "secondary-on-offline-node").size() == 1);
}

TEST_CASE("an instance that is attached twice is named once") {
  ClusterText text = three_nodes(mirrored("p", "a|b"));
  text.nodes.replace(text.nodes.find("|N|"), 3, "|Y|");
  Snapshot twice = test::load(text);
  REQUIRE(run_pipeline(twice, {}));
  REQUIRE(twice.state[test::node(twice, "a")].primaries.size() == 2);
  const std::vector<Finding> findings = findings_of(twice);
  REQUIRE_FALSE(findings.empty());
  CHECK(findings.front().code == "primary-on-offline-node");
  CHECK(number_at(findings.front(), "instances") == 1);
}

TEST_CASE("redundancy: who reserves too much, who cannot be evacuated and because of whom") {
  ClusterText text = three_nodes("p|9000|100|1|running|Y|a|b|drbd||1\n");
  text.nodes = "a|10000|0|1000|10000|10000|8|N|uuid-g|1\nb|10000|0|5000|10000|10000|8|N|uuid-g|1\n";
  const auto unhappy = with_code(text, "node-not-n1-happy");
  REQUIRE(unhappy.size() == 1);
  CHECK(text_at(unhappy[0].subject, "node") == "b");
  CHECK(text_at(unhappy[0].subject, "peer") == "a");
  CHECK(number_at(unhappy[0], "memory_reserved_bytes") == 9000 * kMib);
  const auto stuck = with_code(text, "node-not-evacuable");
  REQUIRE(stuck.size() == 1);
  CHECK(text_at(stuck[0].subject, "node") == "a");
  CHECK(text_at(stuck[0].subject, "instance") == "p");
  CHECK(text_at(stuck[0].subject, "rule") == "memory");
}

TEST_CASE("exclusion: both instances by name, and the way out") {
  ClusterText text = three_nodes(mirrored("p", "a|b", "s:x") + mirrored("q", "a|b", "s:x"));
  text.tags = "htools:iextags:s\n";
  const auto conflicts = with_code(text, "exclusion-conflict");
  REQUIRE(conflicts.size() == 1);
  CHECK(conflicts[0].text.find("p, q (s:x)") != std::string::npos);
  CHECK(conflicts[0].action.find("gnt-instance ") == 0);

  text.nodes = "a|10000|0|9000|10000|9000|8|N|uuid-g|1\nb|10000|0|90|10000|9000|8|N|uuid-g|1\n";
  const std::string tight = with_code(text, "exclusion-conflict").at(0).action;
  CHECK(tight ==
        "p cannot go to b, the best node without that tag: memory: needs 100 MiB, 90 MiB "
        "unallocated on b");
}

TEST_CASE("exclusion: each command counts on those before it") {
  ClusterText text = three_nodes(mirrored("p", "a|b", "s:x") + mirrored("q", "a|b", "s:x") +
                                 mirrored("r", "a|c", "s:x"));
  text.tags = "htools:iextags:s\n";
  const auto conflicts = with_code(text, "exclusion-conflict");
  REQUIRE(conflicts.size() == 1);
  CHECK(conflicts[0].action ==  // not both to the same node
        "gnt-instance migrate -f p, gnt-instance replace-disks -n c p, gnt-instance migrate -f p, "
        "gnt-instance migrate -f q");
}

TEST_CASE("exclusion: more of them than nodes") {
  ClusterText text = three_nodes(mirrored("p", "a|b", "s:x") + mirrored("q", "a|b", "s:x") +
                                 mirrored("r", "a|c", "s:x") + mirrored("t", "a|c", "s:x"));
  text.tags = "htools:iextags:s\n";
  const std::string action = with_code(text, "exclusion-conflict").at(0).action;
  CHECK(action.starts_with("gnt-instance "));
  CHECK(action.ends_with(
      "; then no node is free of that tag: add a node, or take the tag off one instance"));
}

TEST_CASE("exclusion: another instance makes way first") {
  ClusterText text;  // big fills c, and only leaves it whole
  text.nodes =
      "a|65536|4096|53248|819200|778240|16|M|uuid-g|1\n"
      "b|65536|4096|57344|819200|788480|16|N|uuid-g|1\n"
      "c|12288|4096|3192|819200|808960|16|N|uuid-g|1\n";
  text.instances =
      "p|4096|10240|1|running|Y|a|b|drbd|s:x|1\nq|4096|10240|1|running|Y|a|b|drbd|s:x|1\n"
      "r|4096|10240|1|running|Y|b|a|drbd|s:x|1\nbig|5000|10240|1|running|Y|c|a|drbd||1\n";
  text.tags = "htools:iextags:s\n";
  CHECK(with_code(text, "exclusion-conflict").at(0).action ==
        "gnt-instance migrate -f big, gnt-instance replace-disks -n b big, gnt-instance migrate -f "
        "big, gnt-instance replace-disks -n c p, gnt-instance migrate -f p (p can go to c when big "
        "has left: memory: needs 4096 MiB, 3192 MiB unallocated on c)");
}

TEST_CASE("exclusion: who would have to leave") {
  ClusterText text = three_nodes(mirrored("p", "a|b", "s:x") + mirrored("q", "a|b", "s:x") +
                                 "big|9900|100|1|running|Y|b|a|drbd||1\n");
  text.nodes = "a|10000|0|9800|10000|9700|8|N|uuid-g|1\nb|10000|0|100|10000|9700|8|N|uuid-g|1\n";
  text.tags = "htools:iextags:s\n";
  CHECK(with_code(text, "exclusion-conflict").at(0).action.find("it could if big left") !=
        std::string::npos);
}

TEST_CASE("declarations: slips, malformed ones, in vain, in the wrong place") {
  ClusterText text = three_nodes(mirrored("p", "a|b"), "htools:migration:cpu");
  text.tags =
      "htools:iextag:svc\nhtools:allowmigration:x\nhtools:allowmigration:x::y\n"
      "htools:nlocation:room\nowner:me\n";
  const auto unknown = with_code(text, "tag-unknown");
  REQUIRE(unknown.size() == 1);
  CHECK(unknown[0].action.find("htools:iextags:") != std::string::npos);
  CHECK(with_code(text, "tag-malformed").size() == 1);
  CHECK(with_code(text, "tag-declared-in-vain").size() == 1);
  const auto misplaced = with_code(text, "tag-misplaced");
  REQUIRE(misplaced.size() == 1);
  CHECK(text_at(misplaced[0].subject, "node") == "a");
}

TEST_CASE("node tags that divide the nodes and are not declared") {
  const std::string instances = mirrored("p", "a|b") + mirrored("q", "a|b") + mirrored("r", "a|b");
  ClusterText text = three_nodes(instances, "cpu:new", "cpu:old", "cpu:old");
  const auto found = with_code(text, "node-tags-undeclared");
  REQUIRE(found.size() == 1);
  CHECK(found[0].severity == Severity::Warning);
  CHECK(number_at(found[0], "crossing_moves") > 0);
  text.tags = "htools:migration:cpu\n";
  CHECK(with_code(text, "node-tags-undeclared").empty());
  CHECK(with_code(three_nodes(instances, "cpu:new", "cpu:new", "cpu:new"), "node-tags-undeclared")
            .empty());
}

TEST_CASE("instance tags that look like replicas and are not declared") {
  const std::string replicas = mirrored("p", "a|b", "svc:x") + mirrored("q", "a|b", "svc:x") +
                               mirrored("r", "a|b", "svc:y") + mirrored("t", "b|a");
  const auto found = with_code(three_nodes(replicas), "instance-tags-undeclared");
  REQUIRE(found.size() == 1);
  CHECK(number_at(found[0], "together") == 1);
  ClusterText declared = three_nodes(replicas);
  declared.tags = "htools:iextags:svc\n";
  CHECK(with_code(declared, "instance-tags-undeclared").empty());
  const std::string owners = mirrored("p", "a|b", "own:x") + mirrored("q", "a|b", "own:x") +
                             mirrored("r", "a|b", "own:x") + mirrored("t", "a|b", "own:x");
  CHECK(with_code(three_nodes(owners), "instance-tags-undeclared").empty());
}

TEST_CASE("immovable instances and their share of the imbalance") {
  std::string instances;
  for (const char* name : {"p", "q", "r"})
    instances += std::string(name) + "|2000|1000|2|running|Y|a||plain||1\n";
  ClusterText text = three_nodes(instances + "n|100|100|1|running|N|b|c|drbd||1\n");
  text.nodes =
      "a|10000|0|4000|10000|7000|8|N|uuid-g|1\nb|10000|0|9900|10000|9900|8|N|uuid-g|1\n"
      "c|10000|0|10000|10000|9900|8|N|uuid-g|1\n";
  const auto found = with_code(text, "instances-never-move");
  REQUIRE(found.size() == 2);
  CHECK(text_at(found[0].subject, "reason") == "auto_balance is off");
  CHECK(text_at(found[1].subject, "reason") == "disk template plain");
  CHECK(found[1].severity == Severity::Warning);
  CHECK(number_at(found[1], "hand_moves") == 2);
  CHECK(number_at(found[1], "copied_bytes") == 2000 * kMib);
  const double before = *found[1].figures.find("score_balanced")->get<double>();
  const double after = *found[1].figures.find("score_by_hand")->get<double>();
  CHECK(after < before / 2);
}

namespace {

ClusterText tiers(const std::string& storage_a, const std::string& storage_b,
                  const std::string& disks) {
  ClusterText text;
  text.nodes = "a|10000|0|10000|10000|10000|8|N|uuid-g|1||N|0|1|1.0" + storage_a +
               "\nb|10000|0|10000|10000|10000|8|N|uuid-g|1||N|0|1|1.0" + storage_b + "\n";
  text.instances = "p|100|3000|1|running|Y|a|b|drbd||1|-|N|" + disks + "\n";
  return text;
}

}  // namespace

TEST_CASE("units without room for their largest disk") {
  const ClusterText text = tiers("|2000,5000,drbd8,s", "|4000,7000,drbd8,s", "3000,drbd8,s");
  const auto found = with_code(text, "unit-without-room");
  REQUIRE(found.size() == 1);
  CHECK(found[0].severity == Severity::Note);
  CHECK(text_at(found[0].subject, "node") == "a");
  CHECK(number_at(found[0], "free_bytes") == 2000 * kMib);
  CHECK(number_at(found[0], "largest_disk_bytes") == 3000 * kMib);
}

TEST_CASE("nodes without storage, disks on units that are not there") {
  const auto none =
      with_code(tiers("|2000,5000,drbd8,s", "|", "3000,drbd8,s"), "node-without-storage");
  REQUIRE(none.size() == 1);
  CHECK(text_at(none[0].subject, "node") == "b");
  CHECK(with_code(tiers("|2000,5000,drbd8,s", "", "3000,drbd8,s"), "node-without-storage").size() ==
        1);
  const auto missing = with_code(tiers("|2000,5000,drbd8,s", "|9,9,drbd8,h", "3000,drbd8,s"),
                                 "disk-on-missing-unit");
  REQUIRE(missing.size() == 1);
  CHECK(text_at(missing[0].subject, "unit") == "drbd8/s");
}

TEST_CASE("units whose figures do not add up, disks that are not the instance's disk") {
  const ClusterText text = tiers("|2000,9000,drbd8,s", "|4000,5000,drbd8,s", "2900,drbd8,s");
  const auto missing = with_code(text, "unit-space-unaccounted");
  REQUIRE(missing.size() == 1);
  CHECK(number_at(missing[0], "missing_bytes") == 4100 * kMib);
  CHECK(with_code(text, "unit-above-total").size() == 1);
  CHECK(with_code(text, "disks-do-not-add-up").size() == 1);
}

TEST_CASE("every check has a name of its own") {
  std::vector<std::string_view> names;
  for (const DoctorCheck& check : doctor_checks()) names.push_back(check.name);
  std::sort(names.begin(), names.end());
  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
  CHECK(names.size() == 14);
}
