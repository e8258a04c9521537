// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/search/reboot/reboot.hpp"
#include "ballast/plan/plan.hpp"

namespace ballast::ganeti {

/// Reboot groups as the value that all renderers print, without what the tool knows (tool, version,
/// options, fingerprint). Per group: what can leave its nodes leaves, what cannot is stopped; the
/// nodes reboot; everything goes back to where it was. Each move is legal by the model's hard
/// rules: where the reference's books would allow one that is not, the instance is stopped, with a
/// warning. `part`: the nodes in question; its group may be none. `first_only`: the first group
/// alone. Precondition: `found` has no failure.
plan::Plan reboot_plan(const Cluster& cluster, const State& state, const Part& part,
                       const RebootPlan& found, const RebootOptions& options, bool first_only);

}  // namespace ballast::ganeti
