// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ballast/ganeti/model/enums.hpp"

namespace ballast::ganeti {

/// One instance specification: sizes in MiB, the rest counts.
struct InstanceSpec {
  std::int64_t memory_mib = 0;
  std::int64_t cpu_count = 0;
  std::int64_t disk_mib = 0;
  std::int64_t disk_count = 0;
  std::int64_t nic_count = 0;
  std::int64_t spindle_use = 0;
  friend bool operator==(const InstanceSpec&, const InstanceSpec&) = default;
};

struct SpecRange {
  InstanceSpec min;
  InstanceSpec max;
  friend bool operator==(const SpecRange&, const SpecRange&) = default;
};

struct InstancePolicy {
  std::vector<SpecRange> ranges;  ///< empty: no restriction
  InstanceSpec standard;
  std::vector<DiskTemplate> disk_templates;
  double vcpu_ratio = 0;
  double spindle_ratio = 0;
  friend bool operator==(const InstancePolicy&, const InstancePolicy&) = default;
};

/// The reference's built-in policy. Groups without a line of their own use it, not the cluster's (a
/// quirk that is kept).
InstancePolicy default_policy();

/// As verbose output shows it: "IPolicy {iPolicyMinMaxISpecs = [...], ...}".
std::string shown_of(const InstancePolicy& policy);

}  // namespace ballast::ganeti
