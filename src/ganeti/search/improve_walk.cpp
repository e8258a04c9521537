// SPDX-License-Identifier: BSD-2-Clause
#include "improve_walk.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ballast::ganeti {

namespace {

constexpr std::int64_t kTrialsBetweenLooks = 256;  // at the clock, and at the limits
constexpr double kColdest = 1.0 / 400;             // of the temperature at the beginning
constexpr double kSoftShare = 0.5;                 // of the walk: walls can be passed
constexpr int kHardnessSteps = 5;
constexpr double kSoftest = 0.1;
constexpr double kLargestSurcharge = 60;
constexpr double kFree = 1e-9;  // walls below this are rounding

}  // namespace

Walk::Walk(EndState& ends, const WalkOptions& options, std::uint64_t seed)
    : ends_(ends),
      options_(options),
      rnd_(seed),
      best_worth_(std::numeric_limits<double>::infinity()),
      place_in_displaced_(ends.count(), -1) {
  double copies = 0;
  for (std::size_t i = 0; i < ends.count(); ++i) {
    best_.push_back(ends.spot(i));
    copies += static_cast<double>(ends.copy_mib(i));
    note_displaced(i);
  }
  if (ends.count() > 0) mean_copy_mib_ = std::max(1.0, copies / static_cast<double>(ends.count()));
  record();
}

double Walk::worth() const {
  return ends_.score() + options_.prices.per_step * static_cast<double>(ends_.total().steps) +
         options_.prices.per_mib * static_cast<double>(ends_.total().mib);
}

double Walk::objective() const {
  return worth() + ends_.walls() +
         temperature_ * (step_surcharge_ * static_cast<double>(ends_.total().steps) +
                         data_surcharge_ * static_cast<double>(ends_.total().mib) / mean_copy_mib_);
}

bool Walk::is_within() const {
  return ends_.total().steps <= options_.most.steps && ends_.total().mib <= options_.most.mib;
}

void Walk::note_displaced(std::size_t i) {
  std::int32_t& place = place_in_displaced_[i];
  const bool is_home = ends_.spot(i) == ends_.home(i);
  if (is_home == (place < 0)) return;
  if (!is_home) {
    place = static_cast<std::int32_t>(displaced_.size());
    displaced_.push_back(i);
    return;
  }
  const std::size_t last = displaced_.back();
  displaced_[static_cast<std::size_t>(place)] = last;
  place_in_displaced_[last] = place;
  displaced_.pop_back();
  place = -1;
}

std::size_t Walk::any_displaced() {
  return displaced_.empty() ? any() : displaced_[below(displaced_.size())];
}

std::int32_t Walk::any_target() { return static_cast<std::int32_t>(below(ends_.target_count())); }

bool Walk::put(std::size_t i, const Spot& spot) {
  if (spot == ends_.spot(i) || !ends_.may_be(i, spot)) return false;
  ends_.place(i, spot);
  touched_.push_back(i);
  return true;
}

// One end on the target, the other where it was at the start or is now.
bool Walk::put_somewhere(std::size_t i, std::int32_t target) {
  if (!ends_.is_mirrored(i)) return put(i, {target, -1});
  const Spot& now = ends_.spot(i);
  const Spot base = below(4) == 0 ? now : ends_.home(i);
  switch (below(9)) {
    case 0:
      return put(i, {now.secondary, now.primary});
    case 1:
    case 2:
      return put(i, {target, base.primary});
    case 3:
    case 4:
      return put(i, {base.primary, target});
    case 5:
    case 6:
      return put(i, {target, base.secondary});
    default:
      return put(i, {base.secondary, target});
  }
}

bool Walk::go_home() {
  const std::size_t i = any_displaced();
  return put(i, ends_.home(i));
}

// With the limits reached only changes that give back what they take can pass.
bool Walk::replace_displaced() {
  const std::size_t i = any_displaced();
  const Spot left = ends_.spot(i);
  if (!put(i, ends_.home(i))) return false;
  std::int32_t target = any_target();
  if (below(2) == 0) target = left.secondary >= 0 && below(2) == 0 ? left.secondary : left.primary;
  put_somewhere(any(), target);
  return true;
}

bool Walk::exchange() {
  const std::size_t i = below(2) == 0 ? any() : any_displaced();
  const std::size_t j = any();
  if (i == j) return false;
  Spot a = ends_.spot(i);
  Spot b = ends_.spot(j);
  const std::size_t ends = below(4);
  std::int32_t& one = (ends & 1U) != 0 && a.secondary >= 0 ? a.secondary : a.primary;
  std::int32_t& other = (ends & 2U) != 0 && b.secondary >= 0 ? b.secondary : b.primary;
  std::swap(one, other);
  return put(i, a) && (put(j, b), true);
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
  const std::size_t dice = below(100);
  if (dice < 30) return put_somewhere(any(), any_target());
  if (dice < 50) return put_somewhere(any_displaced(), any_target());
  if (dice < 58) return go_home();
  if (dice < 75) return replace_displaced();
  if (dice < 97) return exchange();
  return rotate();
}

