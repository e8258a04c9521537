// SPDX-License-Identifier: BSD-2-Clause
// Reads the model into the arrays of an end state.
#include <algorithm>
#include <cmath>

#include "ballast/ganeti/model/units_of.hpp"
#include "ballast/ganeti/score/metrics.hpp"
#include "end_state.hpp"

namespace ballast::ganeti {

namespace {

/// What an instance takes of a node, in this order, and one room per storage unit after these.
enum Room : std::size_t {
  kMemory,
  kForthMemory,
  kCpus,
  kSpindles,
  kDisk,
  kOwnSpindles,
  kFirstUnit
};

constexpr double kPlenty = 1e300;

double at_least_zero(double value) { return value > 0 ? value : 0; }
double inverse(double value) { return value > 0 ? 1 / value : 0; }

const Capacity* capacity_of(const Cluster& cluster, const State& start, NodeId node,
                            StorageKeyId unit) {
  const StorageUnit* held = find_unit(cluster[node], unit);
  if (held == nullptr) return nullptr;
  return &start[node].capacities[static_cast<std::size_t>(held->capacity)];
}

std::int64_t excess_of(const Capacity& capacity, bool is_forth) {
  return is_forth ? capacity.forth_excess_mib : capacity.excess_mib;
}

/// What was given back beyond the total, as a share of it.
double excess_share(const Cluster& cluster, const State& start, const fast::Layout& layout,
                    NodeId node, std::size_t channel) {
  const Capacity* capacity = capacity_of(cluster, start, node, layout.channels[channel].unit);
  if (capacity == nullptr) return 0;
  return static_cast<double>(excess_of(*capacity, layout.channels[channel].is_forth())) /
         static_cast<double>(capacity->total_mib);
}

/// Whether the unit would show all of its total as free before all that can go is gone.
bool may_reach_total(const Cluster& cluster, const State& start, const fast::Layout& layout,
                     NodeId node, std::size_t c) {
  const fast::Channel& channel = layout.channels[c];
  const Capacity* capacity = capacity_of(cluster, start, node, channel.unit);
  if (capacity == nullptr || capacity->is_shared || capacity->total_mib == 0) return false;
  if (cluster[node].has_exclusive_storage && fast::is_in_spindles(cluster, channel)) return false;
  const std::int64_t free = channel.is_forth() ? capacity->forth_free_mib : capacity->free_mib;
  auto most = static_cast<double>(free + excess_of(*capacity, channel.is_forth()));
  const auto give = [&](const std::vector<InstanceId>& residents, auto amounts) {
    for (const InstanceId id : residents) {
      const std::int32_t known = layout.class_of[id.index()];
      if (known >= 0) most += (layout.classes[static_cast<std::size_t>(known)].*amounts)[c];
    }
  };
  give(start[node].forth_primaries, &fast::Amounts::primary);
  give(start[node].forth_secondaries, &fast::Amounts::secondary);
  return most > static_cast<double>(capacity->total_mib);
}

}  // namespace

EndState::EndState(const Cluster& cluster, const State& start, const Part& part,
                   const BalanceOptions& options)
    : cluster_(cluster),
      start_(start),
      reach_(options),
      layout_(fast::make_layout(cluster, start, part)),
      keeps_reserve_(!options.ignore_soft_errors),
      tags_(cluster, start, layout_.targets) {
  const fast::ArrayBuilder builder(cluster, start, layout_);
  const fast::Arrays& arrays = builder.arrays();
  read_part(part);
  read_caps();
  read_channels(arrays);
  read_rooms(arrays, options.ignore_soft_errors);
  read_nodes(arrays);
  read_classes();
  read_movable(part, options);
  touched_in_.assign(nodes_.size(), 0);
  for (const NodeId node : layout_.targets)
    locations_ += static_cast<double>(start[node].location_score);
  set_hardness(1);
}

void EndState::read_part(const Part& part) {
  nodes_ = layout_.targets;
  for (const NodeId node : part.nodes) {
    if (cluster_[node].is_offline) nodes_.push_back(node);
  }
  index_.assign(cluster_.nodes.size(), -1);
  for (std::size_t n = 0; n < nodes_.size(); ++n)
    index_[nodes_[n].index()] = static_cast<std::int32_t>(n);
}

// Where the snapshot's figures leave so much free that what is there cannot all be given back.
void EndState::read_caps() {
  reserved_channel_ = layout_.channels.size();
  std::vector<std::vector<Cap>> caps(nodes_.size());
  for (std::size_t c = 0; c < layout_.channels.size(); ++c) {
    if (layout_.channels[c].unit.is_none()) continue;
    bool is_capped = false;
    for (std::size_t t = 0; t < layout_.targets.size(); ++t) {
      if (!may_reach_total(cluster_, start_, layout_, layout_.targets[t], c)) continue;
      caps[t].push_back({c, reserved_channel_, 0});
      is_capped = true;
    }
    if (is_capped) ++reserved_channel_;
  }
  if (reserved_channel_ > layout_.channels.size()) caps_ = std::move(caps);
}

void EndState::read_channels(const fast::Arrays& arrays) {
  width_ = (reserved_channel_ + 1 + fast::kGroup - 1) / fast::kGroup * fast::kGroup;
  weight_.assign(width_, 0);
  inverse_count_.assign(width_, 0);
  sums_.assign(width_, 0);
  squares_.assign(width_, 0);
  sums_before_ = squares_before_ = sums_;
  rows_.assign(width_ * nodes_.size(), 0);
  scales_.assign(width_ * nodes_.size(), 0);
  for (std::size_t c = 0; c <= reserved_channel_; ++c) {
    const bool is_reserved = c == reserved_channel_;
    if (c >= layout_.channels.size() && !is_reserved) continue;
    const auto held = [&](std::size_t t) {
      return is_reserved || arrays.held[c * arrays.stride + t] != 0;
    };
    const auto value = [&](std::size_t t) {
      return is_reserved ? arrays.reserved[t] * arrays.reserved_scale[t]
                         : arrays.value[c * arrays.stride + t];
    };
    double count = 0;
    double sum = 0;
    for (std::size_t t = 0; t < arrays.count; ++t) {
      if (!held(t)) continue;
      count += 1;
      sum += value(t);
    }
    const double mean = count == 0 ? 0 : sum / count;
    if (is_reserved) reserved_base_ = sum;
    weight_[c] = is_reserved ? weight_of(MetricId::ReservedMem) : layout_.channels[c].weight;
    inverse_count_[c] = inverse(count);
    for (std::size_t t = 0; t < arrays.count; ++t) {
      if (!held(t)) continue;
      const double centred = value(t) - mean;
      rows_[t * width_ + c] = centred;
      scales_[t * width_ + c] = is_reserved ? 0 : arrays.scale[c * arrays.stride + t];
      sums_[c] += centred;
      squares_[c] += centred * centred;
    }
    if (!caps_.empty()) read_capped(c, mean);
  }
}

void EndState::read_capped(std::size_t channel, double mean) {
  for (std::size_t t = 0; t < layout_.targets.size(); ++t) {
    for (Cap& cap : caps_[t]) {
      if (cap.channel != channel) continue;
      double* row = rows_.data() + t * width_;
      double* scale = scales_.data() + t * width_;
      cap.most = 1 - mean;
      row[cap.uncapped] =
          row[channel] + excess_share(cluster_, start_, layout_, nodes_[t], channel);
      std::swap(scale[cap.uncapped], scale[channel]);
    }
  }
}

void EndState::read_rooms(const fast::Arrays& arrays, bool force) {
  const fast::Arrays::Room& room = force ? arrays.hard : arrays.strict;
  const std::size_t units = layout_.units.size();
  rooms_ = kFirstUnit + units;
  left_.assign(rooms_ * nodes_.size(), 0);
  lack_.assign(rooms_ * nodes_.size(), 0);
  room_scale_.assign(rooms_ * nodes_.size(), 0);
  for (std::size_t t = 0; t < arrays.count; ++t) {
    const Node& node = cluster_[nodes_[t]];
    double* left = left_.data() + t * rooms_;
    double* scale = room_scale_.data() + t * rooms_;
    left[kMemory] = arrays.unallocated[t] - 1;
    left[kForthMemory] = room.forth_memory[t];
    left[kCpus] = room.cpus[t];
    left[kSpindles] = room.spindles[t];
    left[kDisk] = room.disk[t];
    left[kOwnSpindles] = kPlenty;
    if (node.has_exclusive_storage) {
      const NodeState& state = start_[nodes_[t]];
      left[kOwnSpindles] =
          static_cast<double>(std::min(state.free_spindles, state.forth_free_spindles));
      scale[kOwnSpindles] = inverse(static_cast<double>(node.total_spindles));
    }
    scale[kMemory] = scale[kForthMemory] = inverse(node.total_mem);
    scale[kCpus] = inverse(node.total_cpu);
    scale[kSpindles] = inverse(node.high_spindles);
    scale[kDisk] = inverse(node.total_disk);
    for (std::size_t u = 0; u < units; ++u) {
      left[kFirstUnit + u] = at_least_zero(room.units[u * arrays.stride + t]);
      scale[kFirstUnit + u] = inverse(node.total_disk);
    }
    for (std::size_t r = 0; r < rooms_; ++r) lack_[t * rooms_ + r] = at_least_zero(-left[r]);
  }
}

void EndState::read_nodes(const fast::Arrays& arrays) {
  figures_.resize(nodes_.size());
  peers_.resize(nodes_.size());
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const NodeState& state = start_[nodes_[n]];
    Figures& on = figures_[n];
    on.is_online = n < arrays.count;
    on.primaries = static_cast<double>(state.primaries.size());
    on.residents = on.primaries + static_cast<double>(state.secondaries.size());
    if (!on.is_online) continue;
    on.unallocated = arrays.unallocated[n];
    on.reserved = arrays.reserved[n];
    on.is_exclusive = cluster_[nodes_[n]].has_exclusive_storage;
    on.failed = state.fails_n1;
    on.inverse_mem = arrays.reserved_scale[n];
  }
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    for (const auto& [primary, memory] : start_[nodes_[n]].peers) {
      // Primaries outside of the part never move: any number that is not a node here serves.
      const std::int32_t known = index_[primary.index()];
      peers_[n].emplace_back(known >= 0 ? known : -2 - primary.value(),
                             static_cast<double>(memory));
    }
  }
}

