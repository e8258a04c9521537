// SPDX-License-Identifier: BSD-2-Clause
// Where instances go while their node reboots, alone or as a set that a rule keeps together.
#pragma once

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/search/reboot/reboot.hpp"

namespace ballast::ganeti {

/// Where the search wants the instance while the group reboots; none where it does not move it.
std::optional<Placement> told_place(InstanceId instance, const RebootGroup& group);

/// New primary nodes for the set of this instance: where the search wants it first, then its
/// mirror, then any other node of its group of nodes that does not reboot.
std::vector<NodeId> set_targets(const Cluster& cluster, const State& state, InstanceId instance,
                                const RebootGroup& group);

/// Each as the options want it moved at all: to the place that was told, onto its mirror, or, where
/// it was told another place, just there. None: one of them does not go there.
std::optional<std::vector<std::pair<InstanceId, Placement>>> places_on(
    const Cluster& cluster, const State& state, NodeId target, const std::vector<InstanceId>& set,
    const RebootGroup& group, const RebootOptions& options);

/// The nodes with the other halves of what is mirrored on this one.
std::set<NodeId> mirror_partners(const Cluster& cluster, const State& state, NodeId node);

}  // namespace ballast::ganeti
