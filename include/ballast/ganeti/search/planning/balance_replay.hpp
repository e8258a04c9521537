// SPDX-License-Identifier: BSD-2-Clause
// Replay of a balancing plan on a fresh state: each step must be a legal move, leave the placement
// that it promised and give the score that it printed, to the last bit.
#pragma once

#include "ballast/core/result.hpp"
#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/search/balance/balance.hpp"

#include <span>
#include <string>
#include <vector>

namespace ballast::ganeti {

/// States before the first step and after each (index 0 to steps.size()) are shown to `seen`, in
/// order; it may be empty.
using StateSeen = std::function<void(const State& state, std::size_t steps_done)>;

/// An error (Fault::Internal) names the first step that breaks a rule.
Status replay(const Cluster& cluster, const State& state, const Part& part,
              const std::vector<BalanceStep>& steps, bool ignore_soft_errors,
              const StateSeen& seen = {});

}  // namespace ballast::ganeti
