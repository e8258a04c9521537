// SPDX-License-Identifier: BSD-2-Clause
// Instances on one node: equal nodes give almost the same score, and the last bits, which depend on
// the order of summation, decide among them.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "finder.hpp"

namespace ballast::ganeti::alloc {

std::optional<NodeId> CapacityFinder::find_single(const NodeFilter& filter) {
  struct Screened {
    ClassId id;
    double least;
  };
  std::vector<Screened> screened;
  double bound = std::numeric_limits<double>::infinity();
  Running with = running();
  for (const ClassId id : classes_.live()) {
    const ClassChange& change = classes_.as_primary(id);
    const auto& members = classes_.members(id);
    if (!change.fits() || (filter && std::none_of(members.begin(), members.end(), filter)))
      continue;
    with = running();
    with.update(change.before, change.after);
    const Running::Estimate estimate = with.estimate();
    if (!std::isfinite(estimate.score)) found_infinite_ = true;
    screened.push_back({id, estimate.least()});
    bound = std::min(bound, estimate.most());
  }
  std::vector<NodeId> nodes;
  for (const Screened& one : screened) {
    if (one.least > bound) continue;
    const auto& members = classes_.members(one.id);
    std::copy_if(members.begin(), members.end(), std::back_inserter(nodes),
                 [&](NodeId node) { return !filter || filter(node); });
  }
  if (nodes.empty() || found_infinite_) return std::nullopt;
  std::sort(nodes.begin(), nodes.end());
  return best_exactly(nodes);
}

/// The later of equally good ones.
NodeId CapacityFinder::best_exactly(std::span<const NodeId> nodes) {
  if (nodes.size() == 1) return nodes.front();
  std::vector<ChangedValues> changes;
  changes.reserve(nodes.size());
  for (const NodeId node : nodes) {
    const ClassChange& change = classes_.as_primary(classes_.of(node));
    changes.push_back({node, &change.before, &change.after});
  }
  const std::vector<double> scores = sheet_.totals_with_each(changes);
  std::size_t best = 0;
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    if (scores[i] <= scores[best]) best = i;
  }
  return nodes[best];
}

void CapacityFinder::count_single_failures(ReasonCounts& failures) {
  for (const ClassId id : classes_.live()) {
    const MaybeRefusal& refusal = classes_.as_primary(id).refusal;
    if (!refusal) continue;
    failures[static_cast<std::size_t>(refusal->reason)] +=
        static_cast<std::int64_t>(classes_.members(id).size());
  }
}

Placed CapacityFinder::placed_on(NodeId node) const {
  const InstanceRef ref{wanted_->id, &wanted_->of(cluster_[node].group), {node, NodeId(), 0}, true};
  Placed placed{ref.placement, {{node, NodeState()}}};
  put_primary(cluster_, state_[node], ref, placed.states[0].second);
  return placed;
}

Attempt CapacityFinder::attempt_single(bool with_failures) {
  Attempt attempt;
  const auto node = find_single({});
  if (found_infinite_) return attempt;
  if (!node || with_failures) count_single_failures(attempt.failures);
  if (node) attempt.placed = placed_on(*node);
  return attempt;
}

std::optional<Attempt> CapacityFinder::attempt_known(NodeId node, bool with_failures) {
  if (is_pair_ || found_infinite_ || !is_usable()) return std::nullopt;
  Attempt attempt;
  if (with_failures) count_single_failures(attempt.failures);
  attempt.placed = placed_on(node);
  return attempt;
}

std::optional<Attempt> CapacityFinder::attempt_accepted(
    const std::function<Verdict(NodeId)>& judge) {
  if (is_pair_ || !is_usable()) return std::nullopt;
  found_infinite_ = false;
  std::vector<bool> is_accepted(cluster_.nodes.size());
  Attempt attempt;
  for (const ClassId id : classes_.live()) {
    if (!classes_.as_primary(id).fits()) continue;
    for (const NodeId node : classes_.members(id)) {
      const Verdict verdict = judge(node);
      if (verdict == Verdict::Unknown) return std::nullopt;
      is_accepted[node.index()] = verdict == Verdict::Holds;
      if (verdict == Verdict::Fails) ++attempt.failures[static_cast<std::size_t>(FailReason::N1)];
    }
  }
  const auto node = find_single([&](NodeId one) { return is_accepted[one.index()]; });
  if (found_infinite_) return std::nullopt;
  count_single_failures(attempt.failures);
  if (node) attempt.placed = placed_on(*node);
  return attempt;
}

}  // namespace ballast::ganeti::alloc