void EndState::read_classes() {
  const std::size_t count = layout_.classes.size();
  for (auto* amounts : {&amounts_.primary, &amounts_.secondary}) amounts->assign(count * width_, 0);
  primary_takes_.assign(count * rooms_, 0);
  secondary_takes_.assign(count * rooms_, 0);
  for (std::size_t k = 0; k < count; ++k) {
    const fast::Amounts& amounts = layout_.classes[k];
    read_amounts(k);
    double* primary = primary_takes_.data() + k * rooms_;
    primary[kSpindles] = at_least_zero(amounts.spindles);
    primary[kDisk] = at_least_zero(amounts.disk);
    primary[kOwnSpindles] = amounts.forth_own_spindles;
    for (std::size_t u = 0; u < amounts.units.size(); ++u)
      primary[kFirstUnit + u] = at_least_zero(amounts.units[u]);
    std::copy_n(primary, rooms_, secondary_takes_.data() + k * rooms_);
    primary[kMemory] = amounts.memory;
    primary[kForthMemory] = amounts.forth_memory;
    primary[kCpus] = amounts.cpus;
  }
  if (!layout_.has_exclusive_storage) return;
  exclusive_amounts_ = amounts_;
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t c = 0; c < layout_.channels.size(); ++c) {
      const fast::Channel& channel = layout_.channels[c];
      if (!fast::is_in_spindles(cluster_, channel)) continue;
      const fast::Amounts& amounts = layout_.classes[k];
      const double spindles = channel.metric == MetricId::ForthFreeDisk ? amounts.forth_own_spindles
                                                                        : amounts.own_spindles;
      exclusive_amounts_.primary[k * width_ + c] = spindles;
      exclusive_amounts_.secondary[k * width_ + c] = spindles;
    }
  }
}

