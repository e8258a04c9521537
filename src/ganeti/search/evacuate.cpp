// SPDX-License-Identifier: BSD-2-Clause
#include "evacuate.hpp"

#include <algorithm>

#include "groups.hpp"

namespace ballast::ganeti::alloc {
namespace {

using Kind = AllocatorOperation::Kind;

Kind move_kind(const Record& record) {
  return record.instance->is_forthcoming ? Kind::Failover : Kind::Migrate;
}

std::vector<std::pair<NodeId, NodeState>> states_of(const Overlay& overlay) {
  return overlay.changed();
}

std::vector<NodeId> nodes_of_group(const World& world, GroupId group) {
  std::vector<NodeId> nodes;
  for (const NodeId node : world.nodes) {
    if ((*world.cluster)[node].group == group) nodes.push_back(node);
  }
  return nodes;
}

ScoreTable group_table(const World& world, GroupId group) {
  return {*world.cluster, world.states, nodes_of_group(world, group)};
}

std::string failed_step(std::string_view step, const Refusal& refusal) {
  return std::string(step) + ": " + std::string(text_of(refusal.reason));
}

/// The first half of moving both: the instance runs on its new primary, its old partner is still
/// the secondary.
struct Halfway {
  Overlay overlay;
  Record record;
  std::vector<AllocatorOperation> job;
};

Outcome<Halfway> move_primary(const World& world, const Record& record, NodeId target, bool force) {
  Halfway half{Overlay(world), record, {}};
  const NodeId primary = record.placement.primary;
  if ((*world.cluster)[primary].is_offline) {
    if (auto no = fail_over(half.overlay, half.record, force)) {
      return tl::unexpected(failed_step("Failing over to the secondary", *no));
    }
    half.job.push_back({move_kind(record), NodeId()});
  }
  if (auto no = replace_secondary(half.overlay, half.record, target, force)) {
    return tl::unexpected(failed_step("Changing secondary to new primary", *no));
  }
  half.job.push_back({Kind::ReplaceSecondary, target});
  if (auto no = fail_over(half.overlay, half.record, force)) {
    return tl::unexpected(failed_step("Failing over to new primary", *no));
  }
  half.job.push_back({move_kind(record), NodeId()});
  return half;
}

}  // namespace

Outcome<Evacuator::Moved> Evacuator::fail_over_only(const Record& record, const Plan& plan) {
  Overlay overlay(world_);
  Moved moved{record, {}, {{move_kind(record), NodeId()}}};
  if (auto no = fail_over(overlay, moved.record, plan.force))
    return tl::unexpected(std::string(text_of(no->reason)));
  moved.states = states_of(overlay);
  return moved;
}

Outcome<Evacuator::Moved> Evacuator::move_half(const Record& record, const Plan& plan,
                                               std::vector<AllocatorOperation> job,
                                               const Overlay& start) {
  const bool is_mirrored = record.instance->disk_template == DiskTemplate::Drbd;
  const ScoreTable table = group_table(world_, plan.group);
  std::optional<Moved> best;
  double best_score = 0;
  std::string failures;
  for (const NodeId target : plan.targets) {
    Overlay overlay = start;
    Record moved = record;
    const auto no = is_mirrored ? replace_secondary(overlay, moved, target, plan.force)
                                : fail_over_to(overlay, moved, target, plan.force);
    if (no) {
      if (!best)
        failures += " Node " + (*world_.cluster)[target].name +
                    " failed: " + std::string(text_of(no->reason)) + ";";
      continue;
    }
    const double score = table.exact(overlay.changes());
    if (best && best_score < score) continue;
    best_score = score;
    best = Moved{moved, states_of(overlay), job};
    best->job.push_back({is_mirrored ? Kind::ReplaceSecondary : move_kind(record), target});
  }
  if (!best) return tl::unexpected("Can't find any good node: " + failures);
  return std::move(*best);
}

Outcome<Evacuator::Moved> Evacuator::move_both(const Record& record, const Plan& plan) {
  const ScoreTable table = group_table(world_, plan.group);
  std::optional<Moved> best;
  double best_score = 0;
  std::string last_failure;
  for (const NodeId primary : plan.targets) {
    const auto half = plan.targets.size() > 1 ? move_primary(world_, record, primary, plan.force)
                                              : tl::unexpected(std::string());
    for (const NodeId secondary : plan.targets) {
      if (secondary == primary) continue;
      if (!half) {
        last_failure = half.error();
        break;
      }
      Overlay overlay = half->overlay;
      Record moved = half->record;
      if (auto no = replace_secondary(overlay, moved, secondary, plan.force)) {
        last_failure = failed_step("Changing secondary to final secondary", *no);
        continue;
      }
      const double score = table.exact(overlay.changes());
      if (best && best_score < score) continue;
      best_score = score;
      best = Moved{moved, states_of(overlay), half->job};
      best->job.push_back({Kind::ReplaceSecondary, secondary});
    }
  }
  if (best) return std::move(*best);
  return tl::unexpected("Can't find any good nodes for relocation: " +
                        (last_failure.empty() ? std::string("no nodes available")
                                              : "Allocation failed: " + last_failure));
}

/// Only the half on the leaving node moves; the other one stays where it is.
Outcome<Evacuator::Moved> Evacuator::move_in_place(const Record& record, const Plan& plan) {
  Overlay overlay(world_);
  if (record.placement.primary != plan.leaving) return move_half(record, plan, {}, overlay);
  Record failed_over = record;
  if (auto no = fail_over(overlay, failed_over, plan.force)) {
    return tl::unexpected("Can't find any good nodes for relocation: " +
                          failed_step("Failing over to the secondary", *no));
  }
  return move_half(failed_over, plan, {{move_kind(record), NodeId()}}, overlay);
}

Outcome<Evacuator::Moved> Evacuator::move(const Record& record, const Plan& plan) {
  const DiskTemplate disk_template = record.instance->disk_template;
  const std::string name(text_of(disk_template));
  if (mirroring_of(disk_template) == Mirroring::None) {
    return tl::unexpected("Instances of type " + name + " cannot be relocated");
  }
  if (disk_template != DiskTemplate::Drbd) {
    if (plan.mode != EvacuateMode::Secondary) return move_half(record, plan, {}, Overlay(world_));
    return tl::unexpected("Instances with disk template '" + name +
                          "' can't execute change secondary");
  }
  switch (plan.mode) {
    case EvacuateMode::Primary:
      return fail_over_only(record, plan);
    case EvacuateMode::Secondary:
      return move_half(record, plan, {}, Overlay(world_));
    case EvacuateMode::All:
      break;
  }
  return plan.leaving.is_none() ? move_both(record, plan) : move_in_place(record, plan);
}

void Evacuator::evacuate(InstanceId instance, const Plan& plan) {
  const Cluster& cluster = *world_.cluster;
  auto moved = move(initial_.at(instance.value()), plan);
  if (!moved) return refuse(instance, moved.error());
  const Placement& placement = moved->record.placement;
  const bool has_two = moved->record.instance->disk_template == DiskTemplate::Drbd;
  std::vector<NodeId> nodes{placement.primary};
  if (has_two) nodes.push_back(placement.secondary);
  for (auto& [node, state] : moved->states) {
    store_.push_back(std::move(state));
    world_.states[node.index()] = &store_.back();
  }
  result_.moved.push_back(
      {instance, cluster[placement.primary].group, std::move(nodes), std::move(moved->job)});
  world_.instances.set(instance.value(), moved->record);
}

void Evacuator::refuse(InstanceId instance, std::string text) {
  result_.failed.push_back({(*world_.cluster)[instance].name, std::move(text)});
}

}  // namespace ballast::ganeti::alloc
