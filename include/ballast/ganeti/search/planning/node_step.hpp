// SPDX-License-Identifier: BSD-2-Clause
// Steps of a plan that do something to a node, or stop and start an instance where it is. Number,
// phase, reason and waits beyond those said here are the planner's.
#pragma once

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/plan/plan.hpp"

#include <vector>

namespace ballast::ganeti {

/// Switches an empty node off for the time being: tagged as standby, marked as offline.
plan::Step power_off_step(const Cluster& cluster, int n, NodeId node);
plan::Step power_on_step(const Cluster& cluster, int n, NodeId node);
/// Takes back the other: both are each other's way back.
plan::Step power_step_back(const plan::Step& step);

/// Reboots a node that holds what `state` says. What is mirrored there has no mirror meanwhile.
plan::Step reboot_step(const Cluster& cluster, const State& state, int n, NodeId node);
/// Totals::restarted, where the plan reboots nodes.
void count_reboots(plan::Plan& plan);
/// A node that was told to reboot by reboot_step has done so.
plan::Gate node_is_up(const Cluster& cluster, NodeId node);
/// Of these instances no disk is without its mirror. Precondition: there are some.
plan::Gate mirrors_in_sync(const Cluster& cluster, const std::vector<InstanceId>& instances);

plan::Step stop_step(const Cluster& cluster, const State& state, int n, InstanceId instance);
plan::Step start_step(const Cluster& cluster, int n, InstanceId instance);

}  // namespace ballast::ganeti
