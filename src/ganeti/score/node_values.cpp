// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/score/node_values.hpp"

namespace ballast::ganeti {

namespace {

double count_of(const std::vector<InstanceId>& list) { return static_cast<double>(list.size()); }

// Volume groups on a node with exclusive storage are filled by spindle, as the free-disk metric
// counts them.
bool counts_spindles(const Cluster& cluster, const Node& node, StorageKeyId unit) {
  if (!node.has_exclusive_storage) return false;
  const std::string& type = cluster[unit].type;
  return type == "lvm-vg" || type == "drbd8";
}

}  // namespace

std::array<double, kMetricCount> node_values(const Node& node, const NodeState& state) {
  const double primaries = count_of(state.primaries);
  const double secondaries = count_of(state.secondaries);
  return {
      state.mem_fraction,
      state.disk_fraction,
      state.fails_n1 ? secondaries + primaries : 0,
      state.reserved_fraction,
      primaries + secondaries,
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
      state.reserved_fraction,
  };
}

std::optional<UnitFraction> unit_fraction(const Cluster& cluster, const Node& node,
                                          const NodeState& state, StorageKeyId unit) {
  const auto found =
      std::lower_bound(node.units.begin(), node.units.end(), unit,
                       [](const StorageUnit& a, StorageKeyId b) { return a.key < b; });
  if (found == node.units.end() || found->key != unit) return std::nullopt;
  if (counts_spindles(cluster, node, unit))
    return UnitFraction{state.disk_fraction, state.forth_disk_fraction};
  const Capacity& capacity = state.capacities[static_cast<std::size_t>(found->capacity)];
  const auto total = static_cast<double>(capacity.total_mib);
  return UnitFraction{free_fraction(static_cast<double>(capacity.free_mib), total),
                      free_fraction(static_cast<double>(capacity.forth_free_mib), total)};
}

std::vector<StorageKeyId> scored_units(const Cluster& cluster, std::span<const NodeId> nodes) {
  std::vector<StorageKeyId> units;
  for (const NodeId node : nodes) {
    if (cluster[node].is_offline) continue;
    for (const StorageUnit& unit : cluster[node].units) units.push_back(unit.key);
  }
  std::sort(units.begin(), units.end());
  units.erase(std::unique(units.begin(), units.end()), units.end());
  return units;
}

}  // namespace ballast::ganeti
