// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "ballast/ganeti/search/mend/mend.hpp"

namespace ballast::ganeti {

/// Something that stays wrong, and why.
struct LeftOver {
  NodeId node;
  InstanceId instance;  ///< none: it is the node's matter
  std::string text;
  MaybeRefusal refusal;  ///< the rule that stands in the way of most moves
};

/// What of the goal is not reached in this state: for each node the instance that comes nearest to
/// leaving it (of an offline node: each), with the rule that keeps it there; then the rest,
/// instance by instance.
std::vector<LeftOver> left_over(const Cluster& cluster, const State& state, const Part& part,
                                const BalanceOptions& options, const Goal& goal);

}  // namespace ballast::ganeti
