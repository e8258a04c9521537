// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>

#include "ballast/ganeti/search/allocate/engine.hpp"

namespace ballast::ganeti::alloc {

/// What evacuations do to the world, one instance after the other.
class Evacuator {
 public:
  Evacuator(World& world, StateStore& store)
      : world_(world), initial_(world.instances), store_(store) {}

  struct Plan {
    EvacuateMode mode = EvacuateMode::All;
    GroupId group;                ///< whose score decides
    std::vector<NodeId> targets;  ///< in order
    bool force = false;
    NodeId leaving;           ///< in place: the node that is emptied; none: both halves move
    bool one_by_one = false;  ///< every candidate gets its exact score: what the fast form is
                              ///< tested against
  };

  /// Moves the instance and notes the result, or notes why not; the instance is as the snapshot has
  /// it.
  void evacuate(InstanceId instance, const Plan& plan);
  void refuse(InstanceId instance, std::string text);

  /// Called for each instance before it moves, or stays: the world as it is then.
  using Seen = std::function<void(const World&, const Record&, const Plan&, bool moves)>;
  void watch(Seen seen) { seen_ = std::move(seen); }

  [[nodiscard]] EvacuateResult& result() { return result_; }

 private:
  struct Moved {
    Record record;
    std::vector<std::pair<NodeId, NodeState>> states;
    std::vector<AllocatorOperation> job;
  };

  class PairSearch;

  Outcome<Moved> move(const Record& record, const Plan& plan);
  Outcome<Moved> move_half(const Record& record, const Plan& plan,
                           std::vector<AllocatorOperation> job, const Overlay& start);
  Outcome<Moved> move_both(const Record& record, const Plan& plan);
  Outcome<Moved> move_in_place(const Record& record, const Plan& plan);
  Outcome<Moved> fail_over_only(const Record& record, const Plan& plan);

  World& world_;
  InstanceMap initial_;  ///< instances are taken as they were, even when listed twice
  StateStore& store_;
  Seen seen_;
  EvacuateResult result_;
};

}  // namespace ballast::ganeti::alloc
