// SPDX-License-Identifier: BSD-2-Clause
#include "thorough.hpp"

#include <algorithm>
#include <cmath>

namespace ballast::ganeti {
namespace {

constexpr double kTie = 1e-9;  ///< of worths, relative

double worth_of_size(const InstanceSize& size, const InstanceSize& standard, bool counts_disk) {
  double worth = -1;
  const auto note = [&](std::int64_t figure, std::int64_t unit) {
    if (unit <= 0) return;
    const double share = static_cast<double>(figure) / static_cast<double>(unit);
    worth = worth < 0 ? share : std::min(worth, share);
  };
  note(size.memory_mib, standard.memory_mib);
  if (counts_disk) note(size.disk_mib, standard.disk_mib);
  note(size.vcpus, standard.vcpus);
  return worth < 0 ? 1 : worth;
}

}  // namespace

double worth_of(const FilledCluster& filled, const InstanceSize& standard, bool counts_disk) {
  double sum = 0;
  for (std::size_t i = filled.existing; i < filled.cluster.instances.size(); ++i) {
    const Instance& one = filled.cluster.instances[i];
    sum += worth_of_size({one.memory_mib, one.disk_mib, one.vcpus, 1}, standard, counts_disk);
  }
  return sum;
}

namespace alloc {
namespace {

constexpr std::int64_t kLeastMemory = 64;
constexpr std::int64_t kLeastDisk = 256;
constexpr std::int64_t kScale = 1024;  ///< steps between two sizes, where figures shrink together

bool counts_disk(const CapacityScene& scene) {
  return scene.options.disk_template != DiskTemplate::Diskless;
}

/// Between two values, `step` of kScale on the way; the ends are hit exactly.
std::int64_t between(std::int64_t from, std::int64_t to, std::int64_t step) {
  return from + (to - from) * step / kScale;
}

InstanceSize between(const InstanceSize& from, const InstanceSize& to, std::int64_t step) {
  return {between(from.memory_mib, to.memory_mib, step), between(from.disk_mib, to.disk_mib, step),
          between(from.vcpus, to.vcpus, step), between(from.spindles, to.spindles, step)};
}

/// Each figure on a geometric scale, so that sizes of very different ends are met evenly.
InstanceSize part_way(const InstanceSize& from, const InstanceSize& to, double share) {
  const auto one = [share](std::int64_t a, std::int64_t b) {
    if (a <= 0 || b <= 0) return a;
    return static_cast<std::int64_t>(std::llround(
        static_cast<double>(a) * std::pow(static_cast<double>(b) / static_cast<double>(a), share)));
  };
  return {one(from.memory_mib, to.memory_mib), one(from.disk_mib, to.disk_mib),
          one(from.vcpus, to.vcpus), one(from.spindles, to.spindles)};
}

/// The first step from 0 to kScale at which the answer is yes, which it then stays; it is at
/// kScale.
template <class Ask>
std::int64_t first_step(Ask ask) {
  std::int64_t no = 0;
  std::int64_t yes = kScale;
  while (yes - no > 1) {
    const std::int64_t middle = (no + yes) / 2;
    (ask(middle) ? yes : no) = middle;
  }
  return yes;
}

/// The largest value in [least, most) for which the answer is yes; it is at `least`.
template <class Ask>
std::int64_t largest_value(std::int64_t least, std::int64_t most, Ask ask) {
  while (most - least > 1) {
    const std::int64_t middle = least + (most - least) / 2;
    (ask(middle) ? least : most) = middle;
  }
  return least;
}

}  // namespace

ThoroughSearch::ThoroughSearch(const Cluster& cluster, const State& state,
                               const CapacityScene& scene, const InstanceSize& standard,
                               CapacityFiller::Limit limit)
    : cluster_(cluster), state_(state), scene_(scene), standard_(standard), limit_(limit) {
  for (const Group& group : cluster.groups) {
    for (const SpecRange& range : group.policy.ranges) {
      InstanceSize least = size_of(range.min);
      least.memory_mib = std::max(least.memory_mib, kLeastMemory);
      least.disk_mib = std::max(least.disk_mib, kLeastDisk);
      least.vcpus = std::max<std::int64_t>(least.vcpus, 1);
      least.spindles = std::max<std::int64_t>(least.spindles, 1);
      if (std::find(least_.begin(), least_.end(), least) == least_.end()) least_.push_back(least);
    }
  }
  if (least_.empty()) least_.push_back({kLeastMemory, kLeastDisk, 1, 1});
}

std::vector<ThoroughSearch::Figure> ThoroughSearch::figures() const {
  std::vector<Figure> all{&InstanceSize::memory_mib, &InstanceSize::vcpus};
  if (counts_disk(scene_)) all.push_back(&InstanceSize::disk_mib);
  if (std::any_of(cluster_.nodes.begin(), cluster_.nodes.end(),
                  [](const Node& node) { return node.has_exclusive_storage; }))
    all.push_back(&InstanceSize::spindles);
  return all;
}

double ThoroughSearch::worth(const InstanceSize& size) const {
  return worth_of_size(size, standard_, counts_disk(scene_));
}

std::size_t ThoroughSearch::count_of(const InstanceSize& size) {
  const auto [place, is_new] = counts_.try_emplace(size, 0);
  if (is_new) {
    CapacityFiller filler(cluster_, state_, scene_);
    (void)filler.fill(size, limit_);
    place->second = filler.placed();
  }
  return place->second;
}

std::optional<InstanceSize> ThoroughSearch::scaled_for_more(const InstanceSize& size) {
  const std::size_t count = count_of(size);
  for (const InstanceSize& least : least_) {
    const InstanceSize end{
        std::min(least.memory_mib, size.memory_mib), std::min(least.disk_mib, size.disk_mib),
        std::min(least.vcpus, size.vcpus), std::min(least.spindles, size.spindles)};
    if (count_of(end) <= count) continue;
    return between(size, end, first_step([&](std::int64_t step) {
                     return count_of(between(size, end, step)) > count;
                   }));
  }
  return std::nullopt;
}

std::vector<SmallerSize> ThoroughSearch::smaller_sizes() {
  std::vector<SmallerSize> found;
  const std::size_t count = count_of(standard_);
  for (const Figure figure : figures()) {
    for (const InstanceSize& least : least_) {
      InstanceSize size = standard_;
      const auto fits_more = [&](std::int64_t value) {
        size.*figure = value;
        return count_of(size) > count;
      };
      if (least.*figure >= standard_.*figure || !fits_more(least.*figure)) continue;
      size.*figure = largest_value(least.*figure, standard_.*figure, fits_more);
      found.push_back({size, count_of(size)});
      break;
    }
  }
  return found;
}

std::vector<InstanceSize> ThoroughSearch::first_sizes(std::span<const InstanceSize> sizes) {
  constexpr int kBetween = 6;
  std::vector<InstanceSize> firsts(sizes.begin(), sizes.end());
  const auto add = [&](const InstanceSize& size) {
    if (size.memory_mib > 0 && std::find(firsts.begin(), firsts.end(), size) == firsts.end())
      firsts.push_back(size);
  };
  for (const InstanceSize& size : sizes) {
    for (int i = 1; i < kBetween; ++i)
      add(part_way(size, standard_, static_cast<double>(i) / kBetween));
    if (const auto more = scaled_for_more(size)) add(*more);
  }
  add(standard_);
  return firsts;
}

std::optional<InstanceSize> ThoroughSearch::largest_on_the_way(CapacityFiller& filler,
                                                               const InstanceSize& from,
                                                               const InstanceSize& to) {
  if (from == to || !filler.fits(to)) return std::nullopt;
  std::vector<Figure> changed;
  for (const Figure figure : figures()) {
    if (from.*figure != to.*figure) changed.push_back(figure);
  }
  InstanceSize size = to;
  if (changed.size() > 1) {
    size = between(from, to, first_step([&](std::int64_t step) {
                     return filler.fits(between(from, to, step));
                   }));
  }
  // To the MiB: what the figures have in common leaves some of each.
  for (const Figure figure : changed) {
    size.*figure = largest_value(size.*figure, from.*figure, [&](std::int64_t value) {
      InstanceSize one = size;
      one.*figure = value;
      return filler.fits(one);
    });
  }
  return size;
}

std::optional<InstanceSize> ThoroughSearch::next_size(CapacityFiller& filler,
                                                      const InstanceSize& size) {
  const std::vector<Figure> all = figures();
  std::optional<InstanceSize> best;
  for (const InstanceSize& least : least_) {
    for (std::size_t set = 1; set < (std::size_t{1} << all.size()); ++set) {
      InstanceSize to = size;
      for (std::size_t i = 0; i < all.size(); ++i) {
        if ((set >> i & 1) != 0) to.*all[i] = std::min(least.*all[i], size.*all[i]);
      }
      const auto found = largest_on_the_way(filler, size, to);
      if (found && (!best || worth(*found) > worth(*best))) best = found;
    }
  }
  return best;
}

CapacityRun ThoroughSearch::fill_from(const InstanceSize& first) {
  constexpr int kMostTiers = 64;
  CapacityFiller filler(cluster_, state_, scene_);
  CapacityRun run;
  InstanceSize size = first;
  for (int tier = 0;; ++tier) {
    CapacityFiller::Limit left = limit_;
    if (left) *left -= static_cast<std::int64_t>(filler.placed());
    run.failures = filler.fill(size, left);
    run.last_size = size;
    if (tier == kMostTiers || (left && limit_ == static_cast<std::int64_t>(filler.placed()))) break;
    const auto next = next_size(filler, size);
    if (!next) break;
    size = *next;
  }
  run.filled = filler.take();
  return run;
}

ThoroughRun ThoroughSearch::run(std::span<const InstanceSize> sizes, CapacityRun usual) {
  ThoroughRun best;
  const bool disk = counts_disk(scene_);
  best.usual_worth = worth_of(usual.filled, standard_, disk);
  best.standard_placed = count_of(standard_);
  best.worth = best.usual_worth;
  best.run = std::move(usual);
  for (const InstanceSize& first : first_sizes(sizes)) {
    CapacityRun tried = fill_from(first);
    const double worth = worth_of(tried.filled, standard_, disk);
    const bool is_fewer = worth >= best.worth && tried.filled.placed() < best.run.filled.placed();
    // A limit of 0 lets the usual tiers end without trying anything.
    const bool is_first = !best.run.failures && worth >= best.worth;
    if (worth <= best.worth * (1 + kTie) && !is_fewer && !is_first) continue;
    best.worth = worth;
    best.run = std::move(tried);
  }
  best.smaller = smaller_sizes();
  return best;
}

}  // namespace alloc
}  // namespace ballast::ganeti
