// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/balance/fast_layout.hpp"
#include "ballast/ganeti/model/units_of.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "ballast/ganeti/score/node_values.hpp"
#include "ballast/ganeti/search/balance/candidates.hpp"
#include "fast_boxes.hpp"

namespace ballast::ganeti::fast {

namespace {

using enum MetricId;

// Deviations of what instances add to a node, each beside its likely equal.
constexpr std::array kSummedMetrics{FreeMem,  ForthFreeMem,  FreeDisk, ForthFreeDisk,
                                    CpuRatio, ForthCpuRatio, Spindles, ForthSpindles,
                                    CpuLoad,  MemLoad,       NetLoad,  DiskLoad};
constexpr double kLargestInteger = 1e12;  // sums of a million of them stay exact in a double
constexpr double kLargestValue = 1e9;

bool is_within(double value, double low, double high) {
  return value >= low && value <= high;
}  // false for NaN

bool is_within(std::int64_t value) {
  return is_within(static_cast<double>(value), 0, kLargestInteger);
}

bool is_ordinary_node(const Cluster& cluster, NodeId id, const NodeState& state) {
  const Node& node = cluster[id];
  if (node.has_exclusive_storage) return false;
  for (const std::int64_t figure :
       {state.inst_mem, state.lost_mem, state.free_disk, state.used_cpu, state.reserved_mem,
        state.forth_free_mem, state.forth_free_disk, state.forth_used_cpu, node.node_mem}) {
    if (!is_within(static_cast<double>(figure), -kLargestInteger, kLargestInteger)) return false;
  }
  if (node.is_offline) return true;
  if (!is_within(node.total_mem, 1e-3, kLargestInteger) ||
      !is_within(node.total_cpu, 1e-3, kLargestInteger) ||
      !is_within(node.cpu_speed, 1e-3, kLargestInteger) ||
      !is_within(node.high_spindles, 1e-3, kLargestInteger) ||
      !is_within(node.total_disk, 0, kLargestInteger) || std::isnan(node.vcpu_ratio)) {
    return false;
  }
  if (node.total_disk > 0 && node.total_disk < 1e-3) return false;
  const auto values = node_values(node, state);
  return std::all_of(values.begin(), values.end(),
                     [](double v) { return is_within(v, -kLargestValue, kLargestValue); });
}

bool is_ordinary_instance(const Instance& instance, const Placement& placement) {
  const Load& load = instance.load;
  for (const double figure : {load.cpu, load.mem, load.disk, load.net}) {
    if (!is_within(figure, 0, kLargestValue)) return false;
  }
  for (const Disk& disk : instance.disks) {
    if (!is_within(disk.taken_mib)) return false;
  }
  return is_within(instance.memory_mib) && is_within(instance.disk_mib) &&
         is_within(instance.vcpus) && is_within(instance.spindle_use) &&
         !(has_secondary(instance.disk_template) && placement.secondary.is_none()) &&
         placement.primary != placement.secondary;  // such a node is written twice: see move.cpp
}

double primary_amount(const Instance& instance, MetricId metric) {
  if (instance.is_forthcoming && !kMetrics[metric].is_forth) return 0;
  const bool is_local = uses_local_disk(instance.disk_template);
  switch (metric) {
    case FreeMem:
      return instance.uses_memory() ? static_cast<double>(instance.memory_mib) : 0;
    case ForthFreeMem:
      return static_cast<double>(instance.memory_mib);
    case CpuRatio:
    case ForthCpuRatio:
      return instance.counts_cpu() ? static_cast<double>(instance.vcpus) : 0;
    case CpuLoad:
      return instance.load.cpu;
    case MemLoad:
      return instance.load.mem;
    case DiskLoad:
      return instance.load.disk;
    case NetLoad:
      return instance.load.net;
    case Spindles:
    case ForthSpindles:
      return is_local ? static_cast<double>(instance.spindle_use) : 0;
    default:
      return is_local ? static_cast<double>(instance.disk_mib) : 0;
  }
}

double secondary_amount(const Instance& instance, MetricId metric) {
  switch (metric) {
    case FreeDisk:
    case DiskLoad:
    case Spindles:
    case ForthFreeDisk:
    case ForthSpindles:
      return primary_amount(instance, metric);
    default:
      return 0;
  }
}

bool is_volume_group(const StorageKey& key) { return key.type == "drbd8" || key.type == "lvm-vg"; }

// A drbd8 and an lvm-vg unit of one name are the same volume group.
bool draws_on(const Cluster& cluster, StorageKeyId asked, StorageKeyId unit) {
  if (asked == unit) return true;
  return cluster[asked].key == cluster[unit].key && is_volume_group(cluster[asked]) &&
         is_volume_group(cluster[unit]);
}

template <class Visit>
void for_each_take(const Instance& instance, Visit visit) {
  for (const Disk& disk : instance.disks) {
    if (!disk.unit.is_none()) visit(disk.unit, disk.taken_mib);
    if (!disk.meta_unit.is_none()) visit(disk.meta_unit, disk.meta_mib);
  }
}

double unit_amount(const Cluster& cluster, const Instance& instance, StorageKeyId unit) {
  double amount = 0;
  for_each_take(instance, [&](StorageKeyId asked, std::int64_t size) {
    if (draws_on(cluster, asked, unit)) amount += static_cast<double>(size);
  });
  return amount;
}

/// As primary and as secondary.
std::pair<double, double> amounts_in(const Cluster& cluster, const Instance& instance,
                                     const Channel& channel) {
  if (channel.unit.is_none())
    return {primary_amount(instance, channel.metric), secondary_amount(instance, channel.metric)};
  // Only mirrored instances have disks of their own and move; shared storage is one pool.
  if (!has_secondary(instance.disk_template) || (instance.is_forthcoming && !channel.is_forth()))
    return {0, 0};
  const double amount = unit_amount(cluster, instance, channel.unit);
  return {amount, amount};
}

Amounts amounts_of(const Cluster& cluster, const Instance& instance, const Layout& layout) {
  Amounts result;
  result.is_mirrored = has_secondary(instance.disk_template);
  result.primary.resize(layout.width);
  result.secondary.resize(layout.width);
  for (std::size_t c = 0; c < layout.channels.size(); ++c) {
    std::tie(result.primary[c], result.secondary[c]) =
        amounts_in(cluster, instance, layout.channels[c]);
  }
  result.memory = primary_amount(instance, FreeMem);
  result.forth_memory = static_cast<double>(instance.memory_mib);
  result.reserved = instance.uses_secondary_memory() ? static_cast<double>(instance.memory_mib) : 0;
  result.cpus = primary_amount(instance, CpuRatio);
  if (uses_local_disk(instance.disk_template)) {
    result.spindles = static_cast<double>(instance.spindle_use);
    if (!cluster.has_storage) result.disk = static_cast<double>(instance.disk_mib);
  }
  result.units.assign(layout.units.size(), -1e300);
  for_each_take(instance, [&](StorageKeyId asked, std::int64_t size) {
    const auto found = std::lower_bound(layout.units.begin(), layout.units.end(), asked);
    if (found == layout.units.end() || *found != asked) return;
    double& amount = result.units[static_cast<std::size_t>(found - layout.units.begin())];
    amount = std::max(amount, 0.0) + static_cast<double>(size);
  });
  if (layout.has_exclusive_storage) {
    const auto spindles = instance.disk_spindles();
    result.knows_spindles = spindles.has_value();
    result.forth_own_spindles = static_cast<double>(spindles.value_or(0));
    result.own_spindles = instance.is_forthcoming ? 0 : result.forth_own_spindles;
  }
  return result;
}

std::vector<Channel> all_channels(const Cluster& cluster, const Layout& layout) {
  std::vector<Channel> channels;
  for (const MetricId metric : kSummedMetrics) {
    if (cluster.has_storage && is_storage(metric)) {
      const double weight =
          weight_of(metric) / static_cast<double>(std::max<std::size_t>(1, layout.units.size()));
      for (const StorageKeyId unit : layout.units) channels.push_back({metric, unit, weight});
    } else {
      channels.push_back({metric, {}, weight_of(metric)});
    }
  }
  return channels;
}

/// Equal on each node and for each instance, so equal for ever.
bool are_equal(const Cluster& cluster, const State& state, const Layout& layout,
               const std::vector<InstanceId>& movable, const Channel& a, const Channel& b) {
  if (a.unit.is_none() != b.unit.is_none()) return false;
  if (layout.has_exclusive_storage && (is_in_spindles(cluster, a) || is_in_spindles(cluster, b)))
    return false;
  for (const NodeId node : layout.targets) {
    const Cell x = cell_of(cluster, state, node, a);
    const Cell y = cell_of(cluster, state, node, b);
    if (x.value != y.value || x.scale != y.scale || x.held != y.held) return false;
  }
  return std::all_of(movable.begin(), movable.end(), [&](InstanceId id) {
    return amounts_in(cluster, cluster[id], a) == amounts_in(cluster, cluster[id], b);
  });
}

void merge_channels(const Cluster& cluster, const State& state, Layout& layout,
                    const std::vector<InstanceId>& movable) {
  for (const Channel& channel : all_channels(cluster, layout)) {
    const auto same =
        std::find_if(layout.channels.begin(), layout.channels.end(), [&](const Channel& other) {
          return are_equal(cluster, state, layout, movable, channel, other);
        });
    if (same == layout.channels.end()) {
      layout.channels.push_back(channel);
    } else {
      same->weight += channel.weight;
    }
  }
  layout.width = (layout.channels.size() + kGroup - 1) / kGroup * kGroup;
}

void find_classes(const Cluster& cluster, Layout& layout, const std::vector<InstanceId>& movable) {
  std::map<std::vector<double>, std::int32_t> known;
  layout.class_of.assign(cluster.instances.size(), -1);
  for (const InstanceId id : movable) {
    Amounts amounts = amounts_of(cluster, cluster[id], layout);
    const auto [place, is_new] =
        known.emplace(flat(amounts), static_cast<std::int32_t>(layout.classes.size()));
    if (is_new) layout.classes.push_back(std::move(amounts));
    layout.class_of[id.index()] = place->second;
  }
}

}  // namespace

bool is_ordinary(const Cluster& cluster, const State& state, const Part& part) {
  for (const NodeId node : part.nodes) {
    if (!is_ordinary_node(cluster, node, state[node])) return false;
  }
  return std::all_of(part.instances.begin(), part.instances.end(),
                     [&](InstanceId id) { return is_ordinary_instance(cluster[id], state[id]); });
}

bool is_in_spindles(const Cluster& cluster, const Channel& channel) {
  return is_storage(channel.metric) &&
         (channel.unit.is_none() || is_volume_group(cluster[channel.unit]));
}

Cell cell_of(const Cluster& cluster, const State& state, NodeId id, const Channel& channel) {
  const Node& node = cluster[id];
  const bool counts_spindles = node.has_exclusive_storage && is_in_spindles(cluster, channel);
  const auto spindles = static_cast<double>(node.total_spindles);
  const double spindle_scale = spindles == 0 ? 0 : -1 / spindles;
  if (!channel.unit.is_none()) {
    const auto fraction = unit_fraction(cluster, node, state[id], channel.unit);
    if (!fraction) return {0, 0, false};
    if (counts_spindles)
      return {channel.is_forth() ? fraction->forth : fraction->now, spindle_scale, true};
    const StorageUnit* unit = find_unit(node, channel.unit);
    const Capacity& capacity = state[id].capacities[static_cast<std::size_t>(unit->capacity)];
    const auto total = static_cast<double>(capacity.total_mib);
    const bool is_fixed = capacity.is_shared || total == 0;
    return {channel.is_forth() ? fraction->forth : fraction->now, is_fixed ? 0 : -1 / total, true};
  }
  const double value = node_values(node, state[id])[channel.metric];
  if (counts_spindles) return {value, spindle_scale, true};
  switch (channel.metric) {
    case FreeMem:
    case ForthFreeMem:
      return {value, -1 / node.total_mem, true};
    case FreeDisk:
    case ForthFreeDisk:
      return {value, node.total_disk == 0 ? 0 : -1 / node.total_disk, true};
    case CpuRatio:
    case ForthCpuRatio:
      return {value, 1 / (node.total_cpu * node.cpu_speed), true};
    case Spindles:
    case ForthSpindles:
      return {value, node.has_exclusive_storage ? 0 : 1 / node.high_spindles, true};
    default:
      return {value, 1, true};
  }
}

Layout make_layout(const Cluster& cluster, const State& state, const Part& part) {
  Layout layout;
  layout.targets = target_nodes(cluster, part);
  layout.position.assign(cluster.nodes.size(), static_cast<std::int32_t>(layout.targets.size()));
  for (std::size_t t = 0; t < layout.targets.size(); ++t) {
    layout.position[layout.targets[t].index()] = static_cast<std::int32_t>(t);
  }
  for (const NodeId node : part.nodes) {
    layout.has_offline = layout.has_offline || cluster[node].is_offline;
    layout.has_migration_tags = layout.has_migration_tags || !cluster[node].migration_tags.empty();
    layout.has_exclusive_storage =
        layout.has_exclusive_storage ||
        (cluster[node].has_exclusive_storage && !cluster[node].is_offline);
    layout.has_location_tags = layout.has_location_tags || !cluster[node].location_tags.empty();
  }
  if (cluster.has_storage) layout.units = scored_units(cluster, part.nodes);
  std::vector<InstanceId> movable;
  for (const InstanceId id : part.instances) {
    if (cluster[id].is_movable && cluster[id].auto_balance) movable.push_back(id);
  }
  merge_channels(cluster, state, layout, movable);
  find_classes(cluster, layout, movable);
  make_boxes(layout);
  return layout;
}

}  // namespace ballast::ganeti::fast
