// SPDX-License-Identifier: BSD-2-Clause
// What happens to one instance after another when a node fails, on one copy of the state: the rules
// that the global N+1 check and what-if questions share (model section 16 of the reference's
// behaviour).
#pragma once

#include <span>
#include <vector>

#include "ballast/ganeti/moves/trial_state.hpp"
#include "ballast/ganeti/score/sheet.hpp"

namespace ballast::ganeti {

/// The node that an instance now runs on, or why there is none: one refusal per node that was
/// tried.
using NewHome = tl::expected<NodeId, std::vector<Refusal>>;

class FailureSteps {
 public:
  /// `keeps_pins`: nothing starts where a rule of administrators does not let it run. Ganeti itself
  /// knows no such rule, so its own N+1 check does not ask.
  FailureSteps(const Cluster& cluster, const State& state, bool keeps_pins = false)
      : cluster_(cluster), trial_(state), keeps_pins_(keeps_pins) {}

  [[nodiscard]] const State& state() const { return trial_.state(); }

  /// To its secondary. Precondition: it has one.
  NewHome fail_over(InstanceId id);
  /// Shared storage: to the target that gives the best score; of equals the last.
  NewHome restart(InstanceId id, std::span<const NodeId> targets, ScoreSheet& sheet);
  /// Made anew, as its disks are lost: on the target that gives the best score; of equals the last.
  /// It also stays in the list of the node that it was on.
  NewHome recreate(InstanceId id, std::span<const NodeId> targets, ScoreSheet& sheet);
  /// Puts everything back.
  void undo() { trial_.back_to(0); }

  [[nodiscard]] InstanceRef ref_of(InstanceId id) const {
    return {id, &cluster_[id], state()[id], false};
  }

 private:
  [[nodiscard]] MaybeRefusal check_pins_of(InstanceId id, NodeId primary) const;

  const Cluster& cluster_;
  TrialState trial_;
  bool keeps_pins_;
};

}  // namespace ballast::ganeti
