// SPDX-License-Identifier: BSD-2-Clause
#include "lifted_world.hpp"

#include <algorithm>
#include <cmath>

#include "ballast/ganeti/report/explain/lift.hpp"

namespace ballast::ganeti::alloc {
namespace {

/// A copy whose nodes, cluster and instance can be given what they lack.
class LiftedWorld {
 public:
  LiftedWorld(const World& world, const Record& record)
      : cluster_(*world.cluster), instance_(*record.instance), world_(world), record_(record) {
    for (const NodeState* state : world.states)
      states_.push_back(state == nullptr ? NodeState() : *state);
    world_.cluster = &cluster_;
    for (const NodeId node : world.nodes) world_.states[node.index()] = &states_[node.index()];
    record_.instance = &instance_;
  }
  LiftedWorld(const LiftedWorld&) = delete;
  LiftedWorld& operator=(const LiftedWorld&) = delete;

  [[nodiscard]] const World& world() const { return world_; }
  [[nodiscard]] const Record& record() const { return record_; }
  bool lift_one(const Refusal& why) {
    return !why.node.is_none() && lift(why, cluster_, states_[why.node.index()], instance_);
  }

 private:
  Cluster cluster_;
  std::vector<NodeState> states_;
  Instance instance_;
  World world_;
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

std::optional<SmallestChange> smallest_change(const World& world, const Record& record,
                                              const std::vector<CandidateVerdict>& candidates,
                                              const Attempt& attempt) {
  constexpr std::size_t kMostCandidates = 400;
  std::optional<SmallestChange> best;
  for (std::size_t i = 0; i < std::min(candidates.size(), kMostCandidates); ++i) {
    LiftedWorld lifted(world, record);
    Lifted all = lift_all([&] { return attempt(lifted.world(), lifted.record(), candidates[i]); },
                          [&](const Refusal& why) { return lifted.lift_one(why); });
    if (!all.is_all || all.refusals.empty()) continue;
    SmallestChange change{candidates[i], std::move(all.refusals)};
    if (!best || is_smaller(change, *best)) best = std::move(change);
  }
  return best;
}

}  // namespace ballast::ganeti::alloc
