// SPDX-License-Identifier: BSD-2-Clause
#include "walk.hpp"

#include <algorithm>
#include <cmath>

namespace ballast::ganeti {

namespace {

constexpr std::int64_t kTrialsBetweenLooks = 256;  // at the clock, and at the limits
constexpr double kColdest = 1.0 / 40;              // of the temperature at the beginning
constexpr double kSoftShare = 0.5;                 // of the walk: walls can be passed
constexpr int kHardnessSteps = 5;
constexpr double kSoftest = 0.1;
constexpr double kBlur = 20;  // usual instances out of place, at the beginning
// A change of a usual size pays so much of its toll, to begin with.
constexpr double kUsualToll = 0.3;
// Trials. Shorter ones have no time for tolls to settle, nor for a detour by a soft reserve.
constexpr std::int64_t kLongWalk = 40000;
constexpr std::int64_t kLooksBetweenExtremes = 16;
constexpr double kAbove = 4;  // what passing the most score costs
// The clock shortens the walk only where it is late by this share: otherwise trials alone count,
// and the plan does not depend on the machine.
constexpr double kPatience = 0.15;
constexpr double kPolishShare = 1.0 / 4;  // of a walk's time, after it
constexpr double kFree = 1e-9;            // walls below this are rounding
constexpr double kAsMuch = 1e-12;         // so are differences of scores

}  // namespace

Walk::Walk(EndState& ends, const WalkOptions& options, std::uint64_t seed)
    : ends_(ends),
      options_(options),
      rnd_(seed),
      steps_(options.most.steps),
      mib_(options.most.mib),
      best_worth_(kNothing),
      known_(ends.count()),
      place_in_displaced_(ends.count(), -1),
      place_in_primaries_(ends.count(), -1),
      place_in_secondaries_(ends.count(), -1),
      primaries_(ends.node_count()),
      secondaries_(ends.node_count()) {
  for (std::size_t i = 0; i < ends.count(); ++i) {
    best_.push_back(ends.spot(i));
    note(i);
  }
  record();
  usual_change_ = usual_change();
}

void Walk::begin_at(const std::vector<Placement>& placements, const Clock& clock) {
  ends_.adopt(placements);
  for (std::size_t i = 0; i < ends_.count(); ++i) {
    if (ends_.spot(i) == known_[i]) continue;
    note(i);
    unsaved_.push_back(i);
  }
  return_to_limits(clock);
  record();
}

// What costs least by going home does, until the limits hold.
void Walk::return_to_limits(const Clock& clock) {
  while (!is_within() && !displaced_.empty()) {
    std::size_t best = displaced_.front();
    double least = kNothing;
    const bool is_over = clock() >= options_.until;
    for (const std::size_t i : displaced_) {
      if (is_over) break;
      ends_.place(i, ends_.home(i));
      const double value = ends_.score() + ends_.walls();
      if (value < least) {
        least = value;
        best = i;
      }
      ends_.take_back();
    }
    ends_.place(best, ends_.home(best));
    ends_.keep();
    note(best);
    unsaved_.push_back(best);
  }
}

double Walk::priced(double score) const {
  return score + options_.prices.per_step * static_cast<double>(ends_.total().steps) +
         options_.prices.per_mib * static_cast<double>(ends_.total().mib);
}

double Walk::worth() const { return priced(ends_.score()); }

// In the end a plan must not score worse than the step-by-step one, whatever the prices.
double Walk::objective() const {
  const double score = ends_.blurred_score();
  const double above = hardness_ == 1 ? std::max(0.0, score - options_.most_score) : 0;
  const Cost& used = ends_.total();
  return priced(score) + steps_.of(used.steps) + mib_.of(used.mib) + ends_.walls() + kAbove * above;
}

bool Walk::is_within() const {
  return ends_.total().steps <= options_.most.steps && ends_.total().mib <= options_.most.mib;
}

// Within the limits with what is proposed, or on the way back to them.
bool Walk::keeps_limits() const {
  Cost after = ends_.total();
  for (const auto& [i, spot] : proposed_) {
    const Cost now = ends_.cost(i);
    const Cost then = ends_.cost(i, spot);
    after.steps += then.steps - now.steps;
    after.mib += then.mib - now.mib;
  }
  const Cost& before = ends_.total();
  return (after.steps <= steps_.most() || after.steps < before.steps) &&
         (after.mib <= mib_.most() || after.mib < before.mib);
}

bool Walk::place_proposed() {
  if (!keeps_limits()) return false;
  for (const auto& [i, spot] : proposed_) ends_.place(i, spot);
  return true;
}

namespace {

/// Lists that lose an entry by moving the last one to its place.
void take_out(std::vector<std::size_t>& list, std::vector<std::int32_t>& places, std::size_t i) {
  const auto place = static_cast<std::size_t>(places[i]);
  list[place] = list.back();
  places[list.back()] = static_cast<std::int32_t>(place);
  list.pop_back();
  places[i] = -1;
}

void put_in(std::vector<std::size_t>& list, std::vector<std::int32_t>& places, std::size_t i) {
  places[i] = static_cast<std::int32_t>(list.size());
  list.push_back(i);
}

}  // namespace

// Keeps the lists of who is where.
void Walk::note(std::size_t i) {
  const Spot& now = ends_.spot(i);
  Spot& known = known_[i];
  if (now.primary != known.primary) {
    if (known.primary >= 0)
      take_out(primaries_[static_cast<std::size_t>(known.primary)], place_in_primaries_, i);
    put_in(primaries_[static_cast<std::size_t>(now.primary)], place_in_primaries_, i);
  }
  if (now.secondary != known.secondary) {
    if (known.secondary >= 0)
      take_out(secondaries_[static_cast<std::size_t>(known.secondary)], place_in_secondaries_, i);
    put_in(secondaries_[static_cast<std::size_t>(now.secondary)], place_in_secondaries_, i);
  }
  known = now;
  const bool is_home = now == ends_.home(i);
  const bool is_listed = place_in_displaced_[i] >= 0;
  if (is_home && is_listed) take_out(displaced_, place_in_displaced_, i);
  if (!is_home && !is_listed) put_in(displaced_, place_in_displaced_, i);
}

void Walk::trial() {
  proposed_.clear();
  if (!propose() || !place_proposed()) return;
  const double after = objective();
  const double rise = after - current_;
  const bool is_taken =
      rise <= 0 || (rise < 40 * temperature_ && rnd_.unit() < std::exp(-rise / temperature_));
  is_taken ? accept(after) : ends_.take_back();
}

void Walk::accept(double after) {
  ends_.keep();
  current_ = after;
  for (const auto& [i, spot] : proposed_) {
    note(i);
    unsaved_.push_back(i);
  }
  record();
}

void Walk::record() {
  const double score = ends_.score();
  if (!is_within() || ends_.walls() > kFree || score > options_.most_score + kFree) return;
  const double now = priced(score);
  if (now >= best_worth_ - kFree) return;
  best_worth_ = now;
  for (const std::size_t i : unsaved_) best_[i] = ends_.spot(i);
  unsaved_.clear();
}

// What changes for the worse cost at the start, in the middle of all.
double Walk::usual_change() {
  if (ends_.count() == 0 || ends_.target_count() < 2) return 0;
  std::vector<double> rises;
  const double before = worth() + ends_.walls();
  for (int k = 0; k < 400; ++k) {
    proposed_.clear();
    if (put_somewhere(any())) {
      ends_.place(proposed_.front().first, proposed_.front().second);
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

void Walk::follow_limits(double progress) {
  const double usual = kUsualToll * usual_change_;
  const auto steps = static_cast<double>(std::max<std::int64_t>(1, steps_.limit()));
  const auto mib = static_cast<double>(std::max<std::int64_t>(1, mib_.limit()));
  steps_.follow(ends_.total().steps, usual, progress);
  mib_.follow(ends_.total().mib, usual * steps / mib, progress);
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
  ends_.set_blur(options_.heat < 1 ? 0 : kBlur * (1 - progress) * (1 - progress));
  if (options_.trials >= kLongWalk) guide(progress);
  ends_.read_slopes();
  current_ = objective();
  if (options_.seen) options_.seen(ends_.score(), trials_);
}

void Walk::guide(double progress) {
  ends_.watch_passage();
  ends_.set_softness((1 - progress) * (1 - progress));
  follow_limits(progress);
  if (trials_ % (kTrialsBetweenLooks * kLooksBetweenExtremes) == 0) ends_.find_extremes(extremes_);
}

void Walk::run(const Clock& clock) {
  if (ends_.count() == 0 || ends_.target_count() < 2) return;
  hot_ = options_.heat * usual_change_;
  const double begin = clock();
  for (std::int64_t i = 0; i < options_.trials; ++i) {
    if (i % kTrialsBetweenLooks == 0) {
      const double length = options_.until - begin;
      const double time_share = length > 0 ? (clock() - begin) / length : 1;
      if (time_share >= 1) break;
      const double trial_share = static_cast<double>(i) / static_cast<double>(options_.trials);
      set_progress(std::max(trial_share, (time_share - kPatience) / (1 - kPatience)));
    }
    ++trials_;
    trial();
  }
  polish(clock, options_.until + kPolishShare * (options_.until - begin));
}

bool Walk::improve_by(std::size_t i, const Spot& spot) {
  const double worth_before = worth();
  const Cost before = ends_.total();
  proposed_.clear();
  if (!put(i, spot) || !place_proposed()) return false;
  const Cost& now = ends_.total();
  const double rise = worth() - worth_before;
  // Worth more, or as much at less cost.
  const bool is_cheaper = now.steps <= before.steps && now.mib <= before.mib &&
                          (now.steps < before.steps || now.mib < before.mib);
  if (ends_.walls() <= kFree && is_within() && ends_.score() <= options_.most_score + kFree &&
      (rise < -kFree || (rise <= kAsMuch && is_cheaper))) {
    accept(objective());
    return true;
  }
  ends_.take_back();
  return false;
}

// From the best: what can go home, or there at less cost, does where the prices say so.
void Walk::polish(const Clock& clock, double until) {
  if (best_worth_ == kNothing) return;  // the next walk begins where this one ended
  for (std::size_t i = 0; i < ends_.count(); ++i) {
    if (ends_.spot(i) == best_[i]) continue;
    ends_.place(i, best_[i]);
    note(i);
  }
  ends_.set_hardness(1);
  ends_.set_blur(0);
  ends_.set_softness(0);
  steps_.end();
  mib_.end();
  unsaved_.clear();
  bool is_changed = true;
  while (is_changed) {
    is_changed = false;
    for (std::size_t i = 0; i < ends_.count(); ++i) {
      const Spot home = ends_.home(i);
      if (ends_.spot(i) == home) continue;
      if (clock() >= until) return;
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
