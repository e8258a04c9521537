// SPDX-License-Identifier: BSD-2-Clause
// What follows from a kind's row must be what the mover does, and what administrators know it by.
#include "ballast/ganeti/moves/kinds.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "ballast/ganeti/moves/ends.hpp"
#include "support/ganeti_text.hpp"

using namespace ballast;
using namespace ballast::ganeti;

namespace {

/// i0 on a and b, mirrored (drbd) or on shared storage (rbd, on a); c is free.
Snapshot scene(const std::string& disk_template) {
  const std::string nodes =
      "a|8192|0|4096|100000|80000|8|N|uuid-g|10\n"
      "b|8192|0|8192|100000|80000|8|N|uuid-g|10\n"
      "c|8192|0|8192|100000|100000|8|N|uuid-g|10\n";
  const std::string secondary = disk_template == "drbd" ? "b" : "";
  return test::load("g|uuid-g|preferred||\n\n" + nodes + "\ni0|1024|5000|1|running|Y|a|" +
                    secondary + "|" + disk_template + "|\n\n\n");
}

const InstanceId kInstance(0);
const NodeId kA(0);
const NodeId kB(1);
const NodeId kC(2);

Snapshot scene_of(const MoveKindRow& row) {
  return scene(row.mirroring == Mirroring::Internal ? "drbd" : "rbd");
}

Move move_of(const MoveKindRow& row) { return {row.kind, row.has_target() ? kC : NodeId()}; }

}  // namespace

TEST_CASE("a kind leads where its legs say") {
  for (const MoveKindRow& row : kMoveKinds) {
    CAPTURE(row.action);
    const Snapshot snapshot = scene_of(row);
    const Move move = move_of(row);
    const auto effect = evaluate(snapshot.cluster, snapshot.state, kInstance, move, false);
    REQUIRE(effect);
    const Placement told = after(snapshot.state[kInstance], move);
    CHECK(effect->placement.primary == told.primary);
    CHECK(effect->placement.secondary == told.secondary);
    CHECK(target_of(row.kind, told) == move.target);
  }
}

TEST_CASE("no two kinds for the same instances have the same name or lead to the same place") {
  std::map<std::string, int> places;
  for (const MoveKindRow& row : kMoveKinds) {
    const MoveEnds ends = ends_of(row.kind);
    const std::string place = std::to_string(static_cast<int>(row.mirroring)) +
                              std::to_string(static_cast<int>(ends.primary)) +
                              std::to_string(static_cast<int>(ends.secondary));
    CAPTURE(row.action);
    CHECK(++places[place] == 1);
  }
}

TEST_CASE("codes and commands of each kind") {
  struct Told {
    std::string text;
    std::vector<std::string> commands;
    std::int64_t copied_mib;
  };
  using enum MoveKind;
  const std::map<MoveKind, Told> expected{
      {Failover, {"f", {"migrate -f i0"}, 0}},
      {FailoverToAny, {"fa:c", {"migrate -f -n c i0"}, 0}},
      {ReplaceSecondary, {"r:c", {"replace-disks -n c i0"}, 5000}},
      {ReplaceAndFailover, {"r:c f", {"replace-disks -n c i0", "migrate -f i0"}, 5000}},
      {ReplacePrimary,
       {"f r:c f", {"migrate -f i0", "replace-disks -n c i0", "migrate -f i0"}, 5000}},
      {FailoverAndReplace, {"f r:c", {"migrate -f i0", "replace-disks -n c i0"}, 5000}},
  };
  REQUIRE(expected.size() == kMoveKinds.size());
  for (const MoveKindRow& row : kMoveKinds) {
    const Snapshot snapshot = scene_of(row);
    const Move move = move_of(row);
    const Placement to = after(snapshot.state[kInstance], move);
    const Told& told = expected.at(row.kind);
    CHECK(moves_text(snapshot.cluster, move, to) == told.text);
    CHECK(commands_of(snapshot.cluster, kInstance, move, to) == told.commands);
    CHECK(copied_mib(snapshot.cluster, kInstance, move) == told.copied_mib);
  }
}

TEST_CASE("an instance without a mirror is copied whole, stopped") {
  const Snapshot snapshot = scene("plain");
  const Move move{MoveKind::FailoverToAny, kC};
  CHECK(is_copied_whole(snapshot.cluster[kInstance], move.kind));
  CHECK(copied_mib(snapshot.cluster, kInstance, move) == 5000);
  CHECK(commands_of(snapshot.cluster, kInstance, move, after(snapshot.state[kInstance], move)) ==
        std::vector<std::string>{"move -f -n c i0"});
}

TEST_CASE("the target is filled from the node that runs the instance by then") {
  const Placement before{kA, kB, 0};
  CHECK(copy_source(MoveKind::ReplaceSecondary, before) == kA);
  CHECK(copy_source(MoveKind::ReplaceAndFailover, before) == kA);
  CHECK(copy_source(MoveKind::ReplacePrimary, before) == kB);
  CHECK(copy_source(MoveKind::FailoverAndReplace, before) == kB);
}
