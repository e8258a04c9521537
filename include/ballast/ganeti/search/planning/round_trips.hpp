// SPDX-License-Identifier: BSD-2-Clause
// Instances that leave a node for a while and come back.
#pragma once

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/moves/move.hpp"

#include <tl/expected.hpp>

#include <utility>
#include <vector>

namespace ballast::ganeti {

struct MadeMove {
  InstanceId instance;
  Move move;
  Placement before;
  Placement after;
};

/// An instance that cannot go there, or not come back, and why.
struct NotMoved {
  InstanceId instance;
  Refusal refusal;
};

/// The true state of the cluster while nodes are emptied and filled again. (RebootScene keeps the
/// reference's books, with its quirks; here each move must be legal by the model's hard rules.)
class RoundTrips {
 public:
  RoundTrips(const Cluster& cluster, const State& state) : cluster_(cluster), state_(state) {}

  [[nodiscard]] const State& state() const { return state_; }

  /// Moves the instance to `to`, unless the move or the way back from it is refused.
  tl::expected<MadeMove, Refusal> leave(InstanceId instance, const Placement& to);
  /// The same for instances that a rule keeps together: all of them in this order, or none.
  tl::expected<std::vector<MadeMove>, NotMoved> leave_together(
      const std::vector<std::pair<InstanceId, Placement>>& set);
  /// Takes back all moves since the last call, the last first; the moves that do it, or the first
  /// instance that has no way back any more (the trips are then of no further use).
  tl::expected<std::vector<MadeMove>, NotMoved> return_all();

 private:
  /// What the one move to `to`, which it tells, would give; its `joined` is taken as it is.
  tl::expected<MoveEffect, Refusal> evaluate_to(InstanceId instance, const Placement& to,
                                                Move& move) const;
  /// `joined`: see Move.
  tl::expected<MadeMove, Refusal> make(InstanceId instance, const Placement& to,
                                       std::int32_t joined);

  const Cluster& cluster_;
  State state_;
  struct Away {
    MadeMove move;
    std::int32_t joined_back = 0;  ///< Move::joined on the way back
  };
  std::vector<Away> away_;
};

}  // namespace ballast::ganeti
