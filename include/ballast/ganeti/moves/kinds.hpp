// SPDX-License-Identifier: BSD-2-Clause
// The kinds of moves as one table. Where a move leads, its short form and its commands, what it
// copies, what its step is called and where it may be tried follow from its row; what it does to
// the nodes, and which rules it breaks, stands in move.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "ballast/ganeti/model/enums.hpp"
#include "ballast/ganeti/moves/move.hpp"

namespace ballast::ganeti {

/// What an administrator does with one command.
enum class Leg : std::uint8_t {
  None,
  Swap,     ///< primary and secondary change roles
  Replace,  ///< the target takes the secondary's place: all disks are copied
  GoTo,     ///< the instance goes to the target, its secondary (if any) stays
};

/// Where --restricted-migration still tries a kind.
enum class Restricted : std::uint8_t { Yes, OffOfflinePrimary, No };

struct MoveKindRow {
  MoveKind kind;
  std::array<Leg, 3> legs;  ///< the first is not None
  Mirroring mirroring;      ///< of the instances that it is tried with
  Restricted restricted;
  std::string_view action;          ///< in plans, of a running instance
  std::string_view stopped_action;  ///< and of one that is down

  [[nodiscard]] constexpr bool has(Leg leg) const {
    return std::find(legs.begin(), legs.end(), leg) != legs.end();
  }
  [[nodiscard]] constexpr bool has_target() const { return has(Leg::Replace) || has(Leg::GoTo); }
};

/// In the order in which the reference tries them.
inline constexpr std::array kMoveKinds{
    MoveKindRow{MoveKind::Failover,
                {Leg::Swap},
                Mirroring::Internal,
                Restricted::Yes,
                "migrate",
                "failover"},
    MoveKindRow{MoveKind::FailoverToAny,
                {Leg::GoTo},
                Mirroring::External,
                Restricted::Yes,
                "migrate",
                "failover"},
    MoveKindRow{MoveKind::ReplaceSecondary,
                {Leg::Replace},
                Mirroring::Internal,
                Restricted::Yes,
                "replace_secondary",
                "replace_secondary"},
    MoveKindRow{MoveKind::ReplaceAndFailover,
                {Leg::Replace, Leg::Swap},
                Mirroring::Internal,
                Restricted::OffOfflinePrimary,
                "replace_and_migrate",
                "replace_and_failover"},
    MoveKindRow{MoveKind::ReplacePrimary,
                {Leg::Swap, Leg::Replace, Leg::Swap},
                Mirroring::Internal,
                Restricted::No,
                "replace_primary",
                "replace_primary"},
    MoveKindRow{MoveKind::FailoverAndReplace,
                {Leg::Swap, Leg::Replace},
                Mirroring::Internal,
                Restricted::OffOfflinePrimary,
                "migrate_and_replace",
                "failover_and_replace"},
};

/// By kind: the index of its row.
inline constexpr auto kMoveRows = [] {
  std::array<std::uint8_t, kMoveKinds.size()> rows{};
  for (std::size_t i = 0; i < kMoveKinds.size(); ++i)
    rows[static_cast<std::size_t>(kMoveKinds[i].kind)] = static_cast<std::uint8_t>(i);
  return rows;
}();
/// A kind's place in the order in which the kinds are tried.
constexpr std::size_t row_index(MoveKind kind) { return kMoveRows[static_cast<std::size_t>(kind)]; }
constexpr const MoveKindRow& row_of(MoveKind kind) { return kMoveKinds[row_index(kind)]; }
static_assert(std::all_of(kMoveKinds.begin(), kMoveKinds.end(),
                          [](const MoveKindRow& row) { return row_of(row.kind).kind == row.kind; }),
              "each kind has its row");

/// Who of the nodes that a move knows.
enum class MoveEnd : std::uint8_t { Primary, Secondary, Target };

/// Who is primary and secondary after the first `count` legs, and all of them.
struct MoveEnds {
  MoveEnd primary = MoveEnd::Primary;
  MoveEnd secondary = MoveEnd::Secondary;
};
constexpr MoveEnds ends_after_legs(const MoveKindRow& row, std::size_t count) {
  MoveEnds ends;
  for (std::size_t i = 0; i < count; ++i) {
    if (row.legs[i] == Leg::Swap) ends = {ends.secondary, ends.primary};
    if (row.legs[i] == Leg::Replace) ends.secondary = MoveEnd::Target;
    if (row.legs[i] == Leg::GoTo) ends.primary = MoveEnd::Target;
  }
  return ends;
}
inline constexpr auto kMoveEnds = [] {
  std::array<MoveEnds, kMoveKinds.size()> ends{};
  for (const MoveKindRow& row : kMoveKinds)
    ends[static_cast<std::size_t>(row.kind)] = ends_after_legs(row, row.legs.size());
  return ends;
}();
constexpr MoveEnds ends_of(MoveKind kind) { return kMoveEnds[static_cast<std::size_t>(kind)]; }

/// The move's target, seen from where it has led.
inline NodeId target_of(MoveKind kind, const Placement& after) {
  const MoveEnds ends = ends_of(kind);
  if (ends.primary == MoveEnd::Target) return after.primary;
  return ends.secondary == MoveEnd::Target ? after.secondary : NodeId();
}

/// The node that holds the good copy while the target's is filled.
inline NodeId copy_source(MoveKind kind, const Placement& before) {
  const MoveKindRow& row = row_of(kind);
  const auto filling = std::find_if(row.legs.begin(), row.legs.end(), [](Leg leg) {
    return leg == Leg::Replace || leg == Leg::GoTo;
  });
  const MoveEnds ends = ends_after_legs(row, static_cast<std::size_t>(filling - row.legs.begin()));
  return ends.primary == MoveEnd::Secondary ? before.secondary : before.primary;
}

}  // namespace ballast::ganeti
