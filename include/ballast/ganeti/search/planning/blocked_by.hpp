// SPDX-License-Identifier: BSD-2-Clause
// The rule that keeps something from moving, with its figures, in what a plan could not reach.
#pragma once

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/model/refusal.hpp"
#include "ballast/plan/plan.hpp"

namespace ballast::ganeti {

/// Sets gate, required and observed ("memory_unallocated", "40960 MiB", "29696 MiB on n2"); the
/// last two only where the rule has figures.
void set_rule(plan::Blocked& blocked, const Cluster& cluster, const Refusal& refusal);

/// The same for an instance that no move can take along, as its disks have no second copy.
void set_without_copy(plan::Blocked& blocked, DiskTemplate disk_template);

/// How far a refused move is from being allowed: the share of what it needs that is missing.
double lack_of(const Refusal& refusal);

}  // namespace ballast::ganeti
