// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/planning/move_step.hpp"
#include "ballast/core/bytes.hpp"
#include "ballast/ganeti/moves/kinds.hpp"

#include "ballast/core/shell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace ballast::ganeti {
namespace {

std::string_view action_of(MoveKind kind, const Instance& instance, bool is_running) {
  if (is_copied_whole(instance, kind)) return "move";
  return is_running ? row_of(kind).action : row_of(kind).stopped_action;
}

plan::Cost cost_of(const Cluster& cluster, InstanceId instance, Move move,
                   const Placement& before) {
  plan::Cost cost;
  cost.bytes = copied_mib(cluster, instance, move) * kBytesPerMib;
  if (*cost.bytes > 0) {
    cost.links.push_back(
        {cluster[copy_source(move.kind, before)].name, cluster[move.target].name, *cost.bytes});
  }
  return cost;
}

/// As gnt-instance prints primary and secondaries with a colon between them.
std::string place_text(const Cluster& cluster, const Placement& placement) {
  std::string place = cluster[placement.primary].name + ":";
  if (!placement.secondary.is_none()) place += cluster[placement.secondary].name;
  return place;
}

/// None: nothing has less than it had.
std::string loss_of(const Instance& instance, MoveKind kind) {
  if (is_copied_whole(instance, kind)) return "service (stopped while its disks are copied)";
  return row_of(kind).has(Leg::Replace) ? "mirror of the disks" : "";
}

bool is_action_of_kind(std::string_view action, MoveKind kind, const Instance& instance) {
  return action == action_of(kind, instance, true) || action == action_of(kind, instance, false);
}

}  // namespace

bool is_action_of(std::string_view action, Move move, const Instance& instance) {
  if (!action.starts_with(kUndo)) return is_action_of_kind(action, move.kind, instance);
  action.remove_prefix(kUndo.size());
  return std::ranges::any_of(kMoveKinds, [&](const MoveKindRow& row) {
    return is_action_of_kind(action, row.kind, instance);
  });
}

plan::Step move_step(const Cluster& cluster, int n, InstanceId id, Move move,
                     const Placement& before, const Placement& after) {
  const Instance& instance = cluster[id];
  plan::Step step;
  step.n = n;
  step.action = action_of(move.kind, instance, instance.is_running());
  step.subject = {"instance", instance.name, ""};
  step.from = placement_value(cluster, before);
  step.to = placement_value(cluster, after);
  step.commands.push_back({plan::CommandUse::Check, placement_check(cluster, id, before)});
  for (const std::string& command : commands_of(cluster, id, move, after)) {
    step.commands.push_back({plan::CommandUse::Hand, "gnt-instance " + command});
  }
  step.done_when.push_back({fmt::format("{} is on {}", instance.name, place_text(cluster, after)),
                            placement_check(cluster, id, after)});
  step.cost = cost_of(cluster, id, move, before);
  if (std::string loss = loss_of(instance, move.kind); !loss.empty())
    step.unprotected.push_back({std::move(loss), instance.name, n});
  return step;
}

std::string placement_check(const Cluster& cluster, InstanceId instance,
                            const Placement& placement) {
  return fmt::format(
      "test \"$(gnt-instance list --no-headers --separator=: -o pnode,snodes {})\" = {}",
      shell_operand(cluster[instance].name), shell_word(place_text(cluster, placement)));
}

Value placement_value(const Cluster& cluster, const Placement& placement) {
  Value value = Value::map();
  value.set("primary", cluster[placement.primary].name);
  if (!placement.secondary.is_none()) value.set("secondary", cluster[placement.secondary].name);
  return value;
}

std::vector<NodeId> touched_nodes(const Placement& before, const Placement& after) {
  std::vector<NodeId> nodes{before.primary, before.secondary, after.primary, after.secondary};
  std::erase(nodes, NodeId());
  std::ranges::sort(nodes);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

std::vector<plan::Wait> NodeUse::touch(int n, const std::vector<NodeId>& nodes,
                                       InstanceId instance) {
  std::map<int, std::string> reasons;  // by the step that is waited for
  for (const NodeId node : nodes) {
    int& last = last_step_[node.index()];
    if (last != 0 && last != n)
      reasons.try_emplace(last, fmt::format("uses node {}, too", cluster_[node].name));
    last = n;
  }
  if (!instance.is_none()) {
    for (const RuleId rule : cluster_[instance].rules) {
      const PlacementRule& one = cluster_.rules[rule];
      if (one.kind == RuleKind::Pin || one.price) continue;
      int& last = last_of_rule_[static_cast<std::size_t>(rule)];
      if (last != 0 && last != n)
        reasons.try_emplace(last, fmt::format("is under {}, too", one.name));
      last = n;
    }
  }
  std::vector<bool>& before = steps_before_[n];
  before.assign(static_cast<std::size_t>(n) + 1, false);
  std::vector<plan::Wait> waits;
  for (auto reason = reasons.rbegin(); reason != reasons.rend(); ++reason) {
    if (before[static_cast<std::size_t>(reason->first)]) continue;
    before[static_cast<std::size_t>(reason->first)] = true;
    const std::vector<bool>& further = steps_before_[reason->first];
    for (std::size_t k = 0; k < further.size(); ++k) {
      if (further[k]) before[k] = true;
    }
    plan::Wait wait;
    wait.step = reason->first;
    wait.text = reason->second;
    waits.push_back(std::move(wait));
  }
  return waits;
}

}  // namespace ballast::ganeti
