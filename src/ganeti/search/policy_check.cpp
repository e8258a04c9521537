// SPDX-License-Identifier: BSD-2-Clause
#include "policy_check.hpp"

#include <algorithm>

namespace ballast::ganeti::alloc {
namespace {

/// One bound of a range, and on which side of it values are wrong.
struct Bound {
  const InstanceSpec& spec;
  bool is_min;

  [[nodiscard]] bool is_broken_by(std::int64_t value, std::int64_t bound) const {
    return is_min ? value < bound : value > bound;
  }
};

MaybeRefusal refuse(FailReason reason, Rule rule, NodeId node, std::int64_t wanted, std::int64_t bound, std::int32_t disk = -1) {
  return Refusal{reason, rule, node, disk, {}, static_cast<double>(wanted), static_cast<double>(bound)};
}

MaybeRefusal check_spindles(const Bound& bound, const Node& node, NodeId id, const Instance& instance) {
  const std::int64_t limit = bound.spec.spindle_use;
  if (!node.has_exclusive_storage) {
    if (!bound.is_broken_by(instance.spindle_use, limit)) return std::nullopt;
    return refuse(FailReason::Spindles, Rule::PolicySpindleUse, id, instance.spindle_use, limit);
  }
  const auto spindles = instance.disk_spindles();
  if (spindles && !bound.is_broken_by(*spindles, limit)) return std::nullopt;
  return refuse(FailReason::Spindles, Rule::PolicySpindleUse, id, spindles.value_or(-1), limit);
}

MaybeRefusal check_bound(const Bound& bound, const Node& node, NodeId id, const Instance& instance) {
  const InstanceSpec& spec = bound.spec;
  if (bound.is_broken_by(instance.memory_mib, spec.memory_mib)) {
    return refuse(FailReason::Mem, Rule::PolicyMemory, id, instance.memory_mib, spec.memory_mib);
  }
  for (std::size_t i = 0; i < instance.disks.size(); ++i) {
    if (!bound.is_broken_by(instance.disks[i].size_mib, spec.disk_mib)) continue;
    return refuse(FailReason::Disk, Rule::PolicyDiskSize, id, instance.disks[i].size_mib, spec.disk_mib,
                  static_cast<std::int32_t>(i));
  }
  if (bound.is_broken_by(instance.vcpus, spec.cpu_count)) {
    return refuse(FailReason::Cpu, Rule::PolicyCpu, id, instance.vcpus, spec.cpu_count);
  }
  if (auto no = check_spindles(bound, node, id, instance)) return no;
  const auto disks = static_cast<std::int64_t>(instance.disks.size());
  if (instance.disk_template != DiskTemplate::Diskless && bound.is_broken_by(disks, spec.disk_count)) {
    return refuse(FailReason::DiskCount, Rule::PolicyDiskCount, id, disks, spec.disk_count);
  }
  return std::nullopt;
}

MaybeRefusal check_range(const SpecRange& range, const Node& node, NodeId id, const Instance& instance) {
  if (auto no = check_bound({range.min, true}, node, id, instance)) return no;
  return check_bound({range.max, false}, node, id, instance);
}

/// The reported failure is that of the first range, although the last is tried first.
MaybeRefusal check_sizes(const InstancePolicy& policy, const Node& node, NodeId id, const Instance& instance) {
  MaybeRefusal of_first;
  for (auto range = policy.ranges.rbegin(); range != policy.ranges.rend(); ++range) {
    of_first = check_range(*range, node, id, instance);
    if (!of_first) return std::nullopt;
  }
  return of_first;
}

}  // namespace

MaybeRefusal check_policy(const Cluster& cluster, NodeId id, const Instance& instance) {
  const Node& node = cluster[id];
  const InstancePolicy& policy = cluster[node.group].policy;
  if (auto no = check_sizes(policy, node, id, instance)) return no;
  const auto& allowed = policy.disk_templates;
  if (std::find(allowed.begin(), allowed.end(), instance.disk_template) != allowed.end()) return std::nullopt;
  return refuse(FailReason::Disk, Rule::PolicyTemplate, id, 0, 0);
}

}  // namespace ballast::ganeti::alloc
