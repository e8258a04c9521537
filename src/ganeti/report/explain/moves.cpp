// SPDX-License-Identifier: BSD-2-Clause
#include "moves.hpp"

#include <algorithm>
#include <iterator>

#include "ballast/ganeti/search/allocate/allocator_watch.hpp"
#include "lifted_scope.hpp"

namespace ballast::ganeti {
namespace alloc {
namespace {

class MoveExplainer {
 public:
  MoveExplainer(const ScopedCluster& scope, const Record& record, const Evacuator::Plan& plan)
      : scope_(scope), record_(record), plan_(plan), nodes_(nodes_of_group()) {}

  AllocationExplanation run() {
    const Mirroring mirroring = mirroring_of(record_.instance->disk_template);
    if (mirroring == Mirroring::None) return {};
    const bool is_mirrored = mirroring == Mirroring::Internal;
    const Placement& at = record_.placement;
    if (!is_mirrored && plan_.mode != EvacuateMode::Secondary) {
      for (const NodeId target : primaries()) consider(target, NodeId());
    } else if (is_mirrored && plan_.mode == EvacuateMode::Primary) {
      consider(at.secondary, at.primary);
    } else if (is_mirrored && plan_.mode == EvacuateMode::All && plan_.leaving.is_none()) {
      for (const NodeId primary : primaries()) pairs(primary);
    } else if (is_mirrored) {
      const bool swaps = plan_.mode == EvacuateMode::All && plan_.leaving == at.primary;
      for (const NodeId target : plan_.targets) consider(swaps ? at.secondary : at.primary, target);
    }
    find_change();
    return std::move(explanation_);
  }

 private:
  [[nodiscard]] std::vector<NodeId> primaries() const {
    return plan_.primary.is_none() ? plan_.targets : std::vector{plan_.primary};
  }

  [[nodiscard]] std::vector<NodeId> nodes_of_group() const {
    std::vector<NodeId> nodes;
    for (const NodeId node : scope_.nodes) {
      if ((*scope_.cluster)[node].group == plan_.group) nodes.push_back(node);
    }
    return nodes;
  }

  void note(NodeId primary, NodeId secondary, const MaybeRefusal& refusal, const Overlay& overlay) {
    CandidateVerdict verdict{primary, secondary, refusal, 0, 0, {}};
    if (!refusal) {
      if (!table_) table_.emplace(*scope_.cluster, scope_.states, nodes_);
      verdict.price = price_of_change(scope_, record_, record_.placement, {primary, secondary, 0});
      verdict.score = table_->total_with(overlay.changes()) + verdict.price;
    }
    explanation_.candidates.push_back(std::move(verdict));
  }

  void pairs(NodeId primary) {
    for (const NodeId secondary : plan_.targets) {
      if (secondary != primary) consider(primary, secondary);
    }
  }

  /// Its mirror is elsewhere than where the others of its set would go.
  [[nodiscard]] MaybeRefusal parted(const Record& record) const {
    if (plan_.primary.is_none() || plan_.primary == record.placement.secondary) return std::nullopt;
    Refusal why{FailReason::Tags, Rule::KeptTogether, plan_.primary, -1, {}, 1, 0};
    for (const RuleId rule : record.instance->rules) {
      const PlacementRule& one = scope_.cluster->rules[rule];
      if (one.kind == RuleKind::Together && !one.price) why.placement_rule = rule;
    }
    return why;
  }

  /// The steps that lead there, up to the first that is refused.
  MaybeRefusal go(Overlay& overlay, Record& moved, NodeId primary, NodeId secondary) const {
    if (mirroring_of(moved.instance->disk_template) == Mirroring::External)
      return fail_over_to(overlay, moved, primary, plan_.force);
    const bool to_mirror =
        plan_.mode == EvacuateMode::Primary || plan_.leaving == record_.placement.primary;
    if (to_mirror) {
      auto no = parted(moved);
      if (!no) no = fail_over(overlay, moved, plan_.force);
      if (no || plan_.mode == EvacuateMode::Primary) return no;
    } else if (plan_.mode == EvacuateMode::All && plan_.leaving.is_none()) {
      if (auto no = to_primary(overlay, moved, primary)) return no;
    }
    return replace_secondary(overlay, moved, secondary, plan_.force);
  }

