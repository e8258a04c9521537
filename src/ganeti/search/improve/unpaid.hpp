// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <vector>

#include "ballast/ganeti/search/improve/improve.hpp"

namespace ballast::ganeti {

struct StepPrices {
  double per_step = 0;
  double per_mib = 0;
};

/// Leaves out, one after the other, the moves that gain less than their price; those of one
/// instance go together. Longer plans than 400 steps stay as they are, and
/// once `is_over` says so nothing more is left out.
std::vector<LeftOut> leave_out_unpaid(const Cluster& cluster, const State& start, const Part& part,
                                      const BalanceOptions& options, const StepPrices& prices,
                                      const std::function<bool()>& is_over, BalanceResult& plan);

}  // namespace ballast::ganeti
