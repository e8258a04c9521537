// SPDX-License-Identifier: BSD-2-Clause
#include "end_state.hpp"

#include <algorithm>
#include <cmath>

#include "ballast/core/wide_vectors.hpp"

namespace ballast::ganeti {

namespace {

// What walls cost, in score: enough that no gain of a single placement pays for them in the end.
constexpr double kBeyond = 0.5;
constexpr double kBeyondShare = 20;
constexpr double kFailingShare = 5;
constexpr double kNewConflict = 4;

/// The nodes of both spots, each once.
template <class Visit>
void for_each_node(const Spot& a, const Spot& b, Visit visit) {
  const auto is_in_a = [&](std::int32_t node) { return node == a.primary || node == a.secondary; };
  visit(static_cast<std::size_t>(a.primary));
  if (a.secondary >= 0) visit(static_cast<std::size_t>(a.secondary));
  if (!is_in_a(b.primary)) visit(static_cast<std::size_t>(b.primary));
  if (b.secondary >= 0 && !is_in_a(b.secondary)) visit(static_cast<std::size_t>(b.secondary));
}

}  // namespace

// Two lanes of square roots are what bounds a trial: the loop must vectorise.
BALLAST_WIDE_VECTORS static double deviations(std::size_t width, const double* __restrict sums,
                                              const double* __restrict squares,
                                              const double* __restrict weight,
                                              const double* __restrict inverse_count,
                                              const double* __restrict blur) {
  double lanes[fast::kGroup] = {};
  for (std::size_t c = 0; c < width; c += fast::kGroup) {
    for (std::size_t k = 0; k < fast::kGroup; ++k) {
      const double mean = sums[c + k] * inverse_count[c + k];
      const double variance = squares[c + k] * inverse_count[c + k] - mean * mean;
      lanes[k] += weight[c + k] * std::sqrt((variance > 0 ? variance : 0) + blur[c + k]);
    }
  }
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

double EndState::score_with(const std::vector<double>& blur) const {
  return counted_ + weight_of(MetricId::Location) * locations_ + tags_.score() +
         weight_of(MetricId::ReservedTotal) * (sums_[reserved_channel_] + reserved_base_) +
         deviations(width_, sums_.data(), squares_.data(), weight_.data(), inverse_count_.data(),
                    blur.data());
}

double EndState::blurred_score() const {
  const double reserved = sums_[reserved_channel_] + reserved_base_;
  return score_with(blur_) +
         weight_of(MetricId::ReservedTotal) * softness_ * (softened_ - reserved);
}

void EndState::set_blur(double factor) {
  for (std::size_t c = 0; c < width_; ++c) blur_[c] = factor * usual_squares_[c];
}

double EndState::walls() const {
  return wall_ + kNewConflict * static_cast<double>(tags_.new_conflicts());
}

Cost EndState::cost(std::size_t i, const Spot& spot) const {
  const Movable& movable = movable_[i];
  const Spot& home = movable.home;
  if (spot == home) return {};
  if (movable.ways == nullptr) return {movable.away.steps, 0};
  const auto ends = ends_of(home.primary, home.secondary, spot.primary, spot.secondary);
  const Way& way =
      (*movable.ways)[static_cast<std::size_t>(ends[0])][static_cast<std::size_t>(ends[1])];
  return {way.steps, way.copies * movable.copy_mib};
}

// A new primary beside the old secondary: on the way the instance runs on that, which must have
// room and keep its reserve with all else as it is now.
bool EndState::can_pass(std::size_t i, const Spot& spot) const {
  const Movable& movable = movable_[i];
  const Spot& home = movable.home;
  if (!watches_passage_ || spot.secondary < 0 || spot.secondary != home.secondary ||
      spot.primary == home.primary)
    return true;
  const Figures& on = figures_[static_cast<std::size_t>(home.secondary)];
  if (on.failed || !on.is_online || !figures_[static_cast<std::size_t>(home.primary)].is_online)
    return true;
  const Spot& now = spots_[i];
  double others = 0;
  for (const auto& [primary, memory] : peers_[static_cast<std::size_t>(home.secondary)]) {
    const bool is_own = now.secondary == home.secondary && primary == now.primary;
    others = std::max(others, is_own ? memory - movable.reserved : memory);
  }
  if (now.primary == home.secondary) return on.unallocated > others;
  if (on.unallocated - layout_.classes[movable.amounts].memory <= others) return false;
  const double* left = left_.data() + static_cast<std::size_t>(home.secondary) * rooms_;
  const double* takes = primary_takes_.data() + movable.amounts * rooms_;
  const double* gives = secondary_takes_.data() + movable.amounts * rooms_;
  for (std::size_t r = 0; r < rooms_; ++r) {
    const double more = takes[r] - (now.secondary == home.secondary ? gives[r] : 0);
    if (more > 0 && left[r] < more) return false;
  }
  return true;
}

bool EndState::may_be(std::size_t i, const Spot& spot) const {
  if (spot.primary == spot.secondary || cost(i, spot).steps >= Way::kNone) return false;
  if (!may_be_anywhere(movable_[i].amounts) && spot != home(i) &&
      (is_exclusive(spot.primary) || is_exclusive(spot.secondary)))
    return false;
  if (!can_pass(i, spot)) return false;
  if (!layout_.has_migration_tags || spot.primary == home(i).primary) return true;
  return !check_migration(cluster_, nodes_[static_cast<std::size_t>(home(i).primary)],
                          nodes_[static_cast<std::size_t>(spot.primary)]);
}

void EndState::touch(std::size_t node) {
  if (touched_in_[node] == epoch_) return;
  touched_in_[node] = epoch_;
  const std::size_t size = width_ + rooms_;
  if (saved_values_.size() < (saved_.size() + 1) * size)
    saved_values_.resize((saved_.size() + 1) * size);
  double* values = saved_values_.data() + saved_.size() * size;
  std::copy_n(rows_.data() + node * width_, width_, values);
  std::copy_n(left_.data() + node * rooms_, rooms_, values + width_);
  saved_.push_back({node, figures_[node]});
}

void EndState::shift(std::size_t node, const double* amounts, const double* takes, double sign) {
  double* __restrict row = rows_.data() + node * width_;
  const double* __restrict scale = scales_.data() + node * width_;
  double* __restrict sum = sums_.data();
  double* __restrict square = squares_.data();
  // Groups of fixed length, so that each becomes vector operations; padding adds 0.
  for (std::size_t c = 0; c < width_; c += fast::kGroup) {
    for (std::size_t k = c; k < c + fast::kGroup; ++k) {
      const double change = sign * amounts[k] * scale[k];
      sum[k] += change;
      square[k] += change * (2 * row[k] + change);
      row[k] += change;
    }
  }
  double* __restrict left = left_.data() + node * rooms_;
  for (std::size_t r = 0; r < rooms_; ++r) left[r] -= sign * takes[r];
}

void EndState::shift_primary(const Movable& movable, std::size_t node, double sign) {
  shift(node, &amounts_on(node).primary[movable.amounts * width_],
        primary_takes_.data() + movable.amounts * rooms_, sign);
  figures_[node].primaries += sign * movable.presence;
  figures_[node].residents += sign * movable.presence;
  figures_[node].unallocated -= sign * layout_.classes[movable.amounts].memory;
}

void EndState::shift_secondary(const Movable& movable, std::size_t node, double sign) {
  shift(node, &amounts_on(node).secondary[movable.amounts * width_],
        secondary_takes_.data() + movable.amounts * rooms_, sign);
  figures_[node].residents += sign * movable.presence;
}

void EndState::reserve(const Movable& movable, const Spot& spot, double sign) {
  const double need = movable.reserved;
  if (need == 0) return;
  Peers& peers = peers_[static_cast<std::size_t>(spot.secondary)];
  const auto entry = std::find_if(peers.begin(), peers.end(),
                                  [&](const auto& peer) { return peer.first == spot.primary; });
  if (entry == peers.end()) {
    peers.emplace_back(spot.primary, sign * need);
    return;
  }
  entry->second += sign * need;
  if (entry->second != 0) return;
  *entry = peers.back();
  peers.pop_back();
}

void EndState::shift_tags(const Movable& movable, std::int32_t primary, int sign) {
  const auto node = static_cast<std::size_t>(primary);
  if (movable.has_tags && figures_[node].is_online) tags_.shift(cluster_[movable.id], node, sign);
}

void EndState::shift_value(std::size_t node, std::size_t channel, double change) {
  double& value = rows_[node * width_ + channel];
  sums_[channel] += change;
  squares_[channel] += change * (2 * value + change);
  value += change;
}

void EndState::cap(std::size_t node) {
  const double* row = rows_.data() + node * width_;
  for (const Cap& cap : caps_[node])
    shift_value(node, cap.channel, std::min(cap.most, row[cap.uncapped]) - row[cap.channel]);
}

// A forthcoming instance does not make the model look at N+1 anew.
void EndState::count_displaced(const Movable& movable, const Spot& spot, std::int32_t sign) {
  if (spot == movable.home || movable.presence == 0) return;
  for_each_node(movable.home, spot, [&](std::size_t node) { figures_[node].displaced += sign; });
}

// Reads anew what does not add up: reserved memory, failing, walls.
void EndState::settle(std::size_t node) {
  Figures& on = figures_[node];
  counted_ -= on.counted;
  wall_ -= on.wall;
  on.counted = on.wall = 0;
  if (!on.is_online) {
    on.counted = weight_of(MetricId::OfflineAll) * on.residents +
                 weight_of(MetricId::OfflinePrimary) * on.primaries;
    counted_ += on.counted;
    return;
  }
  double reserved = 0;
  for (const auto& [primary, memory] : peers_[node]) reserved = std::max(reserved, memory);
  if (reserved != on.reserved) {
    shift_value(node, reserved_channel_, (reserved - on.reserved) * on.inverse_mem);
    on.reserved = reserved;
  }
  soften(node);
  if (!caps_.empty()) cap(node);
  if (on.displaced == 0 ? on.failed : on.unallocated <= reserved) {
    on.counted = weight_of(MetricId::FailingN1) * on.residents;
    on.wall = (hardness_ - 1) * on.residents +
              kFailingShare * std::max(0.0, reserved - on.unallocated) * on.inverse_mem;
  }
  const double* left = left_.data() + node * rooms_;
  double least = 0;
  for (std::size_t r = 0; r < rooms_; ++r) least = std::min(least, left[r]);
  if (least < 0) on.wall += beyond_rooms(node);
  counted_ += on.counted;
  wall_ += on.wall;
}

// The fourth root of the sum of fourth powers: near the largest, but each entry counts.
void EndState::soften(std::size_t node) {
  double powers = 0;
  for (const auto& [primary, memory] : peers_[node]) {
    const double square = memory * memory;
    powers += square * square;
  }
  Figures& on = figures_[node];
  softened_ -= on.softened;
  on.softened = std::sqrt(std::sqrt(powers)) * on.inverse_mem;
  softened_ += on.softened;
}

double EndState::beyond_rooms(std::size_t node) const {
  double wall = 0;
  for (std::size_t r = node * rooms_; r < (node + 1) * rooms_; ++r) {
    const double beyond = -left_[r] - lack_[r];
    if (beyond > 0) wall += hardness_ * (kBeyond + kBeyondShare * beyond * room_scale_[r]);
  }
  return wall;
}

double EndState::location_score(const Movable& movable, const Spot& spot) const {
  const auto primary = static_cast<std::size_t>(spot.primary);
  if (!figures_[primary].is_online) return 0;
  const Node& node = cluster_[nodes_[primary]];
  std::int64_t score = location_deficit(cluster_[movable.id], node) + movable.carried_locations;
  if (spot.secondary >= 0)
    score += common_location_tags(node, cluster_[nodes_[static_cast<std::size_t>(spot.secondary)]]);
  return static_cast<double>(score);
}

// An end that stays costs nothing: only what is reserved there may change.
void EndState::place(std::size_t i, const Spot& spot) {
  const Spot before = spots_[i];
  const Movable& movable = movable_[i];
  const auto at = [](std::int32_t node) { return static_cast<std::size_t>(node); };
  for_each_node(before, spot, [&](std::size_t node) { touch(node); });
  count_displaced(movable, before, -1);
  count_displaced(movable, spot, 1);
  const bool is_primary_moved = spot.primary != before.primary;
  if (is_primary_moved) {
    shift_primary(movable, at(before.primary), -1);
    shift_primary(movable, at(spot.primary), 1);
    shift_tags(movable, before.primary, -1);
    shift_tags(movable, spot.primary, 1);
  }
  if (spot.secondary != before.secondary) {
    shift_secondary(movable, at(before.secondary), -1);
    shift_secondary(movable, at(spot.secondary), 1);
  }
  if (spot.secondary >= 0) {
    reserve(movable, before, -1);
    reserve(movable, spot, 1);
  }
  for_each_node(before, spot, [&](std::size_t node) { settle(node); });
  if (movable.has_locations)
    locations_ += location_score(movable, spot) - location_score(movable, before);
  placed_.push_back({i, before, costs_[i]});
  total_.steps -= costs_[i].steps;
  total_.mib -= costs_[i].mib;
  costs_[i] = cost(i, spot);
  total_.steps += costs_[i].steps;
  total_.mib += costs_[i].mib;
  spots_[i] = spot;
}

void EndState::keep() {
  placed_.clear();
  saved_.clear();
  ++epoch_;
  std::copy(sums_.begin(), sums_.end(), sums_before_.begin());
  std::copy(squares_.begin(), squares_.end(), squares_before_.begin());
  counted_before_ = counted_;
  softened_before_ = softened_;
  wall_before_ = wall_;
  locations_before_ = locations_;
  total_before_ = total_;
}

void EndState::take_back() {
  if (placed_.empty()) return;
  for (auto placed = placed_.rbegin(); placed != placed_.rend(); ++placed) {
    const Movable& movable = movable_[placed->instance];
    Spot& spot = spots_[placed->instance];
    if (spot.primary != placed->before.primary) {
      shift_tags(movable, spot.primary, -1);
      shift_tags(movable, placed->before.primary, 1);
    }
    if (spot.secondary >= 0) {
      reserve(movable, spot, -1);
      reserve(movable, placed->before, 1);
    }
    spot = placed->before;
    costs_[placed->instance] = placed->cost_before;
  }
  const std::size_t size = width_ + rooms_;
  for (std::size_t s = 0; s < saved_.size(); ++s) {
    const Saved& saved = saved_[s];
    std::copy_n(saved_values_.data() + s * size, width_, rows_.data() + saved.node * width_);
    std::copy_n(saved_values_.data() + s * size + width_, rooms_,
                left_.data() + saved.node * rooms_);
    figures_[saved.node] = saved.figures;
  }
  placed_.clear();
  saved_.clear();
  ++epoch_;
  std::copy(sums_before_.begin(), sums_before_.end(), sums_.begin());
  std::copy(squares_before_.begin(), squares_before_.end(), squares_.begin());
  counted_ = counted_before_;
  softened_ = softened_before_;
  wall_ = wall_before_;
  locations_ = locations_before_;
  total_ = total_before_;
}

}  // namespace ballast::ganeti
