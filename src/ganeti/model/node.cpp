// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/model/node.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "ballast/ganeti/model/tag_conflicts.hpp"

#include "ballast/ganeti/model/units_of.hpp"

namespace ballast::ganeti {

const StorageUnit* find_unit(const Node& node, StorageKeyId key) {
  const auto place = std::ranges::lower_bound(node.units, key, {}, &StorageUnit::key);
  return place != node.units.end() && place->key == key ? &*place : nullptr;
}

Load& Load::operator+=(const Load& other) {
  cpu += other.cpu;
  mem += other.mem;
  disk += other.disk;
  net += other.net;
  return *this;
}

Load& Load::operator-=(const Load& other) {
  cpu -= other.cpu;
  mem -= other.mem;
  disk -= other.disk;
  net -= other.net;
  return *this;
}

std::optional<std::int64_t> Instance::disk_spindles() const {
  std::int64_t sum = 0;
  for (const Disk& disk : disks) {
    if (!disk.spindles) return std::nullopt;
    sum += *disk.spindles;
  }
  return sum;
}

std::int64_t truncated(double value) {
  constexpr double kLimit = 9223372036854775808.0;  // 2^63
  if (value >= -kLimit && value < kLimit) return static_cast<std::int64_t>(value);
  return std::numeric_limits<std::int64_t>::min();
}

std::int64_t floored(double value) {
  const std::int64_t whole = truncated(value);
  return value < static_cast<double>(whole) ? whole - 1 : whole;
}

std::int64_t recorded_free_mem(const Node& node, const NodeState& state) {
  return truncated(node.total_mem) - node.node_mem - state.inst_mem;
}

std::int64_t unallocated_mem(const Node& node, const NodeState& state) {
  return recorded_free_mem(node, state) - std::max<std::int64_t>(0, state.lost_mem);
}

std::int64_t available_mem(const Node& node, const NodeState& state) {
  return std::max<std::int64_t>(0, unallocated_mem(node, state) - state.reserved_mem);
}

double free_fraction(double free, double total) { return total == 0 ? 1 : free / total; }

double disk_fraction(const Node& node, std::int64_t free_disk, std::int64_t free_spindles) {
  if (node.has_exclusive_storage) {
    return free_fraction(static_cast<double>(free_spindles),
                         static_cast<double>(node.total_spindles));
  }
  return free_fraction(static_cast<double>(free_disk), node.total_disk);
}

std::int64_t peer_memory(const NodeState& state, NodeId primary) {
  for (const auto& [node, memory] : state.peers) {
    if (node == primary) return memory;
  }
  return 0;
}

std::int64_t conflicting_primaries(const NodeState& state) {
  std::int64_t sum = 0;
  for (const auto& [tag, count] : state.primary_tags) sum += conflicts_of(count);
  return sum;
}

std::int64_t primaries_with(const NodeState& state, TagId tag) {
  const auto place =
      std::ranges::lower_bound(state.primary_tags, tag, {}, &std::pair<TagId, std::int64_t>::first);
  return place != state.primary_tags.end() && place->first == tag ? place->second : 0;
}

std::string_view policy_health(const Node& node, const NodeState& state) {
  if (state.inst_spindles > node.high_spindles) return "Bad FailDisk";
  if (state.cpu_ratio > node.vcpu_ratio) return "Bad FailCPU";
  return "Ok ()";
}

bool has_nan(const Node& node, const NodeState& state) {
  const Load& load = state.load;
  const Load& forth = state.forth_load;
  const auto values = {node.total_mem,
                       node.total_disk,
                       node.total_cpu,
                       node.cpu_speed,
                       node.high_spindles,
                       node.vcpu_ratio,
                       state.inst_spindles,
                       state.mem_fraction,
                       state.disk_fraction,
                       state.cpu_ratio,
                       state.reserved_fraction,
                       state.forth_inst_spindles,
                       state.forth_mem_fraction,
                       state.forth_disk_fraction,
                       state.forth_cpu_ratio,
                       load.cpu,
                       load.mem,
                       load.disk,
                       load.net,
                       forth.cpu,
                       forth.mem,
                       forth.disk,
                       forth.net};
  return std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
}

NodeState initial_state(const Node& node) {
  NodeState state;
  state.free_disk = node.reported_free_disk;
  state.free_spindles = node.reported_free_spindles;
  state.used_cpu = node.os_cpus;
  state.disk_fraction = disk_fraction(node, state.free_disk, state.free_spindles);
  state.cpu_ratio = static_cast<double>(state.used_cpu) / node.total_cpu;
  state.fails_n1 = true;
  state.forth_free_mem = node.free_mem;
  state.forth_free_disk = state.free_disk;
  state.forth_used_cpu = state.used_cpu;
  state.forth_free_spindles = state.free_spindles;
  state.forth_mem_fraction = static_cast<double>(state.forth_free_mem) / node.total_mem;
  state.forth_disk_fraction = state.disk_fraction;
  state.forth_cpu_ratio = state.cpu_ratio;
  return state;
}

}  // namespace ballast::ganeti
