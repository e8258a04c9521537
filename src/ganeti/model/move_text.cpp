// SPDX-License-Identifier: BSD-2-Clause
// Moves as the administrator sees them: short codes, commands, what they copy.
#include <fmt/format.h>

#include "ballast/core/shell.hpp"
#include "ballast/ganeti/model/move.hpp"

namespace ballast::ganeti {

std::string moves_text(const Cluster& cluster, Move move, const Placement& after) {
  const auto alias = [&](NodeId node) -> const std::string& { return cluster[node].alias; };
  switch (move.kind) {
    case MoveKind::Failover:
      return "f";
    case MoveKind::FailoverToAny:
      return "fa:" + alias(after.primary);
    case MoveKind::ReplacePrimary:
      return "f r:" + alias(after.primary) + " f";
    case MoveKind::ReplaceSecondary:
      return "r:" + alias(after.secondary);
    case MoveKind::ReplaceAndFailover:
      return "r:" + alias(after.primary) + " f";
    case MoveKind::FailoverAndReplace:
      return "f r:" + alias(after.secondary);
  }
  return {};
}

std::vector<std::string> commands_of(const Cluster& cluster, InstanceId id, Move move,
                                     const Placement& after, Names /*names*/) {
  const Instance& instance = cluster[id];
  const std::string alias = shell_operand(instance.alias);
  const std::string_view verb = instance.is_running() ? "migrate" : "failover";
  const std::string swap = fmt::format("{} -f {}", verb, alias);
  const auto replace = [&](NodeId node) {
    return fmt::format("replace-disks -n {} {}", shell_word(cluster[node].alias), alias);
  };
  switch (move.kind) {
    case MoveKind::Failover:
      return {swap};
    case MoveKind::FailoverToAny:
      return {fmt::format("{} -f -n {} {}", is_copied_whole(instance, move.kind) ? "move" : verb,
                          shell_word(cluster[after.primary].alias), alias)};
    case MoveKind::ReplacePrimary:
      return {swap, replace(after.primary), swap};
    case MoveKind::ReplaceSecondary:
      return {replace(after.secondary)};
    case MoveKind::ReplaceAndFailover:
      return {replace(after.primary), swap};
    case MoveKind::FailoverAndReplace:
      return {swap, replace(after.secondary)};
  }
  return {};
}

bool is_copied_whole(const Instance& instance, MoveKind kind) {
  return kind == MoveKind::FailoverToAny && mirroring_of(instance.disk_template) == Mirroring::None;
}

std::int64_t copied_mib(const Cluster& cluster, InstanceId id, Move move) {
  const Instance& instance = cluster[id];
  const bool keeps_disks = move.kind == MoveKind::Failover || move.kind == MoveKind::FailoverToAny;
  return keeps_disks && !is_copied_whole(instance, move.kind) ? 0 : instance.disk_mib;
}

}  // namespace ballast::ganeti
