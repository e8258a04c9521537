// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/balance/fast_arrays.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "ballast/ganeti/model/unit_rules.hpp"
#include "ballast/ganeti/model/units_of.hpp"
#include "fast_kernels.hpp"

namespace ballast::ganeti::fast {

namespace {

constexpr double kNoLimit = 1e300;
constexpr double kUlp = std::numeric_limits<double>::epsilon() / 2;

double number(std::int64_t value) { return static_cast<double>(value); }

// The largest number of CPUs in use that passes "ratio >= 0 and ratio < used / total fails"; the
// quotient rounds, so it is tried.
double cpu_limit(const Node& node) {
  if (!(node.vcpu_ratio >= 0)) return kNoLimit;
  double limit = std::floor(node.vcpu_ratio * node.total_cpu) + 2;
  if (!(limit < 1e15)) return kNoLimit;
  while (node.vcpu_ratio < limit / node.total_cpu) limit -= 1;
  return limit;
}

double free_after_reserve(std::int64_t free, std::int64_t reserve) {
  return reserve > 0 ? number(free - reserve) : kNoLimit;
}

// Limits on what a unit may give; the model takes and checks disk by disk, so their sum must fit.
double unit_limit(const Capacity& capacity, bool force) {
  return capacity.is_shared ? kNoLimit : number(most_to_take(capacity, force));
}

// Room of any sign must let "does not ask for it" (a hugely negative demand) pass, and -1 stand for
// "no such unit".
double not_missing(double limit) { return std::max(limit, -0.5); }

// `centre`: of the values in magnitude.
Deviation deviation_from(double count, double weight, double centre, const Extent& extent,
                         double delta) {
  Deviation d;
  d.count = count;
  d.squeeze = count - 1;
  d.delta = delta;
  // Sums of n terms (ours and the reference's mean), then a few operations on each of at most three
  // changed nodes; generous factors.
  const double reach = extent.most + 4 * delta;
  const double scale = centre + extent.most + 4 * delta;
  d.slack = kUlp * count *
            (4 * (count + 64) * (extent.squares + 4 * reach * reach) + 128 * reach * scale);
  d.spread = std::max(0.0, count * extent.squares - extent.sum * extent.sum) - d.slack;
  d.factor = count == 0 ? 0 : weight / count * (1 - kUlp * (4 * count + 64));
  return d;
}

// What may be taken until `free` is down to `low`; the difference may leave the range of integers
// (--min-disk=NaN).
double above(std::int64_t free, std::int64_t low) {
  std::int64_t room = 0;
  if (__builtin_sub_overflow(free, low, &room)) return low < 0 ? kNoLimit : -kNoLimit;
  return number(room);
}

}  // namespace

Limits limits_of(const Cluster& cluster, NodeId id, const NodeState& state, bool force) {
  const Node& node = cluster[id];
  const double unallocated = number(unallocated_mem(node, state));
  Limits limits;
  limits.memory = unallocated - 1;
  limits.forth_memory = limits.spindles = limits.cpus = limits.reserve = limits.own_reserve =
      kNoLimit;
  limits.disk = number(state.free_disk) - 1;
  if (node.disk_reserve > 0)
    limits.disk = std::min(limits.disk, free_after_reserve(state.free_disk, node.disk_reserve));
  if (force) return limits;
  if (!state.fails_n1) {
    limits.memory = std::min(limits.memory, unallocated - number(state.reserved_mem) - 1);
    limits.reserve = number(state.reserved_mem) < unallocated ? unallocated - 1 : -kNoLimit;
  }
  limits.own_reserve = std::min(unallocated - 1, number(state.forth_free_mem) - 1);
  limits.forth_memory = number(state.forth_free_mem) - 1;
  limits.disk =
      std::min({limits.disk, above(state.free_disk, node.low_disk),
                number(state.forth_free_disk) - 1, above(state.forth_free_disk, node.low_disk)});
  limits.spindles =
      std::floor(node.high_spindles) - std::max(state.inst_spindles, state.forth_inst_spindles);
  limits.cpus = cpu_limit(node) - number(std::max(state.used_cpu, state.forth_used_cpu));
  return limits;
}

ArrayBuilder::ArrayBuilder(const Cluster& cluster, const State& state, const Layout& layout)
    : cluster_(cluster), state_(state), layout_(layout) {
  Arrays& a = arrays_;
  a.count = layout.targets.size();
  a.stride = (a.count + kLanes - 1) / kLanes * kLanes;
  const std::size_t cells = layout.width * a.stride;
  a.value.resize(cells);
  a.centred.resize(cells);
  a.lean.resize(cells);
  a.scale.resize(cells);
  a.held.resize(cells);
  a.deviations.resize(layout.width);
  a.node_lean.resize(layout.width * (a.stride + 1));
  a.node_scale.resize(layout.width * (a.stride + 1));
  a.reserved.resize(a.stride + 1);
  a.reserved_centred.resize(a.stride);
  a.reserved_lean.resize(a.stride + 1);
  a.reserved_scale.resize(a.stride + 1);
  for (Arrays::Room* room : {&a.strict, &a.hard}) {
    for (auto* row : {&room->memory, &room->forth_memory, &room->disk, &room->spindles, &room->cpus,
                      &room->reserve, &room->own_reserve}) {
      row->assign(a.stride, -2 * kNoLimit);
    }
    room->units.resize(layout.units.size() * a.stride, -1);
  }
  a.unallocated.resize(a.stride);
  a.failing.resize(a.stride);
  a.residents.resize(a.stride);
  centres_.resize(layout.width + 1);
  for (const NodeId node : layout.targets) update(node);
  find_largest();
}

void ArrayBuilder::find_largest() {
  Arrays& a = arrays_;
  largest_delta_.assign(layout_.width, 0);
  for (const Amounts& amounts : layout_.classes) {
    largest_reserved_ = std::max(largest_reserved_, amounts.reserved);
    for (std::size_t c = 0; c < layout_.width; ++c) {
      largest_delta_[c] = std::max({largest_delta_[c], amounts.primary[c], amounts.secondary[c]});
    }
  }
  double reserved_scale = 0;
  for (std::size_t t = 0; t < a.count; ++t) {
    reserved_scale = std::max(reserved_scale, a.reserved_scale[t]);
  }
  largest_reserved_ *= reserved_scale;
  for (std::size_t c = 0; c < layout_.width; ++c) {
    // What leaves one node comes to another, so the sum changes by as much as their scales differ;
    // on a node that is no target the scale is 0.
    double least = layout_.has_offline || a.count == 0 ? 0 : a.scale[c * a.stride];
    double most = least;
    for (std::size_t t = 0; t < a.count; ++t) {
      least = std::min(least, a.scale[c * a.stride + t]);
      most = std::max(most, a.scale[c * a.stride + t]);
    }
    centres_[c].drift = 2 * largest_delta_[c] * (most - least);
    largest_delta_[c] *= std::max(std::abs(least), std::abs(most));
  }
}

void ArrayBuilder::update(NodeId node) {
  const auto target = static_cast<std::size_t>(layout_.position[node.index()]);
  Arrays& a = arrays_;
  if (target == a.count) return;
  updated_.push_back(target);
  for (std::size_t c = 0; c < layout_.channels.size(); ++c) {
    const Cell cell = cell_of(cluster_, state_, node, layout_.channels[c]);
    a.value[c * a.stride + target] = cell.value;
    a.scale[c * a.stride + target] = cell.scale;
    a.held[c * a.stride + target] = cell.held ? 1 : 0;
    a.node_scale[target * layout_.width + c] = cell.scale;
  }
  const NodeState& state = state_[node];
  a.reserved[target] = number(state.reserved_mem);
  a.reserved_scale[target] = 1 / cluster_[node].total_mem;
  a.unallocated[target] = number(unallocated_mem(cluster_[node], state));
  a.failing[target] = state.fails_n1 ? 1 : 0;
  a.residents[target] = static_cast<double>(state.primaries.size() + state.secondaries.size());
  update_room(node, target);
}

void ArrayBuilder::update_room(NodeId id, std::size_t target) {
  const NodeState& state = state_[id];
  for (const bool force : {false, true}) {
    Arrays::Room& room = force ? arrays_.hard : arrays_.strict;
    const Limits limits = limits_of(cluster_, id, state, force);
    room.memory[target] = limits.memory;
    room.forth_memory[target] = limits.forth_memory;
    room.disk[target] = limits.disk;
    room.spindles[target] = limits.spindles;
    room.cpus[target] = limits.cpus;
    room.reserve[target] = limits.reserve;
    room.own_reserve[target] = limits.own_reserve;
    for (std::size_t u = 0; u < layout_.units.size(); ++u) {
      const StorageUnit* held = find_unit(cluster_[id], layout_.units[u]);
      room.units[u * arrays_.stride + target] =
          held == nullptr ? -1
                          : not_missing(unit_limit(
                                state.capacities[static_cast<std::size_t>(held->capacity)], force));
    }
  }
}

void ArrayBuilder::centre_channel(std::size_t channel) {
  const Arrays& a = arrays_;
  const double* value = a.value.data() + channel * a.stride;
  const char* held = a.held.data() + channel * a.stride;
  double count = 0;
  double sum = 0;
  for (std::size_t t = 0; t < a.count; ++t) {
    if (held[t] == 0) continue;
    count += 1;
    sum += value[t];
  }
  centres_[channel].count = count;
  centres_[channel].mean = count == 0 ? 0 : sum / count;
}

void ArrayBuilder::centre_reserved() {
  const Arrays& a = arrays_;
  const auto count = number(static_cast<std::int64_t>(a.count));
  double sum = 0;
  for (std::size_t t = 0; t < a.count; ++t) sum += a.reserved[t] * a.reserved_scale[t];
  centres_[layout_.width].count = count;
  centres_[layout_.width].mean = a.count == 0 ? 0 : sum / count;
}

// Everything of one target that hangs on the centres.
void ArrayBuilder::follow_target(std::size_t target) {
  Arrays& a = arrays_;
  for (std::size_t c = 0; c < layout_.channels.size(); ++c) {
    const std::size_t cell = c * a.stride + target;
    const Centre& centre = centres_[c];
    a.centred[cell] = a.held[cell] == 0 ? 0 : a.value[cell] - centre.mean;
    a.lean[cell] = 2 * centre.count * a.centred[cell];
    a.node_lean[target * layout_.width + c] = a.lean[cell];
  }
  const Centre& centre = centres_[layout_.width];
  a.reserved_centred[target] = a.reserved[target] * a.reserved_scale[target] - centre.mean;
  a.reserved_lean[target] = 2 * centre.count * a.reserved_centred[target];
}

void ArrayBuilder::measure_channel(std::size_t channel) {
  Arrays& a = arrays_;
  const Centre& centre = centres_[channel];
  const Extent extent = extent_of(a.centred.data() + channel * a.stride, a.stride);
  Deviation& deviation = a.deviations[channel];
  deviation = deviation_from(centre.count, layout_.channels[channel].weight, std::abs(centre.mean),
                             extent, largest_delta_[channel]);
  deviation.shift = 2 * extent.sum;
  deviation.drift = centre.drift;
}

void ArrayBuilder::measure_reserved() {
  Arrays& a = arrays_;
  const Centre& centre = centres_[layout_.width];
  const Extent extent = extent_of(a.reserved_centred.data(), a.stride);
  a.reserved_deviation =
      deviation_from(centre.count, weight_of(MetricId::ReservedMem), std::abs(centre.mean), extent,
                     std::max(largest_reserved_, std::abs(centre.mean) + extent.most));
  a.reserved_deviation.shift = 2 * extent.sum;
  a.reserved_deviation.drift = 3 * a.reserved_deviation.delta;
}

void ArrayBuilder::centre() {
  for (std::size_t c = 0; c < layout_.channels.size(); ++c) centre_channel(c);
  centre_reserved();
  for (std::size_t t = 0; t < arrays_.count; ++t) follow_target(t);
  for (std::size_t c = 0; c < layout_.channels.size(); ++c) measure_channel(c);
  measure_reserved();
  updated_.clear();
}

std::vector<std::size_t> ArrayBuilder::follow() {
  std::sort(updated_.begin(), updated_.end());
  updated_.erase(std::unique(updated_.begin(), updated_.end()), updated_.end());
  for (const std::size_t target : updated_) follow_target(target);
  for (std::size_t c = 0; c < layout_.channels.size(); ++c) measure_channel(c);
  measure_reserved();
  return std::exchange(updated_, {});
}

}  // namespace ballast::ganeti::fast