void Walk::trial() {
  touched_.clear();
  if (!propose()) {
    ends_.take_back();
    return;
  }
  const double after = objective();
  const double rise = after - current_;
  if (rise <= 0 || (rise < 40 * temperature_ && rnd_.unit() < std::exp(-rise / temperature_))) {
    accept(after);
    return;
  }
  ends_.take_back();
}

void Walk::accept(double after) {
  ends_.keep();
  current_ = after;
  for (const std::size_t i : touched_) {
    note_displaced(i);
    unsaved_.push_back(i);
  }
  record();
}

void Walk::record() {
  if (!is_within() || ends_.walls() > kFree) return;
  const double now = worth();
  if (now >= best_worth_ - kFree) return;
  best_worth_ = now;
  for (const std::size_t i : unsaved_) best_[i] = ends_.spot(i);
  unsaved_.clear();
}

// What changes for the worse cost at the start, in the middle of all.
double Walk::usual_change() {
  std::vector<double> rises;
  const double before = worth() + ends_.walls();
  for (int k = 0; k < 400; ++k) {
    touched_.clear();
    if (put_somewhere(any(), any_target())) {
      const double rise = worth() + ends_.walls() - before;
      if (rise > 0) rises.push_back(rise);
    }
    ends_.take_back();
  }
  if (rises.empty()) return 1e-3;
  const auto middle = rises.begin() + static_cast<std::ptrdiff_t>(rises.size() / 2);
  std::nth_element(rises.begin(), middle, rises.end());
  return *middle;
}

void Walk::set_progress(double progress) {
  temperature_ = hot_ * std::pow(kColdest, progress);
  const double soft =
      std::floor(std::min(1.0, progress / kSoftShare) * kHardnessSteps) / kHardnessSteps;
  const double hardness = options_.heat < 1 ? 1 : kSoftest + (1 - kSoftest) * soft;
  if (hardness != hardness_) {
    hardness_ = hardness;
    ends_.set_hardness(hardness);
  }
  adapt_surcharges();
  current_ = objective();
}

void Walk::adapt_surcharges() {
  const auto adapt = [](double& surcharge, std::int64_t now, std::int64_t most) {
    surcharge =
        now > most ? std::min(kLargestSurcharge, surcharge * 1.03 + 0.005) : surcharge * 0.98;
  };
  adapt(step_surcharge_, ends_.total().steps, options_.most.steps);
  adapt(data_surcharge_, ends_.total().mib, options_.most.mib);
}

void Walk::run(const Clock& clock) {
  if (ends_.count() == 0 || ends_.target_count() < 2) return;
  hot_ = options_.heat * usual_change();
  const double begin = clock();
  for (std::int64_t i = 0; i < options_.trials; ++i) {
    if (i % kTrialsBetweenLooks == 0) {
      const double length = options_.until - begin;
      const double share = length > 0 ? (clock() - begin) / length : 1;
      if (share >= 1) break;
      set_progress(std::max(static_cast<double>(i) / static_cast<double>(options_.trials), share));
    }
    ++trials_;
    trial();
  }
  polish();
}

bool Walk::improve_by(std::size_t i, const Spot& spot) {
  touched_.clear();
  if (!put(i, spot)) return false;
  if (ends_.walls() <= kFree && is_within() && worth() < best_worth_ - kFree) {
    accept(objective());
    return true;
  }
  ends_.take_back();
  return false;
}

// From the best: what can go home, or there at less cost, does where the prices say so.
void Walk::polish() {
  for (std::size_t i = 0; i < ends_.count(); ++i) {
    if (ends_.spot(i) == best_[i]) continue;
    ends_.place(i, best_[i]);
    note_displaced(i);
  }
  ends_.set_hardness(1);
  unsaved_.clear();
  bool is_changed = true;
  while (is_changed) {
    is_changed = false;
    for (std::size_t i = 0; i < ends_.count(); ++i) {
      const Spot home = ends_.home(i);
      if (ends_.spot(i) == home) continue;
      if (improve_by(i, home)) {
        is_changed = true;
        continue;
      }
      if (!ends_.is_mirrored(i)) continue;
      const Spot now = ends_.spot(i);
      for (const std::int32_t node : {now.primary, now.secondary}) {
        for (const Spot& spot : {Spot{home.primary, node}, Spot{node, home.secondary},
                                 Spot{node, home.primary}, Spot{home.secondary, node}})
          is_changed = improve_by(i, spot) || is_changed;
      }
    }
  }
}

}  // namespace ballast::ganeti
