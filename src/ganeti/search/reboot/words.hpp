// SPDX-License-Identifier: BSD-2-Clause
// What the reboot plan says to people.
#pragma once

#include "ballast/ganeti/search/reboot/reboot.hpp"
#include "ballast/plan/plan.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ballast::ganeti {

/// "hv01, hv02 and hv03".
std::string node_names(const Cluster& cluster, const std::vector<NodeId>& nodes);

/// Why an instance leaves; groups count from 1.
std::string leave_reason(const Cluster& cluster, NodeId node, const RebootGroup& group, int number,
                         std::size_t count);
/// Why a node reboots now, and with whom.
std::string reboot_reason(const Cluster& cluster, NodeId node, const RebootGroup& group, int number,
                          std::size_t count, const RebootOptions& options);
plan::Wait wait_for(int step, std::string why);
/// An instance (or its mirror) is down or alone while its node reboots, and what stood in the way
/// of its leaving.
plan::Warning stays_warning(const Cluster& cluster, InstanceId instance, NodeId node,
                            std::string code, std::string_view what);
plan::Blocked stays_on(const Cluster& cluster, InstanceId instance, NodeId node, plan::Blocked why);
plan::CodedText master_risk(const Cluster& cluster, NodeId master);

/// One warning for what is stopped because the options ask for it.
void add_stop_warnings(plan::Plan& plan, const std::vector<int>& steps,
                       const RebootOptions& options);
/// Assumptions, how the groups were found, and the nodes that are left out.
void add_reboot_words(plan::Plan& plan, const Cluster& cluster, const State& state,
                      const Part& part, const RebootPlan& found, const RebootOptions& options,
                      bool first_only);
/// `plan` with its totals.
std::string reboot_headline(const plan::Plan& plan, std::size_t groups, std::size_t stopped);

}  // namespace ballast::ganeti
