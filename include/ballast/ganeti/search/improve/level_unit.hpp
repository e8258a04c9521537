// SPDX-License-Identifier: BSD-2-Clause
// Levels one storage unit only: its free fractions become even, whatever the score does.
#pragma once

#include "ballast/ganeti/search/balance/balance.hpp"

namespace ballast::ganeti {

struct LevelResult {
  BalanceResult plan;           ///< scores are the whole score's, which may rise
  double deviation_before = 0;  ///< of the unit's free fractions over the online nodes that hold it
  double deviation_after = 0;
};

/// Step by step the copy of one instance on the unit that moves where it lowers the deviation most;
/// of moves that do so alike the one with the lowest score. Ends where no step gains 0.001 of the
/// deviation, or at the length limit. Only moves that the rules allow. Where an instance moved more
/// than once and there is a shorter way to the same end, the plan is that way, best score first.
LevelResult level_unit(const Cluster& cluster, const State& state, const Part& part,
                       const BalanceOptions& options, StorageKeyId unit);

}  // namespace ballast::ganeti