void EndState::read_amounts(std::size_t k) {
  const fast::Amounts& from = layout_.classes[k];
  const std::size_t channels = layout_.channels.size();
  std::copy_n(from.primary.data(), channels, amounts_.primary.data() + k * width_);
  std::copy_n(from.secondary.data(), channels, amounts_.secondary.data() + k * width_);
  for (const auto& caps : caps_) {
    for (const Cap& cap : caps) {
      amounts_.primary[k * width_ + cap.uncapped] = from.primary[cap.channel];
      amounts_.secondary[k * width_ + cap.uncapped] = from.secondary[cap.channel];
    }
  }
}

bool EndState::may_move(const BalanceOptions& options, InstanceId id) const {
  const Instance& instance = cluster_[id];
  const Mirroring mirroring = mirroring_of(instance.disk_template);
  if (mirroring == Mirroring::None || layout_.class_of[id.index()] < 0) return false;
  if (cluster_.has_storage && instance.is_unit_unknown) return false;
  if (!is_considered(cluster_, start_, options, id)) return false;
  const Placement& placement = start_[id];
  const auto is_exclusive_at = [&](NodeId node) {
    return !node.is_none() && cluster_[node].has_exclusive_storage;
  };
  if (!may_be_anywhere(static_cast<std::size_t>(layout_.class_of[id.index()])) &&
      (is_exclusive_at(placement.primary) || is_exclusive_at(placement.secondary)))
    return false;
  if (mirroring == Mirroring::External) return true;
  return !placement.secondary.is_none() && placement.secondary != placement.primary &&
         index_[placement.secondary.index()] >= 0;
}

