// SPDX-License-Identifier: BSD-2-Clause
// What plan_spread is made of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ballast/fdb/search/spread/spread.hpp"

namespace ballast::fdb {

/// The logical domain that the pod's label or else the status names; nothing: unbound.
std::optional<int> bound_domain(const ProcessGroup& group);
/// Node of a pod that was given; empty where there is none.
const std::string& host_of(const ProcessGroup& group);

/// Counts rounds before (hosts, or observed fault domains where no pods were given) and after.
/// `groups`: the unmarked ones of the class.
void add_rounds(SpreadClass& row, const std::vector<const ProcessGroup*>& groups,
                const Automation& automation, bool pods_given);
/// Finds hosts of two domains and says whose pods should move.
void add_shared_hosts(Spread& spread, const Cluster& cluster);
void add_warnings(Spread& spread, const Cluster& cluster, const ClusterSpec& desired);

}  // namespace ballast::fdb
