// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>

#include "ballast/ganeti/search/explain.hpp"

namespace ballast::ganeti {

/// A forbidden move that somebody would like to see.
struct Wish {
  InstanceId instance;
  Move move;
  Refusal refusal;
};

/// A change is offered only where the wanted move passes all rules after it.
std::optional<SingleChange> smallest_change(const Cluster& cluster, const State& state,
                                            const Part& part, const BalanceOptions& options,
                                            const Wish& wish);

}  // namespace ballast::ganeti
