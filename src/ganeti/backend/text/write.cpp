// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "ballast/core/decimal.hpp"
#include "ballast/core/strings.hpp"
#include "ballast/ganeti/backend/text/text.hpp"
#include "ballast/ganeti/model/unit_resolver.hpp"
#include "policy.hpp"
#include "storage.hpp"

namespace ballast::ganeti {
namespace {

char flag(bool value) { return value ? 'Y' : 'N'; }

char role(const Node& node) { return node.is_offline ? 'Y' : node.is_master ? 'M' : 'N'; }

class TextWriter {
 public:
  TextWriter(const Cluster& cluster, const State& state)
      : cluster_(cluster), state_(state), as_read_(cluster), resolver_(as_read_, {}) {}

  void group(const Group& group) {
    fmt::format_to(std::back_inserter(text_), "{}|{}|{}|{}|{}\n", group.name, group.uuid,
                   text_of(group.alloc_policy), join(group.tags, ","), join(group.networks, ","));
  }

  void node(NodeId id) {
    const Node& node = cluster_[id];
    const NodeState& state = state_[id];
    fmt::format_to(std::back_inserter(text_), "{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}",
                   node.name, fixed(node.total_mem, 0), node.node_mem, node.free_mem,
                   fixed(node.total_disk, 0), state.free_disk, fixed(node.total_cpu, 0), role(node),
                   cluster_[node.group].uuid, node.total_spindles, join(node.tags, ","),
                   flag(node.has_exclusive_storage), state.free_spindles, node.os_cpus,
                   plain(node.cpu_speed));
    if (node.storage_told) text_ += '|' + storage_column(cluster_, node, state);
    text_ += '\n';
  }

  void instance(InstanceId id) {
    const Instance& instance = cluster_[id];
    const Placement& placement = state_[id];
    const std::string_view secondary =
        placement.secondary.is_none() ? std::string_view() : cluster_[placement.secondary].name;
    const bool told_none = instance.disks_told && instance.disks.empty();
    const auto spindles = told_none ? std::nullopt : instance.disk_spindles();
    fmt::format_to(std::back_inserter(text_), "{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}",
                   instance.name, instance.memory_mib, instance.disk_mib, instance.vcpus,
                   text_of(instance.status), flag(instance.auto_balance),
                   cluster_[placement.primary].name, secondary, text_of(instance.disk_template),
                   join(instance.tags, ","), instance.spindle_use,
                   spindles ? std::to_string(*spindles) : "-", flag(instance.is_forthcoming));
    if (needs_disks(instance, placement)) text_ += '|' + disks_column(cluster_, instance);
    text_ += '\n';
  }

  /// `Nodes` and `Instances` are ranges of ids.
  template <class Nodes, class Instances>
  std::string write(const Nodes& nodes, const Instances& instances) {
    for (const Group& each : cluster_.groups) group(each);
    text_ += '\n';
    for (const NodeId id : nodes) node(id);
    text_ += '\n';
    for (const InstanceId id : instances) instance(id);
    text_ += '\n';
    for (const std::string& tag : cluster_.tags) text_ += tag + '\n';
    text_ += '\n';
    text_ += policy_line("", cluster_.policy) + '\n';
    for (const Group& each : cluster_.groups) text_ += policy_line(each.name, each.policy) + '\n';
    return std::move(text_);
  }

 private:
  /// Whoever reads the row without a disks column would understand other disks or units than these
  /// (told by "vg" or by several sizes, chosen by --default-storage, with metadata elsewhere).
  bool needs_disks(const Instance& instance, const Placement& placement) {
    if (instance.disks_told) return true;
    const bool is_known =
        cluster_.has_storage && !instance.disks.empty() &&
        std::ranges::none_of(instance.disks, [](const Disk& disk) { return disk.unit.is_none(); });
    if (!is_known) return false;
    const Disk& first = instance.disks.front();
    if (instance.disks.size() > 1 || !first.meta_unit.is_none() ||
        first.taken_mib != instance.disk_mib)
      return true;
    const GroupId group = cluster_[placement.primary].group;
    return resolver_.find(instance.disk_template, group, placement.primary) != first.unit;
  }

  const Cluster& cluster_;
  const State& state_;
  Cluster as_read_;        ///< what the resolver may add keys to; it adds none without defaults
  UnitResolver resolver_;  ///< as reading asks, without --default-storage
  std::string text_;
};

template <class Id>
std::vector<Id> all_ids(std::size_t count) {
  std::vector<Id> ids;
  ids.reserve(count);
  for (std::size_t i = 0; i < count; ++i) ids.emplace_back(i);
  return ids;
}

}  // namespace

std::string write_text(const Cluster& cluster, const State& state) {
  return TextWriter(cluster, state)
      .write(all_ids<NodeId>(cluster.nodes.size()), all_ids<InstanceId>(cluster.instances.size()));
}

tl::expected<std::string, NodeId> write_text(const Cluster& cluster, const State& state,
                                             const Part& part) {
  for (const InstanceId id : part.instances) {
    const NodeId secondary = state[id].secondary;
    if (!secondary.is_none() && cluster[secondary].group != part.group)
      return tl::unexpected<NodeId>(secondary);
  }
  return TextWriter(cluster, state).write(part.nodes, part.instances);
}

}  // namespace ballast::ganeti
