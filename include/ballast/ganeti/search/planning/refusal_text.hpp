// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/model/refusal.hpp"

namespace ballast::ganeti {

/// The rule in words, with its figures and where it looked, for one instance in the state before
/// the move: which disk and unit, whose policy, which tag and whose, N+1 because of which instance.
/// One line without a period.
std::string refusal_text(const Cluster& cluster, const State& state, const Instance& instance,
                         const Refusal& refusal);

}  // namespace ballast::ganeti
