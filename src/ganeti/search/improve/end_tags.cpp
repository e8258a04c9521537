// SPDX-License-Identifier: BSD-2-Clause
#include "end_tags.hpp"

#include <algorithm>

#include "ballast/ganeti/model/tag_conflicts.hpp"
#include "ballast/ganeti/score/metrics.hpp"

namespace ballast::ganeti {

EndTags::EndTags(const Cluster& cluster, const State& start, const std::vector<NodeId>& nodes) {
  nodes_.resize(nodes.size());
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    OnNode& on = nodes_[n];
    const NodeState& state = start[nodes[n]];
    on.locations = cluster[nodes[n]].location_tags;
    on.counts.assign(state.primary_tags.begin(), state.primary_tags.end());
    for (const auto& [tag, times] : on.counts) on.conflicts += conflicts_of(times);
    on.conflicts_at_start = on.conflicts;
    conflicts_ += on.conflicts;
    pairs_.change({}, state.location_exclusions);
  }
  pair_conflicts_ = pairs_.conflicts();
}

void EndTags::count(std::size_t node, TagId tag, bool is_forthcoming, int sign) {
  OnNode& on = nodes_[node];
  auto entry = std::find_if(on.counts.begin(), on.counts.end(),
                            [&](const auto& counted) { return counted.first == tag; });
  if (entry == on.counts.end()) entry = on.counts.insert(entry, {tag, 0});
  const std::int64_t change = conflict_change(entry->second, sign);
  entry->second += sign;
  const auto excess = [&on] {
    return std::max<std::int64_t>(0, on.conflicts - on.conflicts_at_start);
  };
  new_conflicts_ -= excess();
  on.conflicts += change;
  conflicts_ += change;
  new_conflicts_ += excess();
  if (is_forthcoming) return;
  for (const TagId location : on.locations) {
    pair_conflicts_ += pairs_.add({location, tag}, sign);
  }
}

void EndTags::shift(const Instance& instance, std::size_t node, int sign) {
  for (const TagId tag : instance.exclusion_tags) count(node, tag, instance.is_forthcoming, sign);
}

double EndTags::score() const {
  return weight_of(MetricId::ExclusionTags) * static_cast<double>(conflicts_) +
         weight_of(MetricId::LocationExclusion) * static_cast<double>(pair_conflicts_);
}

}  // namespace ballast::ganeti
