// SPDX-License-Identifier: BSD-2-Clause
#include "ops_support.hpp"

namespace ballast::ganeti {
namespace {

/// One comparison for both ends of a range: `sign` -1 finds what is too small, +1 what is too big.
class SpecCheck {
 public:
  SpecCheck(const Instance& instance, NodeId node, bool exclusive_storage)
      : instance_(instance), node_(node), exclusive_storage_(exclusive_storage) {}

  [[nodiscard]] MaybeRefusal compare(const InstanceSpec& limit, int sign) const {
    if (is_beyond(instance_.memory_mib, limit.memory_mib, sign)) {
      return no(FailReason::Mem, Rule::PolicyMemory, instance_.memory_mib, limit.memory_mib);
    }
    for (std::size_t i = 0; i < instance_.disks.size(); ++i) {
      const std::int64_t size = instance_.disks[i].size_mib;
      if (!is_beyond(size, limit.disk_mib, sign)) continue;
      Refusal why = no(FailReason::Disk, Rule::PolicyDiskSize, size, limit.disk_mib);
      why.disk = static_cast<std::int32_t>(i);
      return why;
    }
    if (is_beyond(instance_.vcpus, limit.cpu_count, sign)) {
      return no(FailReason::Cpu, Rule::PolicyCpu, instance_.vcpus, limit.cpu_count);
    }
    if (auto refused = compare_spindles(limit, sign)) return refused;
    const auto disks = static_cast<std::int64_t>(instance_.disks.size());
    if (instance_.disk_template != DiskTemplate::Diskless &&
        is_beyond(disks, limit.disk_count, sign)) {
      return no(FailReason::DiskCount, Rule::PolicyDiskCount, disks, limit.disk_count);
    }
    return std::nullopt;
  }

 private:
  static bool is_beyond(std::int64_t value, std::int64_t limit, int sign) {
    return sign < 0 ? value < limit : value > limit;
  }

  [[nodiscard]] Refusal no(FailReason reason, Rule rule, std::int64_t value,
                           std::int64_t limit) const {
    return refusal(reason, rule, node_, value, limit);
  }

  [[nodiscard]] MaybeRefusal compare_spindles(const InstanceSpec& limit, int sign) const {
    const std::optional<std::int64_t> used =
        exclusive_storage_ ? instance_.disk_spindles() : std::optional(instance_.spindle_use);
    if (used && !is_beyond(*used, limit.spindle_use, sign)) return std::nullopt;
    return no(FailReason::Spindles, Rule::PolicySpindleUse, used.value_or(-1), limit.spindle_use);
  }

  const Instance& instance_;
  NodeId node_;
  bool exclusive_storage_;
};

}  // namespace

MaybeRefusal check_policy(const Cluster& cluster, NodeId id, const Instance& instance) {
  const Node& node = cluster[id];
  const InstancePolicy& policy = cluster[node.group].policy;
  const SpecCheck check(instance, id, node.has_exclusive_storage);
  MaybeRefusal first;
  for (const SpecRange& range : policy.ranges) {
    MaybeRefusal why = check.compare(range.min, -1);
    if (!why) why = check.compare(range.max, 1);
    if (&range == policy.ranges.data()) first = why;
    if (!why) {
      first = std::nullopt;
      break;
    }
  }
  if (first) return first;
  const auto& allowed = policy.disk_templates;
  if (std::find(allowed.begin(), allowed.end(), instance.disk_template) != allowed.end())
    return std::nullopt;
  return refusal(FailReason::Disk, Rule::PolicyTemplate, id, 0, 0);
}

}  // namespace ballast::ganeti
