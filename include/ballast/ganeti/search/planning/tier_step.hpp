// SPDX-License-Identifier: BSD-2-Clause
// An instance's change to another tier of storage as a step of a plan, and back from it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ballast/ganeti/moves/tier.hpp"
#include "ballast/plan/plan.hpp"

namespace ballast::ganeti {

/// The action of such steps. Their `changes` name the template ("disk_template") and, with storage
/// units, the unit of the disks ("storage": TYPE/KEY, or a list by disk where they are on several)
/// and that of DRBD metadata in a volume group of their own ("metadata_storage").
inline constexpr std::string_view kChangeTier = "change_tier";
/// Forwards or backwards.
bool is_tier_change(std::string_view action);

/// Complete, in order. `cluster` is that before the step.
std::vector<std::string> tier_commands(const Cluster& cluster, InstanceId instance,
                                       const Placement& before, const Placement& after,
                                       const Tier& tier);

/// As step `n`: placements, changes, checks, commands, cost, what is down meanwhile. Phase, reason
/// and waits are the planner's.
plan::Step tier_step(const Cluster& cluster, int n, InstanceId instance, const Placement& before,
                     const Placement& after, const Tier& tier);

/// The tier that a step leads to, and the one that it comes from; none: it says none that this
/// cluster has. `instance` tells the template where the step does not.
std::optional<Tier> tier_after(const Cluster& cluster, const plan::Step& step);
std::optional<Tier> tier_before(const Cluster& cluster, const plan::Step& step);

}  // namespace ballast::ganeti
