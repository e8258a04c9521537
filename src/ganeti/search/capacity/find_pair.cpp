// SPDX-License-Identifier: BSD-2-Clause
// Mirrored instances: the score of a pair depends on the classes of its nodes alone.
#include <cmath>
#include <range/v3/view/cartesian_product.hpp>
#include <range/v3/view/reverse.hpp>

#include "finder.hpp"

namespace ballast::ganeti::alloc {

std::int64_t CapacityFinder::common_tags(ClassId primary, ClassId secondary) const {
  if (!has_location_tags_) return 0;
  return common_location_tags(cluster_[classes_.members(primary).front()],
                              cluster_[classes_.members(secondary).front()]);
}

/// The last pair in the reference's order that is no exception.
std::optional<CapacityFinder::Pair> CapacityFinder::regular_pair(ClassId primary,
                                                                 ClassId secondary) const {
  using ranges::views::reverse;
  const auto pairs = ranges::views::cartesian_product(reverse(classes_.members(primary)),
                                                      reverse(classes_.members(secondary)));
  for (const auto& [first, second] : pairs) {
    if (first != second && peer_memory(state_[second], first) == 0) return Pair(first, second);
  }
  return std::nullopt;
}

std::optional<CapacityFinder::Pair> CapacityFinder::find_pair() {
  std::optional<Pair> best;
  double best_score = 0;
  const auto offer = [&](double score, auto&& find) {
    if (!std::isfinite(score)) found_infinite_ = true;
    if (best && best_score < score) return;
    const std::optional<Pair> pair = find();
    if (!pair || (best && best_score == score && *pair < *best)) return;
    best = pair;
    best_score = score;
  };
  std::map<ClassId, Running> with_primary;
  Running both = running();
  const auto score_of = [&](const Running& with_first, ClassId first, ClassId second,
                            const ClassChange& secondary) {
    both = with_first;
    both.update(secondary.before, secondary.after);
    both.add_to_sum(MetricId::Location, static_cast<double>(common_tags(first, second)));
    return both.score();
  };
  for (const ClassId first : classes_.live()) {
    const ClassChange& primary = classes_.as_primary(first);
    if (!primary.fits()) continue;
    Running& with_first = with_primary.emplace(first, running()).first->second;
    with_first.update(primary.before, primary.after);
    for (const ClassId second : classes_.live()) {
      if (classes_.group(second) != classes_.group(first)) continue;
      const ClassChange& secondary = classes_.as_secondary(second, 0);
      if (!secondary.fits()) continue;
      offer(score_of(with_first, first, second, secondary),
            [&] { return regular_pair(first, second); });
    }
  }
  for (const auto& [exception, pairs] : exceptions_) {
    const auto with_first = with_primary.find(exception.primary);
    if (with_first == with_primary.end()) continue;
    const ClassChange& secondary = classes_.as_secondary(exception.secondary, exception.peer_mib);
    if (!secondary.fits()) continue;
    offer(score_of(with_first->second, exception.primary, exception.secondary, secondary),
          [last = *pairs.rbegin()] { return std::optional<Pair>(last); });
  }
  return best;
}

void CapacityFinder::count_pair_failures(ReasonCounts& failures) {
  const auto add = [&](const MaybeRefusal& refusal, std::int64_t count) {
    failures[static_cast<std::size_t>(refusal->reason)] += count;
  };
  const auto size = [&](ClassId id) {
    return static_cast<std::int64_t>(classes_.members(id).size());
  };
  for (const ClassId first : classes_.live()) {
    const ClassChange& primary = classes_.as_primary(first);
    for (const ClassId second : classes_.live()) {
      if (classes_.group(second) != classes_.group(first)) continue;
      const std::int64_t pairs = size(first) * (size(second) - (first == second ? 1 : 0));
      const ClassChange& secondary = classes_.as_secondary(second, 0);
      if (!primary.fits()) {
        add(primary.refusal, pairs);
      } else if (!secondary.fits()) {
        add(secondary.refusal, pairs);
      }
    }
  }
  for (const auto& [exception, pairs] : exceptions_) {
    if (!classes_.as_primary(exception.primary).fits()) continue;
    const auto count = static_cast<std::int64_t>(pairs.size());
    const ClassChange& usual = classes_.as_secondary(exception.secondary, 0);
    if (!usual.fits()) add(usual.refusal, -count);
    const ClassChange& own = classes_.as_secondary(exception.secondary, exception.peer_mib);
    if (!own.fits()) add(own.refusal, count);
  }
}

Attempt CapacityFinder::attempt_pair(bool with_failures) {
  Attempt attempt;
  const auto pair = find_pair();
  if (found_infinite_) return attempt;
  if (!pair || with_failures) count_pair_failures(attempt.failures);
  if (!pair) return attempt;
  const auto [primary, secondary] = *pair;
  const std::int64_t common = common_location_tags(cluster_[primary], cluster_[secondary]);
  const InstanceRef ref{
      wanted_->id, &wanted_->of(cluster_[primary].group), {primary, secondary, common}, true};
  Placed placed{ref.placement, {{primary, NodeState()}, {secondary, NodeState()}}};
  put_primary(cluster_, state_[primary], ref, placed.states[0].second);
  put_secondary(cluster_, secondary, state_[secondary], ref, placed.states[1].second);
  attempt.placed = std::move(placed);
  return attempt;
}

}  // namespace ballast::ganeti::alloc
