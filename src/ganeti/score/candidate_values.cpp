// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <limits>

#include "ballast/ganeti/score/candidates.hpp"

namespace ballast::ganeti {
namespace {

double length(const std::vector<InstanceId>& list) { return static_cast<double>(list.size()); }

/// Units of local volume groups count spindles where storage is exclusive, as the free-disk metric does.
bool counts_spindles(const Node& node, const StorageKey& key) {
  return node.has_exclusive_storage && (key.type == "lvm-vg" || key.type == "drbd8");
}

double unit_fraction(const Cluster& cluster, const Node& node, const NodeState& state, const StorageUnit& unit,
                     bool forthcoming) {
  if (counts_spindles(node, cluster[unit.key])) {
    const std::int64_t free = forthcoming ? state.forth_free_spindles : state.free_spindles;
    return free_fraction(static_cast<double>(free), static_cast<double>(node.total_spindles));
  }
  const Capacity& capacity = state.capacities[static_cast<std::size_t>(unit.capacity)];
  const std::int64_t free = forthcoming ? capacity.forth_free_mib : capacity.free_mib;
  return free_fraction(static_cast<double>(free), static_cast<double>(capacity.total_mib));
}

void set_unit_values(const Cluster& cluster, const Node& node, const NodeState& state,
                     std::span<const StorageKeyId> columns, NodeValues& values) {
  constexpr double kLacks = std::numeric_limits<double>::quiet_NaN();
  values.units.assign(columns.size(), kLacks);
  values.forth_units.assign(columns.size(), kLacks);
  for (const StorageUnit& unit : node.units) {
    const auto place = std::lower_bound(columns.begin(), columns.end(), unit.key);
    if (place == columns.end() || *place != unit.key) continue;
    const auto column = static_cast<std::size_t>(place - columns.begin());
    values.units[column] = unit_fraction(cluster, node, state, unit, false);
    values.forth_units[column] = unit_fraction(cluster, node, state, unit, true);
  }
}

}  // namespace

std::vector<StorageKeyId> unit_columns(const Cluster& cluster, std::span<const NodeId> nodes) {
  std::vector<StorageKeyId> columns;
  if (!cluster.has_storage) return columns;
  for (const NodeId node : nodes) {
    if (cluster[node].is_offline) continue;
    for (const StorageUnit& unit : cluster[node].units) columns.push_back(unit.key);
  }
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

NodeValues node_values(const Cluster& cluster, NodeId id, const NodeState& state, std::span<const StorageKeyId> columns) {
  const Node& node = cluster[id];
  const double primaries = length(state.primaries);
  const double all = primaries + length(state.secondaries);
  NodeValues values;
  values.metrics = {state.mem_fraction,
                    state.disk_fraction,
                    state.fails_n1 ? all : 0,
                    state.reserved_fraction,
                    all,
                    primaries,
                    state.cpu_ratio / node.cpu_speed,
                    state.load.cpu,
                    state.load.mem,
                    state.load.disk,
                    state.load.net,
                    static_cast<double>(conflicting_primaries(state)),
                    state.inst_spindles / node.high_spindles,
                    state.forth_mem_fraction,
                    state.forth_disk_fraction,
                    state.forth_cpu_ratio / node.cpu_speed,
                    state.forth_inst_spindles / node.high_spindles,
                    static_cast<double>(state.location_score),
                    0,
                    state.reserved_fraction};
  if (!columns.empty()) set_unit_values(cluster, node, state, columns, values);
  return values;
}

}  // namespace ballast::ganeti
