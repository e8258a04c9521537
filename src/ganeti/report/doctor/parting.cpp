// SPDX-License-Identifier: BSD-2-Clause
#include "parting.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/concat.hpp>
#include <utility>

#include "ballast/ganeti/report/explain/explain.hpp"
#include "ballast/ganeti/report/explain/making_way.hpp"
#include "ballast/ganeti/search/balance/candidates.hpp"

namespace ballast::ganeti::doctor {
namespace {

void add_commands(std::vector<std::string>& list, std::vector<std::string> commands) {
  for (std::string& command : commands) list.push_back("gnt-instance " + std::move(command));
}

}  // namespace

std::string Parting::advice(const Conflict& conflict) {
  Told told;
  std::string kept;
  // Each round takes one instance away; with soft errors ignored another may come back meanwhile.
  for (std::size_t round = 1; round < conflict.instances.size(); ++round) {
    const auto left = still_together(conflict);
    if (left.size() < 2) break;
    const Ways ways = best_ways(left, conflict.node);
    if (ways.legal) {
      go(*ways.legal, told);
    } else if (!ways.forbidden || !go_after_another(*ways.forbidden, told)) {
      kept = what_keeps(ways.forbidden);
      break;
    }
  }
  std::string text = fmt::format("{}", fmt::join(told.commands, ", "));
  if (!told.reasons.empty()) text += fmt::format(" ({})", fmt::join(told.reasons, "; "));
  if (!kept.empty()) text += (text.empty() ? "" : "; then ") + kept;
  return text;
}

std::vector<InstanceId> Parting::still_together(const Conflict& conflict) const {
  std::vector<InstanceId> left;
  for (const InstanceId id : conflict.instances) {
    if (state_[id].primary == conflict.node) left.push_back(id);
  }
  return left;
}

/// The best moves that take one of the instances off the node.
Parting::Ways Parting::best_ways(const std::vector<InstanceId>& instances, NodeId node) const {
  Ways best;
  for (const InstanceId id : instances) {
    if (!is_considered(patient_.cluster, state_, patient_.options, id)) continue;
    for (ExplainedMove& move :
         explained_moves(patient_.cluster, state_, part_, patient_.options, id)) {
      if (move.after.primary == node || !move.score) continue;
      // Another node with the same tag is no way out, whatever else stands there.
      if (move.refusal && move.refusal->rule == Rule::ExclusionTag) continue;
      std::optional<Way>& place = move.refusal ? best.forbidden : best.legal;
      if (!place || *move.score < *place->move.score) place = Way{id, std::move(move)};
    }
  }
  return best;
}

void Parting::go(const Way& way, Told& told) {
  auto effect = evaluate(patient_.cluster, state_, way.instance, way.move.move,
                         patient_.options.ignore_soft_errors);
  add_commands(told.commands,
               commands_of(patient_.cluster, way.instance, way.move.move, effect->placement));
  apply(state_, way.instance, std::move(*effect));
}

/// Two steps, where one instance on the target has somewhere to go.
bool Parting::go_after_another(const Way& way, Told& told) {
  auto made = make_way(patient_.cluster, state_, part_, patient_.options,
                       {way.instance, way.move.move, *way.move.refusal});
  if (!made) return false;
  add_commands(told.commands, commands_of(patient_.cluster, made->other, made->move, made->after));
  const Cluster& cluster = patient_.cluster;
  told.reasons.push_back(
      fmt::format("{} can go to {} when {} has left: {}", cluster[way.instance].name,
                  cluster[way.move.after.primary].name, cluster[made->other].name, way.move.why));
  state_ = std::move(made->state);
  go(way, told);
  return true;
}

std::string Parting::what_keeps(const std::optional<Way>& forbidden) const {
  if (!forbidden)
    return "no node is free of that tag: add a node, or take the tag off one instance";
  const Cluster& cluster = patient_.cluster;
  const std::string& name = cluster[forbidden->instance].name;
  const std::string& target = cluster[forbidden->move.after.primary].name;
  if (const auto other = in_the_way(*forbidden))
    return fmt::format("{} cannot go to {}: {}; it could if {} left", name, target,
                       forbidden->move.why, cluster[*other].name);
  return fmt::format("{} cannot go to {}, the best node without that tag: {}", name, target,
                     forbidden->move.why);
}

/// The smallest instance on the target whose leaving would let the move pass.
std::optional<InstanceId> Parting::in_the_way(const Way& way) const {
  const Cluster& cluster = patient_.cluster;
  const NodeId target = way.move.after.primary;
  const NodeState& full = state_[target];
  auto others = ranges::views::concat(full.primaries, full.secondaries) | ranges::to<std::vector>();
  std::stable_sort(others.begin(), others.end(), [&](InstanceId a, InstanceId b) {
    return cluster[a].memory_mib < cluster[b].memory_mib;
  });
  State trial = state_;
  for (const InstanceId other : others) {
    if (other == way.instance) continue;
    const InstanceRef ref{other, &cluster[other], state_[other], false};
    trial[target] = full;
    if (state_[other].primary == target)
      remove_primary(cluster, target, trial[target], ref);
    else
      remove_secondary(cluster, target, trial[target], ref);
    if (evaluate(cluster, trial, way.instance, way.move.move, patient_.options.ignore_soft_errors))
      return other;
  }
  return std::nullopt;
}

}  // namespace ballast::ganeti::doctor
