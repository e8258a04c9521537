// SPDX-License-Identifier: BSD-2-Clause
// A forbidden move that somebody would like to see, and the other instance that would have to move
// first.
#pragma once

#include <cstdint>
#include <optional>

#include "ballast/ganeti/moves/move.hpp"
#include "ballast/ganeti/search/balance/balance.hpp"

namespace ballast::ganeti {

struct Wish {
  InstanceId instance;
  Move move;
  Refusal refusal;  ///< why it is forbidden now
};

struct WayMade {
  InstanceId other;
  Move move;
  Placement after;  ///< of the other instance
  std::int64_t copied_mib = 0;
  State state;  ///< after the other's move; the wished one passes all rules in it
};

/// Of the moves of what lives on the node where the rule looked, the one that copies least and
/// after which the wished move passes; none where no single move does that.
std::optional<WayMade> make_way(const Cluster& cluster, const State& state, const Part& part,
                                const BalanceOptions& options, const Wish& wish);

}  // namespace ballast::ganeti
