// SPDX-License-Identifier: BSD-2-Clause
#include "lifted_scope.hpp"

#include <algorithm>
#include <cmath>

#include "ballast/ganeti/report/explain/lift.hpp"

namespace ballast::ganeti::alloc {
namespace {

/// A copy whose nodes, cluster and instance can be given what they lack.
class LiftedScope {
 public:
  LiftedScope(const ScopedCluster& scope, const Record& record)
      : cluster_(*scope.cluster), instance_(*record.instance), scope_(scope), record_(record) {
    for (const NodeState* state : scope.states)
      states_.push_back(state == nullptr ? NodeState() : *state);
    scope_.cluster = &cluster_;
    for (const NodeId node : scope.nodes) scope_.states[node.index()] = &states_[node.index()];
    record_.instance = &instance_;
  }
  LiftedScope(const LiftedScope&) = delete;
  LiftedScope& operator=(const LiftedScope&) = delete;

  [[nodiscard]] const ScopedCluster& scope() const { return scope_; }
  [[nodiscard]] const Record& record() const { return record_; }
  bool lift_one(const Refusal& why) {
    return !why.node.is_none() && lift(why, cluster_, states_[why.node.index()], instance_);
  }

 private:
  Cluster cluster_;
  std::vector<NodeState> states_;
  Instance instance_;
  ScopedCluster scope_;
  Record record_;
};

bool is_smaller(const SmallestChange& a, const SmallestChange& b) {
  if (a.lifted.size() != b.lifted.size()) return a.lifted.size() < b.lifted.size();
  const auto shortage = [](const SmallestChange& one) {
    return std::abs(one.lifted.front().wanted - one.lifted.front().available);
  };
  return shortage(a) < shortage(b);
}

}  // namespace

std::optional<SmallestChange> smallest_change(const ScopedCluster& scope, const Record& record,
                                              const std::vector<CandidateVerdict>& candidates,
                                              const Attempt& attempt) {
  constexpr std::size_t kMostCandidates = 400;
  std::optional<SmallestChange> best;
  for (std::size_t i = 0; i < std::min(candidates.size(), kMostCandidates); ++i) {
    LiftedScope lifted(scope, record);
    Lifted all = lift_all([&] { return attempt(lifted.scope(), lifted.record(), candidates[i]); },
                          [&](const Refusal& why) { return lifted.lift_one(why); });
    if (!all.is_all || all.refusals.empty()) continue;
    SmallestChange change{candidates[i], std::move(all.refusals)};
    if (!best || is_smaller(change, *best)) best = std::move(change);
  }
  return best;
}

}  // namespace ballast::ganeti::alloc
