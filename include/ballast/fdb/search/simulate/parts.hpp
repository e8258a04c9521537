// SPDX-License-Identifier: BSD-2-Clause
// What simulations of one and of several objects share.
#pragma once

#include <optional>

#include "ballast/fdb/search/simulate/simulate.hpp"

namespace ballast::fdb {

/// The earliest moment at which a gate of the last pass opens by itself.
std::optional<Time> next_opening(const World& world);

/// Passes after which a simulation gives up.
int pass_cap(const Cluster& snapshot, const PlanOptions& options);
/// Ends the simulation for having made that many.
void give_up(World& world, int cap);

/// What is left over becomes dead ends, and the ending follows. The steps are the simulation's by
/// now.
void finish(Simulation& result);

/// What a plan leaves behind, as a snapshot of its own.
Cluster end_of(const Cluster& snapshot, const World& world);

}  // namespace ballast::fdb
