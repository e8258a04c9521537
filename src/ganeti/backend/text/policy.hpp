// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>

#include "ballast/core/result.hpp"
#include "ballast/ganeti/model/cluster.hpp"

namespace ballast::ganeti {

/// One line of the policy section: sets the cluster's policy (empty owner) or a group's.
Status read_policy_line(std::string_view line, Cluster& cluster);

/// The line without its end.
std::string policy_line(std::string_view owner, const InstancePolicy& policy);

}  // namespace ballast::ganeti
