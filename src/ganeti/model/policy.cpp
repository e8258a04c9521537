// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/model/policy.hpp"

#include <fmt/format.h>

#include "ballast/core/decimal.hpp"

namespace ballast::ganeti {
namespace {

std::string shown_of(const InstanceSpec& spec) {
  return fmt::format(
      "ISpec {{iSpecMemorySize = {}, iSpecCpuCount = {}, iSpecDiskSize = {}, iSpecDiskCount = {}, "
      "iSpecNicCount = {}, iSpecSpindleUse = {}}}",
      spec.memory_mib, spec.cpu_count, spec.disk_mib, spec.disk_count, spec.nic_count,
      spec.spindle_use);
}

std::string shown_of(const SpecRange& range) {
  return fmt::format("MinMaxISpecs {{minMaxISpecsMinSpec = {}, minMaxISpecsMaxSpec = {}}}",
                     shown_of(range.min), shown_of(range.max));
}

}  // namespace

InstancePolicy default_policy() {
  constexpr InstanceSpec kMin{128, 1, 1024, 1, 1, 1};
  constexpr InstanceSpec kMax{32768, 8, 1048576, 16, 8, 12};
  InstancePolicy policy;
  policy.ranges = {{kMin, kMax}};
  policy.standard = kMin;
  policy.disk_templates.assign(kDiskTemplates.begin(), kDiskTemplates.end());
  policy.vcpu_ratio = 4.0;
  policy.spindle_ratio = 32.0;
  return policy;
}

std::string shown_of(const InstancePolicy& policy) {
  std::string ranges;
  for (const SpecRange& range : policy.ranges) {
    if (!ranges.empty()) ranges += ',';
    ranges += shown_of(range);
  }
  std::string templates;
  for (const DiskTemplate disk_template : policy.disk_templates) {
    if (!templates.empty()) templates += ',';
    templates += shown_of(disk_template);
  }
  return fmt::format(
      "IPolicy {{iPolicyMinMaxISpecs = [{}], iPolicyStdSpec = {}, iPolicyDiskTemplates = [{}], "
      "iPolicyVcpuRatio = {}, iPolicySpindleRatio = {}}}",
      ranges, shown_of(policy.standard), templates, shown(policy.vcpu_ratio),
      shown(policy.spindle_ratio));
}

}  // namespace ballast::ganeti
