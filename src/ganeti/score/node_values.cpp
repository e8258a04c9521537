// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/score/node_values.hpp"
#include "ballast/ganeti/model/units_of.hpp"

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

PerMetric<double> node_values(const Node& node, const NodeState& state) {
  const double primaries = count_of(state.primaries);
  const double secondaries = count_of(state.secondaries);
  PerMetric<double> values;
  values[MetricId::FreeMem] = state.mem_fraction;
  values[MetricId::FreeDisk] = state.disk_fraction;
  values[MetricId::FailingN1] = state.fails_n1 ? secondaries + primaries : 0;
  values[MetricId::ReservedMem] = state.reserved_fraction;
  values[MetricId::OfflineAll] = primaries + secondaries;
  values[MetricId::OfflinePrimary] = primaries;
  values[MetricId::CpuRatio] = state.cpu_ratio / node.cpu_speed;
  values[MetricId::CpuLoad] = state.load.cpu;
  values[MetricId::MemLoad] = state.load.mem;
  values[MetricId::DiskLoad] = state.load.disk;
  values[MetricId::NetLoad] = state.load.net;
  values[MetricId::ExclusionTags] = static_cast<double>(conflicting_primaries(state));
  values[MetricId::Spindles] = state.inst_spindles / node.high_spindles;
  values[MetricId::ForthFreeMem] = state.forth_mem_fraction;
  values[MetricId::ForthFreeDisk] = state.forth_disk_fraction;
  values[MetricId::ForthCpuRatio] = state.forth_cpu_ratio / node.cpu_speed;
  values[MetricId::ForthSpindles] = state.forth_inst_spindles / node.high_spindles;
  values[MetricId::Location] = static_cast<double>(state.location_score);
  values[MetricId::ReservedTotal] = state.reserved_fraction;
  return values;
}

std::optional<UnitFraction> unit_fraction(const Cluster& cluster, const Node& node,
                                          const NodeState& state, StorageKeyId unit) {
  const StorageUnit* found = find_unit(node, unit);
  if (found == nullptr) return std::nullopt;
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
