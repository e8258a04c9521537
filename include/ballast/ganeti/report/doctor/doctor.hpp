// SPDX-License-Identifier: BSD-2-Clause
// What a cluster suffers from, beyond the reference's counts: each finding names the node, the
// instances and the figures, and what to do.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "ballast/core/finding.hpp"
#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/search/balance/balance.hpp"
#include "ballast/ganeti/search/redundancy/group_health.hpp"

namespace ballast::ganeti {

/// What every check may look at.
struct Patient {
  const Cluster& cluster;
  const State& state;
  std::span<const Part> parts;
  const BalanceOptions& options;
  const Rebalancing& rebalancing;  ///< what balancing would do with each part
};

struct DoctorCheck {
  std::string_view name;
  void (*look)(const Patient& patient, std::vector<Finding>& findings);
};

/// One check a file, in the order of the report.
std::span<const DoctorCheck> doctor_checks();

/// The findings of all checks, in their order.
std::vector<Finding> examine(const Patient& patient);

}  // namespace ballast::ganeti