void EndState::read_movable(const Part& part, const BalanceOptions& options) {
  usual_primary_.assign(width_, 0);
  usual_secondary_.assign(width_, 0);
  primary_slopes_.assign(width_, 0);
  secondary_slopes_.assign(width_, 0);
  for (const InstanceId id : part.instances) {
    if (!may_move(options, id)) continue;
    const Instance& instance = cluster_[id];
    const Placement& placement = start_[id];
    Movable movable{};
    movable.id = id;
    movable.home.primary = index_[placement.primary.index()];
    const bool is_primary_online = !cluster_[placement.primary].is_offline;
    if (has_secondary(instance.disk_template)) {
      movable.home.secondary = index_[placement.secondary.index()];
      movable.ways = &reach_.mirrored(is_primary_online, !cluster_[placement.secondary].is_offline);
    } else {
      movable.away = reach_.shared(is_primary_online, false);
      movable.carried_locations = placement.location_score;
    }
    movable.copy_mib = copied_mib(cluster_, id, {MoveKind::ReplaceSecondary, {}});
    movable.amounts = static_cast<std::size_t>(layout_.class_of[id.index()]);
    movable.presence = instance.is_forthcoming ? 0 : 1;
    movable.reserved = instance.is_forthcoming ? 0 : layout_.classes[movable.amounts].reserved;
    movable.has_tags = !instance.exclusion_tags.empty();
    movable.has_locations = !instance.is_forthcoming &&
                            (layout_.has_location_tags || !instance.desired_locations.empty());
    movable_.push_back(movable);
    for (std::size_t c = 0; c < reserved_channel_; ++c) {
      usual_primary_[c] += amounts_.primary[movable.amounts * width_ + c];
      usual_secondary_[c] += amounts_.secondary[movable.amounts * width_ + c];
    }
    spots_.push_back(movable.home);
    costs_.push_back({});
  }
  for (std::vector<double>* usual : {&usual_primary_, &usual_secondary_}) {
    for (double& amount : *usual) amount *= inverse(static_cast<double>(movable_.size()));
  }
  usual_squares_.assign(width_, 0);
  blur_ = exact_ = usual_squares_;
  for (std::size_t c = 0; c < reserved_channel_; ++c) {
    double scale = 0;
    for (std::size_t t = 0; t < target_count(); ++t)
      scale += std::abs(scales_[t * width_ + c]) * inverse_count_[c];
    const double change = std::max(usual_primary_[c], usual_secondary_[c]) * scale;
    usual_squares_[c] = change * change * inverse_count_[c];
  }
}

}  // namespace ballast::ganeti
