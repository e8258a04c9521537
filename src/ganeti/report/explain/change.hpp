// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>

#include "ballast/ganeti/report/explain/explain.hpp"
#include "ballast/ganeti/report/explain/making_way.hpp"

namespace ballast::ganeti {

/// A change is offered only where the wanted move passes all rules after it.
std::optional<SingleChange> smallest_change(const Cluster& cluster, const State& state,
                                            const Part& part, const BalanceOptions& options,
                                            const Wish& wish);

}  // namespace ballast::ganeti
