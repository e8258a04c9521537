// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/allocate/evacuate.hpp"

#include <algorithm>
#include <numeric>

#include "ballast/ganeti/search/allocate/singles.hpp"
#include "evacuate_pairs.hpp"
#include "screen.hpp"

namespace ballast::ganeti::alloc {
namespace {

using Kind = AllocatorOperation::Kind;

std::vector<NodeId> nodes_of_group(const ScopedCluster& scope, GroupId group) {
  std::vector<NodeId> nodes;
  for (const NodeId node : scope.nodes) {
    if ((*scope.cluster)[node].group == group) nodes.push_back(node);
  }
  return nodes;
}

std::vector<std::size_t> first_numbers(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

/// Incremental scores of overlays, where they are worth it.
class OverlayScore {
 public:
  OverlayScore(const ScopedCluster& scope, const ScoreSheet& table, std::span<const NodeId> scored)
      : scope_(scope), base_(table.running()), is_scored_(scope.states.size()) {
    for (const NodeId node : scored) is_scored_[node.index()] = true;
  }

  void offer(Screen& screen, std::size_t candidate, const Overlay& overlay) const {
    Running running = base_;
    for (const auto& [node, state] : overlay.changed()) {
      if (is_scored_[node.index()]) running.update(*scope_.cluster, node, scope_[node], state);
    }
    screen.offer(candidate, running.estimate());
  }

 private:
  const ScopedCluster& scope_;
  Running base_;
  std::vector<bool> is_scored_;
};

}  // namespace

Outcome<Evacuator::Moved> Evacuator::fail_over_only(const Record& record, const Plan& plan) {
  Overlay overlay(scope_);
  Moved moved{record, {}, {{move_kind(record), NodeId()}}};
  if (auto no = fail_over(overlay, moved.record, plan.force))
    return tl::unexpected(std::string(text_of(no->reason)));
  moved.states = overlay.changed();
  return moved;
}

Outcome<Evacuator::Moved> Evacuator::move_half(const Record& record, const Plan& plan,
                                               std::vector<AllocatorOperation> job,
                                               const Overlay& start) {
  const bool is_mirrored = record.instance->disk_template == DiskTemplate::Drbd;
  const auto step = [&](NodeId target, Overlay& overlay, Record& moved) {
    return is_mirrored ? replace_secondary(overlay, moved, target, plan.force)
                       : fail_over_to(overlay, moved, target, plan.force);
  };
  const std::vector<NodeId> scored = nodes_of_group(scope_, plan.group);
  const ScoreSheet table(*scope_.cluster, scope_.states, scored);
  const OverlayScore quick(scope_, table, scored);
  Screen screen;
  std::string failures;
  for (std::size_t i = 0; i < plan.targets.size(); ++i) {
    Overlay overlay = start;
    Record moved = record;
    if (const auto no = step(plan.targets[i], overlay, moved)) {
      failures += " Node " + (*scope_.cluster)[plan.targets[i]].name +
                  " failed: " + std::string(text_of(no->reason)) + ";";
      continue;
    }
    quick.offer(screen, i, overlay);
  }
  std::optional<Moved> best;
  double best_score = 0;
  const bool has_prices = scope_.cluster->rules.has_prices();
  const auto finalists = plan.one_by_one || has_prices ? std::nullopt : screen.finalists();
  for (const std::size_t i : finalists.value_or(first_numbers(plan.targets.size()))) {
    const NodeId target = plan.targets[i];
    Overlay overlay = start;
    Record moved = record;
    if (step(target, overlay, moved)) continue;
    const double score = table.total_with(overlay.changes()) +
                         price_of_change(scope_, record, record.placement, moved.placement);
    if (best && best_score < score) continue;
    best_score = score;
    best = Moved{moved, overlay.changed(), job};
    best->job.push_back({is_mirrored ? Kind::ReplaceSecondary : move_kind(record), target});
  }
  if (!best) return tl::unexpected("Can't find any good node: " + failures);
  return std::move(*best);
}

/// Every pair in order, or only those that can be the best.
class Evacuator::PairSearch {
 public:
  PairSearch(const ScopedCluster& scope, const Record& record, const Plan& plan)
      : scope_(scope),
        record_(record),
        plan_(plan),
        scored_(nodes_of_group(scope, plan.group)),
        table_(*scope.cluster, scope.states, scored_) {}

