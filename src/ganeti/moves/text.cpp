// SPDX-License-Identifier: BSD-2-Clause
// Moves as the administrator sees them: short codes, commands, what they copy.
#include <fmt/format.h>

#include "ballast/core/shell.hpp"
#include "ballast/ganeti/moves/kinds.hpp"

namespace ballast::ganeti {

std::string moves_text(const Cluster& cluster, Move move, const Placement& after) {
  const NodeId target = target_of(move.kind, after);
  std::string text;
  for (const Leg leg : row_of(move.kind).legs) {
    if (leg == Leg::None) break;
    if (!text.empty()) text += ' ';
    text += leg == Leg::Swap ? "f" : leg == Leg::Replace ? "r:" : "fa:";
    if (leg != Leg::Swap) text += cluster[target].alias;
  }
  return text;
}

std::vector<std::string> commands_of(const Cluster& cluster, InstanceId id, Move move,
                                     const Placement& after, Names /*names*/) {
  const Instance& instance = cluster[id];
  const std::string alias = shell_operand(instance.alias);
  const std::string_view verb = instance.is_running() ? "migrate" : "failover";
  const NodeId target = target_of(move.kind, after);
  const std::string node = target.is_none() ? std::string() : shell_word(cluster[target].alias);
  std::vector<std::string> commands;
  for (const Leg leg : row_of(move.kind).legs) {
    switch (leg) {
      case Leg::None:
        break;
      case Leg::Swap:
        commands.push_back(fmt::format("{} -f {}", verb, alias));
        break;
      case Leg::Replace:
        commands.push_back(fmt::format("replace-disks -n {} {}", node, alias));
        break;
      case Leg::GoTo:
        commands.push_back(fmt::format(
            "{} -f -n {} {}", is_copied_whole(instance, move.kind) ? "move" : verb, node, alias));
        break;
    }
  }
  return commands;
}

bool is_copied_whole(const Instance& instance, MoveKind kind) {
  return row_of(kind).has(Leg::GoTo) && mirroring_of(instance.disk_template) == Mirroring::None;
}

std::int64_t copied_mib(const Cluster& cluster, InstanceId id, Move move) {
  const Instance& instance = cluster[id];
  const bool copies = row_of(move.kind).has(Leg::Replace) || is_copied_whole(instance, move.kind);
  return copies ? instance.disk_mib : 0;
}

}  // namespace ballast::ganeti
