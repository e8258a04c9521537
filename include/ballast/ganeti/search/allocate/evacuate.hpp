// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>

#include "ballast/ganeti/search/allocate/engine.hpp"

namespace ballast::ganeti::alloc {

/// What evacuations do to the scope, one instance after the other.
class Evacuator {
 public:
  Evacuator(ScopedCluster& scope, StateStore& store)
      : scope_(scope), initial_(scope.instances), store_(store) {}

  struct Plan {
    EvacuateMode mode = EvacuateMode::All;
    GroupId group;                ///< whose score decides
    std::vector<NodeId> targets;  ///< in order
    bool force = false;
    NodeId leaving;           ///< in place: the node that is emptied; none: both halves move
    bool one_by_one = false;  ///< every candidate gets its exact score: what the fast form is
                              ///< tested against
    NodeId primary;           ///< the only new primary that counts; none: any
  };

  struct Leaving {
    InstanceId instance;
    Plan plan;
  };
  /// One after the other; what a rule keeps together, and is here as a whole, as a set.
  void evacuate_all(const std::vector<Leaving>& all);
  /// The instances that have to move along with this one if its plan gives it another primary, with
  /// their plans; the instance alone where there are none, or not all of them are here.
  [[nodiscard]] std::vector<Leaving> set_of(const Leaving& one,
                                            const std::vector<Leaving>& all) const;
  /// All of a set to the one new primary after which the score is least, of equals the first.
  /// False: there is none for all of them.
  bool move_together(const std::vector<Leaving>& set);
  /// Notes why they stay.
  void refuse_together(const std::vector<Leaving>& set);

  /// Moves the instance and notes the result, or notes why not; the instance is as the snapshot has
  /// it.
  void evacuate(InstanceId instance, const Plan& plan);
  void refuse(InstanceId instance, std::string text);

  /// Called for each instance before it moves, or stays: the scope as it is then.
  using Seen = std::function<void(const ScopedCluster&, const Record&, const Plan&, bool moves)>;
  void watch(Seen seen) { seen_ = std::move(seen); }

  [[nodiscard]] EvacuateResult& result() { return result_; }

 private:
  struct Moved {
    Record record;
    std::vector<std::pair<NodeId, NodeState>> states;
    std::vector<AllocatorOperation> job;
  };

  class PairSearch;
  class Trial;

  Outcome<Moved> move(const Record& record, const Plan& plan);
  Outcome<Moved> move_to(const Record& record, Plan plan);
  void take(InstanceId instance, Moved&& moved, std::int32_t set_left);
  [[nodiscard]] Record joined(InstanceId instance) const;
  Outcome<Moved> move_half(const Record& record, const Plan& plan,
                           std::vector<AllocatorOperation> job, const Overlay& start);
  Outcome<Moved> move_both(const Record& record, const Plan& plan);
  Outcome<Moved> move_in_place(const Record& record, const Plan& plan);
  Outcome<Moved> fail_over_only(const Record& record, const Plan& plan);

  ScopedCluster& scope_;
  InstanceMap initial_;  ///< instances are taken as they were, even when listed twice
  StateStore& store_;
  Seen seen_;
  EvacuateResult result_;
};

}  // namespace ballast::ganeti::alloc