  Outcome<Moved> run() {
    const auto pairs = plan_.one_by_one || has_reserves(*scope_.cluster, scope_)
                           ? std::nullopt
                           : promising_pairs(scope_, record_, plan_.targets, scored_, plan_.force);
    if (pairs && !pairs->empty()) {
      for (const auto& [primary, secondary] : *pairs) try_pairs(primary, {secondary});
    } else if (pairs && plan_.targets.size() > 1) {
      // All fail: only the last one's text is needed.
      try_pairs(plan_.targets.back(), {plan_.targets[plan_.targets.size() - 2]});
    } else if (!pairs) {
      for (const NodeId primary : plan_.targets) try_pairs(primary, plan_.targets);
    }
    if (best_) return std::move(*best_);
    return tl::unexpected("Can't find any good nodes for relocation: " +
                          (last_failure_.empty() ? std::string("no nodes available")
                                                 : "Allocation failed: " + last_failure_));
  }

 private:
  void try_pairs(NodeId primary, const std::vector<NodeId>& secondaries) {
    const auto half = move_primary(scope_, record_, primary, plan_.force);
    for (const NodeId secondary : secondaries) {
      if (secondary == primary) continue;
      if (!half) {
        last_failure_ = half.error();
        return;
      }
      try_pair(*half, secondary);
    }
  }

  void try_pair(const Halfway& half, NodeId secondary) {
    Overlay overlay = half.overlay;
    Record moved = half.record;
    if (auto no = replace_secondary(overlay, moved, secondary, plan_.force)) {
      last_failure_ = failed_step(kFinalSecondary, *no);
      return;
    }
    const double score = table_.total_with(overlay.changes()) +
                         price_of_change(scope_, record_, record_.placement, moved.placement);
    if (best_ && best_score_ < score) return;
    best_score_ = score;
    best_ = Moved{moved, overlay.changed(), half.job};
    best_->job.push_back({Kind::ReplaceSecondary, secondary});
  }

  const ScopedCluster& scope_;
  const Record& record_;
  const Plan& plan_;
  std::vector<NodeId> scored_;
  ScoreSheet table_;
  std::optional<Moved> best_;
  double best_score_ = 0;
  std::string last_failure_;
};

Outcome<Evacuator::Moved> Evacuator::move_both(const Record& record, const Plan& plan) {
  return PairSearch(scope_, record, plan).run();
}

/// Only the half on the leaving node moves; the other one stays where it is.
Outcome<Evacuator::Moved> Evacuator::move_in_place(const Record& record, const Plan& plan) {
  Overlay overlay(scope_);
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
    if (plan.mode != EvacuateMode::Secondary) return move_half(record, plan, {}, Overlay(scope_));
    return tl::unexpected("Instances with disk template '" + name +
                          "' can't execute change secondary");
  }
  switch (plan.mode) {
    case EvacuateMode::Primary:
      return fail_over_only(record, plan);
    case EvacuateMode::Secondary:
      return move_half(record, plan, {}, Overlay(scope_));
    case EvacuateMode::All:
      break;
  }
  return plan.leaving.is_none() ? move_both(record, plan) : move_in_place(record, plan);
}

void Evacuator::evacuate(InstanceId instance, const Plan& plan) {
  auto moved = move(initial_.at(instance.value()), plan);
  if (seen_) seen_(scope_, initial_.at(instance.value()), plan, moved.has_value());
  if (!moved) return refuse(instance, moved.error());
  take(instance, std::move(*moved), 0);
}

void Evacuator::take(InstanceId instance, Moved&& moved, std::int32_t set_left) {
  const Placement& placement = moved.record.placement;
  const bool has_two = moved.record.instance->disk_template == DiskTemplate::Drbd;
  std::vector<NodeId> nodes{placement.primary};
  if (has_two) nodes.push_back(placement.secondary);
  for (auto& [node, state] : moved.states) {
    store_.push_back(std::move(state));
    scope_.states[node.index()] = &store_.back();
  }
  const GroupId group = (*scope_.cluster)[placement.primary].group;
  result_.moved.push_back({instance, group, std::move(nodes), std::move(moved.job), set_left});
  moved.record.is_joined = false;
  scope_.instances.set(instance.value(), moved.record);
}

void Evacuator::refuse(InstanceId instance, std::string text) {
  result_.failed.push_back({(*scope_.cluster)[instance].name, std::move(text), std::nullopt});
}

}  // namespace ballast::ganeti::alloc
