// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/model/fingerprint.hpp"

#include "ballast/core/decimal.hpp"
#include "ballast/core/sha256.hpp"
#include "ballast/core/strings.hpp"
#include "ballast/ganeti/model/ids_of.hpp"
#include "ballast/ganeti/model/unit_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <vector>

namespace ballast::ganeti {
namespace {

/// One object's facts; texts are quoted so that no two lists of facts give one line.
class Line {
 public:
  explicit Line(std::string_view kind) : text_(kind) {}
  Line& operator<<(std::string_view text) { return add(shown_string(text)); }
  Line& operator<<(double value) { return add(shown(value)); }
  Line& operator<<(bool value) { return add(value ? "y" : "n"); }
  template <std::integral T>
  Line& operator<<(T value) {
    return add(std::to_string(value));
  }
  Line& operator<<(std::vector<std::string> texts) { return add(shown_list(texts)); }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  Line& add(std::string_view fact) {
    text_ += ' ';
    text_ += fact;
    return *this;
  }
  std::string text_;
};

std::vector<std::string> sorted(std::vector<std::string> texts) {
  std::sort(texts.begin(), texts.end());
  return texts;
}

void add_policy(Line& line, const InstancePolicy& policy) {
  const auto add_spec = [&line](const InstanceSpec& spec) {
    line << spec.memory_mib << spec.cpu_count << spec.disk_mib << spec.disk_count << spec.nic_count
         << spec.spindle_use;
  };
  add_spec(policy.standard);
  line << policy.ranges.size();
  for (const SpecRange& range : policy.ranges) {
    add_spec(range.min);
    add_spec(range.max);
  }
  for (const DiskTemplate disk_template : policy.disk_templates) line << text_of(disk_template);
  line << policy.vcpu_ratio << policy.spindle_ratio;
}

void add_load(Line& line, const Load& load) {
  line << load.cpu << load.mem << load.disk << load.net;
}

std::string group_line(const Group& group) {
  Line line("group");
  line << group.name << group.uuid << text_of(group.alloc_policy) << sorted(group.tags)
       << sorted(group.networks);
  add_policy(line, group.policy);
  return line.take();
}

std::string node_line(const Cluster& cluster, const Node& node, const NodeState& state) {
  Line line("node");
  line << node.name << cluster[node.group].uuid << node.total_mem << node.node_mem << node.free_mem
       << node.total_disk << state.free_disk << node.total_cpu << node.cpu_speed << node.os_cpus
       << node.total_spindles << state.free_spindles << sorted(node.tags) << node.is_offline
       << node.is_master << node.has_exclusive_storage << node.storage_told << node.low_disk
       << node.disk_reserve << node.vcpu_ratio;
  for (const StorageUnit& unit : node.units) {
    line << cluster[unit.key].type << cluster[unit.key].key << unit.total_mib << unit.parameters;
    if (unit.capacity < 0) {
      line << unit.free_mib;
      continue;
    }
    const Capacity& capacity = state.capacities[static_cast<std::size_t>(unit.capacity)];
    line << capacity.free_mib;
    for (const UnitRule& rule : kUnitRules) {
      if (rule.kept != nullptr) line << capacity.*rule.kept;
    }
  }
  return line.take();
}

std::string instance_line(const Cluster& cluster, const Instance& instance,
                          const Placement& placement) {
  const auto node_name = [&cluster](NodeId id) {
    return id.is_none() ? std::string() : cluster[id].name;
  };
  Line line("instance");
  line << instance.name << instance.memory_mib << instance.disk_mib << instance.vcpus
       << instance.spindle_use << text_of(instance.status) << text_of(instance.disk_template)
       << instance.auto_balance << instance.is_forthcoming << instance.is_movable << instance.tags
       << node_name(placement.primary) << node_name(placement.secondary);
  add_load(line, instance.load);
  for (const Disk& disk : instance.disks) {
    line << disk.size_mib << disk.taken_mib << disk.spindles.value_or(-1);
    if (!disk.meta_unit.is_none()) line << cluster[disk.meta_unit].key;
    if (!disk.unit.is_none()) line << cluster[disk.unit].type << cluster[disk.unit].key;
  }
  return line.take();
}

}  // namespace

std::string fingerprint(const Cluster& cluster, const State& state) {
  std::vector<std::string> lines;
  for (const Group& group : cluster.groups) lines.push_back(group_line(group));
  for (const NodeId id : node_ids(cluster)) {
    lines.push_back(node_line(cluster, cluster[id], state[id]));
  }
  for (const InstanceId id : instance_ids(cluster)) {
    lines.push_back(instance_line(cluster, cluster[id], state[id]));
  }
  for (const std::string& tag : cluster.tags) {
    Line line("tag");
    line << tag;
    lines.push_back(line.take());
  }
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return sha256_hex(text);
}

}  // namespace ballast::ganeti