  MaybeRefusal to_primary(Overlay& overlay, Record& moved, NodeId primary) const {
    if ((*overlay.scope().cluster)[record_.placement.primary].is_offline) {
      if (auto no = fail_over(overlay, moved, plan_.force)) return no;
    }
    if (auto no = replace_secondary(overlay, moved, primary, plan_.force)) return no;
    return fail_over(overlay, moved, plan_.force);
  }

  void consider(NodeId primary, NodeId secondary) {
    Overlay overlay(scope_);
    Record moved = record_;
    const auto no = go(overlay, moved, primary, secondary);
    note(primary, secondary, no, overlay);
  }

  void find_change() {
    const auto& all = explanation_.candidates;
    const bool fits = std::ranges::any_of(
        all, [](const CandidateVerdict& one) { return !one.refusal.has_value(); });
    if (fits || all.empty()) return;
    explanation_.change = smallest_change(
        scope_, record_, all,
        [&](const ScopedCluster& lifted, const Record& record, const CandidateVerdict& one) {
          Overlay overlay(lifted);
          Record moved = record;
          return go(overlay, moved, one.primary, one.secondary);
        });
  }

  const ScopedCluster& scope_;
  const Record& record_;
  const Evacuator::Plan& plan_;
  std::vector<NodeId> nodes_;
  std::optional<ScoreSheet> table_;
  AllocationExplanation explanation_;
};

}  // namespace

AllocationExplanation explain_move(const ScopedCluster& scope, const Record& record,
                                   const Evacuator::Plan& plan) {
  try {
    return MoveExplainer(scope, record, plan).run();
  } catch (const ReferenceDies&) {
    return {};
  }
}

}  // namespace alloc

std::vector<InstanceExplanation> explain_request(const Cluster& cluster, const State& state,
                                                 const Request& request,
                                                 const AllocatorOptions& options, bool all) {
  using Role = InstanceExplanation::Role;
  constexpr std::size_t kMostMoves = 5;
  std::vector<InstanceExplanation> result;
  const auto* allocate = std::get_if<AllocateRequest>(&request);
  const std::optional<std::vector<std::string>> restricted =
      allocate == nullptr ? std::nullopt : allocate->restrict_to_nodes;
  alloc::Watch watch;
  watch.allocation = [&](const alloc::ScopedCluster& scope, const NewInstance& wanted) {
    auto explanation = alloc::explain_new(scope, wanted, restricted, options);
    alloc::look_for_room(scope, {wanted, restricted}, options, all ? kMostMoves : 1, explanation);
    if (all) alloc::look_for_ways(scope, {wanted, restricted}, options, kMostMoves, explanation);
    result.push_back({wanted.instance, Role::New, std::move(explanation)});
  };
  watch.mirroring = [&](const alloc::ScopedCluster& scope, const alloc::Record& record,
                        const alloc::Candidates& candidates) {
    result.push_back({*record.instance, Role::Mirrored,
                      alloc::explain_mirror(scope, record, candidates, options)});
  };
  watch.evacuation = [&](const alloc::ScopedCluster& scope, const alloc::Record& record,
                         const alloc::Evacuator::Plan& plan, bool moves) {
    if (moves && !all) return;
    auto explanation = alloc::explain_move(scope, record, plan);
    // One of a set that goes nowhere is asked again for each new primary.
    const auto known = plan.primary.is_none()
                           ? result.end()
                           : std::ranges::find(result, record.instance->name,
                                               [](const auto& one) { return one.instance.name; });
    if (known == result.end()) {
      result.push_back({*record.instance, Role::Moved, std::move(explanation)});
      return;
    }
    if (!known->explanation.change) known->explanation.change = std::move(explanation.change);
    std::ranges::move(explanation.candidates, std::back_inserter(known->explanation.candidates));
  };
  (void)alloc::answer_watched(cluster, state, request, options, watch);
  return result;
}

}  // namespace ballast::ganeti
