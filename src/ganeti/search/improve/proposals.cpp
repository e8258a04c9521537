// SPDX-License-Identifier: BSD-2-Clause
// Which changes a walk tries: single moves, the way home, exchanges, chains.
#include <array>
#include <utility>

#include "walk.hpp"

namespace ballast::ganeti {

namespace {

constexpr std::size_t kContest = 3;  // the best of at most so many is tried
constexpr double kFromExtremes = 0.1;

}  // namespace

double Walk::slope_of(std::size_t i) const {
  const Spot& spot = ends_.spot(i);
  const double slope = ends_.primary_slope(spot.primary);
  return spot.secondary < 0 ? slope : slope + ends_.secondary_slope(spot.secondary);
}

// Where one instance more or less counts, few nodes are left that matter, and by chance they would
// rarely be met.
bool Walk::is_from_extremes() { return !extremes_.empty() && rnd_.unit() < kFromExtremes; }

// Rather from where the nodes are full; a third of the time from anywhere.
std::size_t Walk::any() {
  if (is_from_extremes()) {
    const auto node = static_cast<std::size_t>(any_extreme());
    const auto& there = below(2) == 0 ? primaries_[node] : secondaries_[node];
    if (!there.empty()) return there[below(there.size())];
  }
  std::size_t best = below(ends_.count());
  const std::size_t more = below(kContest);
  if (more == 0) return best;
  double best_slope = slope_of(best);
  for (std::size_t k = 0; k < more; ++k) {
    const std::size_t next = below(ends_.count());
    const double slope = slope_of(next);
    if (slope <= best_slope) continue;
    best = next;
    best_slope = slope;
  }
  return best;
}

std::size_t Walk::any_displaced() {
  return displaced_.empty() ? any() : displaced_[below(displaced_.size())];
}

// Rather where the nodes are empty.
std::int32_t Walk::any_target(bool for_primary) {
  if (is_from_extremes()) return any_extreme();
  auto best = static_cast<std::int32_t>(below(ends_.target_count()));
  const std::size_t more = below(kContest);
  if (more == 0) return best;
  const auto slope_at = [&](std::int32_t node) {
    return for_primary ? ends_.primary_slope(node) : ends_.secondary_slope(node);
  };
  double best_slope = slope_at(best);
  for (std::size_t k = 0; k < more; ++k) {
    const auto next = static_cast<std::int32_t>(below(ends_.target_count()));
    const double slope = slope_at(next);
    if (slope >= best_slope) continue;
    best = next;
    best_slope = slope;
  }
  return best;
}

// Nothing is placed before the whole proposal is known: most break a limit.
bool Walk::put(std::size_t i, const Spot& spot) {
  if (spot == ends_.spot(i) || !ends_.may_be(i, spot)) return false;
  for (const auto& [other, place] : proposed_) {
    if (other == i) return false;
  }
  proposed_.emplace_back(i, spot);
  return true;
}

// One end on a target, the other where it was at the start or is now.
bool Walk::put_somewhere(std::size_t i) {
  if (!ends_.is_mirrored(i)) return put(i, {any_target(true), -1});
  const Spot& now = ends_.spot(i);
  const Spot base = below(4) == 0 ? now : ends_.home(i);
  switch (below(9)) {
    case 0:
      return put(i, {now.secondary, now.primary});
    case 1:
    case 2:
      return put(i, {any_target(true), base.primary});
    case 3:
    case 4:
      return put(i, {base.primary, any_target(false)});
    case 5:
    case 6:
      return put(i, {any_target(true), base.secondary});
    default:
      return put(i, {base.secondary, any_target(false)});
  }
}

// One end on the node that another instance has left, the other where it was.
bool Walk::put_at(std::size_t i, std::int32_t node, bool as_primary) {
  if (!ends_.is_mirrored(i)) return put(i, {node, -1});
  const Spot& home = ends_.home(i);
  const std::int32_t other = below(2) == 0 ? home.primary : home.secondary;
  return as_primary ? put(i, {node, other}) : put(i, {other, node});
}

bool Walk::go_home() {
  const std::size_t i = any_displaced();
  return put(i, ends_.home(i));
}

// With the limits reached only changes that give back what they take can pass.
bool Walk::replace_displaced() {
  const std::size_t i = any_displaced();
  const Spot left = ends_.spot(i);
  const Spot home = ends_.home(i);
  if (!put(i, home)) return false;
  const std::size_t j = any();
  if (below(2) == 0) {
    put_somewhere(j);
  } else if (left.primary != home.primary && left.primary != home.secondary) {
    put_at(j, left.primary, true);
  } else {
    put_at(j, left.secondary >= 0 ? left.secondary : left.primary, left.secondary < 0);
  }
  return true;
}

// One goes home, and another from the same node takes over what it did: the numbers on the nodes
// stay.
bool Walk::substitute() {
  if (displaced_.empty()) return false;
  const std::size_t i = any_displaced();
  const Spot left = ends_.spot(i);
  const Spot home = ends_.home(i);
  const auto& candidates = left.primary != home.primary
                               ? primaries_[static_cast<std::size_t>(home.primary)]
                               : secondaries_[static_cast<std::size_t>(home.secondary)];
  if (candidates.empty()) return false;
  const std::size_t j = candidates[below(candidates.size())];
  if (i == j || ends_.is_mirrored(i) != ends_.is_mirrored(j) || !put(i, home)) return false;
  const Spot& other_home = ends_.home(j);
  const auto node = [&](std::int32_t of_first) {
    if (of_first == home.primary) return other_home.primary;
    return of_first == home.secondary ? other_home.secondary : of_first;
  };
  return put(j, {node(left.primary), node(left.secondary)});
}

/// The end that is new to the instance, or one of both.
std::int32_t& Walk::moved_end(std::size_t i, Spot& spot) {
  if (spot.secondary < 0) return spot.primary;
  const Spot& home = ends_.home(i);
  const bool is_primary_new = spot.primary != home.primary && spot.primary != home.secondary;
  const bool is_secondary_new = spot.secondary != home.primary && spot.secondary != home.secondary;
  if (is_primary_new != is_secondary_new) return is_primary_new ? spot.primary : spot.secondary;
  return below(2) == 0 ? spot.primary : spot.secondary;
}

/// Where there is none: count().
std::size_t Walk::any_displaced_on(std::int32_t node) {
  const auto& there = (below(2) == 0 ? primaries_ : secondaries_)[static_cast<std::size_t>(node)];
  const std::size_t first = there.empty() ? 0 : below(there.size());
  for (std::size_t k = 0; k < there.size(); ++k) {
    const std::size_t i = there[(first + k) % there.size()];
    if (place_in_displaced_[i] >= 0) return i;
  }
  return ends_.count();
}

// What a node has too many or too few of becomes another's, for no step more, until one that has
// too few of it meets one that has too many.
bool Walk::pass_on() {
  if (displaced_.empty()) return false;
  const std::int32_t node = any_extreme();
  if (below(3) == 0) {
    const std::size_t i = any_displaced();
    Spot spot = ends_.spot(i);
    moved_end(i, spot) = node;
    return put(i, spot);
  }
  const std::size_t i = any_displaced_on(node);
  if (i == ends_.count()) return false;
  Spot spot = ends_.spot(i);
  const bool is_primary = spot.primary == node;
  if (spot.secondary >= 0 && below(2) == 0) {
    std::swap(spot.primary, spot.secondary);
  } else {
    (is_primary ? spot.primary : spot.secondary) = any_target(is_primary);
  }
  return put(i, spot);
}

// Two instances exchange nodes.
bool Walk::exchange(bool only_displaced) {
  const std::size_t i = only_displaced || below(2) == 0 ? any_displaced() : any();
  const std::size_t j = only_displaced ? any_displaced() : any();
  if (i == j) return false;
  Spot a = ends_.spot(i);
  Spot b = ends_.spot(j);
  // Either may draw: in this order, whatever the compiler does with arguments.
  std::int32_t& end_of_b = moved_end(j, b);
  std::int32_t& end_of_a = moved_end(i, a);
  std::swap(end_of_a, end_of_b);
  return put(i, a) && put(j, b);
}

// Each of three instances takes the place of the next.
bool Walk::rotate() {
  std::array<std::size_t, 3> three{any_displaced(), any(), any()};
  if (three[0] == three[1] || three[1] == three[2] || three[0] == three[2]) return false;
  std::array<std::int32_t, 3> places{};
  std::array<bool, 3> is_secondary{};
  for (std::size_t k = 0; k < 3; ++k) {
    const Spot& spot = ends_.spot(three[k]);
    is_secondary[k] = spot.secondary >= 0 && below(2) == 0;
    places[k] = is_secondary[k] ? spot.secondary : spot.primary;
  }
  bool is_changed = false;
  for (std::size_t k = 0; k < 3; ++k) {
    Spot spot = ends_.spot(three[k]);
    (is_secondary[k] ? spot.secondary : spot.primary) = places[(k + 1) % 3];
    is_changed = put(three[k], spot) || is_changed;
  }
  return is_changed;
}

bool Walk::propose() {
  if (!extremes_.empty() && below(10) == 0) return pass_on();
  const std::size_t dice = below(100);
  if (dice < 22) return put_somewhere(any());
  if (dice < 38) return put_somewhere(any_displaced());
  if (dice < 43) return go_home();
  if (dice < 50) return replace_displaced();
  if (dice < 70) return substitute();
  if (dice < 85) return exchange(true);
  if (dice < 97) return exchange(false);
  return rotate();
}

}  // namespace ballast::ganeti
