// SPDX-License-Identifier: BSD-2-Clause
#include "finder.hpp"

#include "ballast/ganeti/model/ids_of.hpp"
#include "ballast/ganeti/moves/node_ops.hpp"

namespace ballast::ganeti::alloc {

CapacityFinder::CapacityFinder(const Cluster& cluster, const State& state,
                               std::span<const CapacityCandidate> candidates)
    : cluster_(cluster),
      state_(state),
      candidates_(candidates),
      sheet_(cluster, state, whole_part(cluster).nodes),
      classes_(cluster, state, sheet_.columns(), candidates),
      is_pair_(!candidates.empty() && !candidates.front().secondaries.empty()),
      partners_(cluster.nodes.size()) {
  for (const CapacityCandidate& candidate : candidates)
    has_location_tags_ = has_location_tags_ || !cluster[candidate.primary].location_tags.empty();
  for (const NodeId node : node_ids(cluster)) update_exceptions(node);
}

void CapacityFinder::update(NodeId node) {
  classes_.update(node);
  sheet_.update(node);
  running_.reset();
  update_exceptions(node);
}

void CapacityFinder::update_all() {
  for (const NodeId node : node_ids(cluster_)) update(node);
}

void CapacityFinder::set_wanted(const Wanted& wanted) {
  wanted_ = &wanted;
  classes_.set_wanted(wanted);
}

void CapacityFinder::update_exceptions(NodeId node) {
  if (!is_pair_ || !classes_.is_candidate(node)) return;
  for (const auto& [primary, memory] : state_[node].peers) {
    if (classes_.is_candidate(primary) && cluster_[primary].group == cluster_[node].group) {
      partners_[node.index()].insert(primary);
      partners_[primary.index()].insert(node);
    }
  }
  const std::set<NodeId> partners = partners_[node.index()];
  for (const NodeId other : partners) {
    set_exception(node, other);
    set_exception(other, node);
  }
}

void CapacityFinder::set_exception(NodeId primary, NodeId secondary) {
  const Pair pair(primary, secondary);
  if (const auto old = exception_of_.find(pair); old != exception_of_.end()) {
    const auto group = exceptions_.find(old->second);
    group->second.erase(pair);
    if (group->second.empty()) exceptions_.erase(group);
    exception_of_.erase(old);
  }
  const std::int64_t peer = peer_memory(state_[secondary], primary);
  if (peer == 0) return;
  const Exception exception{classes_.of(primary), classes_.of(secondary), peer};
  exceptions_[exception].insert(pair);
  exception_of_.emplace(pair, exception);
}

const Running& CapacityFinder::running() {
  if (!running_) running_ = sheet_.running();
  return *running_;
}

/// A new instance on shared storage changes every node, and sums of values that are no numbers say
/// nothing.
bool CapacityFinder::is_usable() {
  if (candidates_.empty()) return true;
  const Instance& instance = wanted_->of(cluster_[candidates_.front().primary].group);
  const bool is_shared =
      cluster_.has_storage && mirroring_of(instance.disk_template) == Mirroring::External;
  return running().is_finite() && !is_shared;
}

Attempt CapacityFinder::attempt(bool with_failures) {
  found_infinite_ = !is_usable();
  Attempt found;
  if (!found_infinite_)
    found = is_pair_ ? attempt_pair(with_failures) : attempt_single(with_failures);
  return found_infinite_ ? place_one_by_one(cluster_, state_, *wanted_, candidates_, {}) : found;
}

}  // namespace ballast::ganeti::alloc
