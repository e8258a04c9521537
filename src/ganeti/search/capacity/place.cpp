// SPDX-License-Identifier: BSD-2-Clause
#include "place.hpp"

#include <map>

#include "ballast/ganeti/moves/new_instance.hpp"
#include "ballast/ganeti/score/sheet.hpp"
#include "ballast/ganeti/search/kernel/scoped_cluster.hpp"

namespace ballast::ganeti::alloc {
namespace {

Instance instance_of(const CapacityOptions& options, const InstanceSize& size) {
  Instance instance;
  instance.memory_mib = size.memory_mib;
  instance.disk_mib = size.disk_mib;
  instance.vcpus = size.vcpus;
  instance.spindle_use = options.spindle_use;
  instance.disk_template = options.disk_template;
  Disk disk;
  disk.size_mib = size.disk_mib;
  disk.taken_mib = size.disk_mib;
  disk.spindles = size.spindles;
  instance.disks.push_back(std::move(disk));
  return instance;
}

void count(ReasonCounts& failures, FailReason reason) {
  ++failures[static_cast<std::size_t>(reason)];
}

/// Successful candidates in the order in which they were tried, with their scores.
struct Ranking {
  std::vector<Placed> placed;
  std::vector<double> scores;

  /// The first in the reference's order that is accepted; those before it count as failures.
  std::optional<std::size_t> choose(const Acceptance& accept, ReasonCounts& failures) const {
    if (placed.empty()) return std::nullopt;
    const std::size_t last = placed.size() - 1;
    const auto order = reference_order(placed.size(), [&](std::size_t a, std::size_t b) {
      return is_greater(scores[last - a], scores[last - b]);
    });
    for (const std::size_t position : order) {
      if (!accept || accept(placed[last - position])) return last - position;
      count(failures, FailReason::N1);
    }
    return std::nullopt;
  }
};

std::vector<const NodeState*> pointers_to(const State& state) {
  std::vector<const NodeState*> pointers;
  for (const NodeState& node : state.nodes) pointers.push_back(&node);
  return pointers;
}

bool takes_shared_storage(const Cluster& cluster, const Instance& instance) {
  return cluster.has_storage && mirroring_of(instance.disk_template) == Mirroring::External;
}

/// What all nodes are after a new instance took its size from a shared pool, whichever of them it
/// runs on: the same for each candidate of a group, so it is worked out once.
class SharedStorage {
 public:
  SharedStorage(const Cluster& cluster, const State& state, const std::vector<NodeId>& nodes)
      : cluster_(cluster), state_(state), nodes_(nodes) {}

  /// None: the instance takes nothing from a shared pool.
  const State* after(const InstanceRef& ref) {
    if (!takes_shared_storage(cluster_, *ref.instance)) return nullptr;
    const GroupId group = cluster_[ref.placement.primary].group;
    const auto [place, is_new] = after_.try_emplace(group, state_);
    if (is_new) take_shared_storage(cluster_, place->second, ref, NodeId());
    return &place->second;
  }

  /// Scores of candidates of the group.
  const ScoreSheet& scores(NodeId candidate) {
    const GroupId group = cluster_[candidate].group;
    const auto known = after_.find(group);
    const State& state = known == after_.end() ? state_ : known->second;
    return tables_.try_emplace(group, cluster_, pointers_to(state), nodes_).first->second;
  }

  /// With the other nodes that change.
  [[nodiscard]] Placed completed(Placed placed) const {
    const NodeId node = placed.placement.primary;
    const auto known = after_.find(cluster_[node].group);
    if (known == after_.end()) return placed;
    for (const NodeId other : nodes_) {
      if (other != node) placed.states.emplace_back(other, known->second[other]);
    }
    return placed;
  }

 private:
  const Cluster& cluster_;
  const State& state_;
  const std::vector<NodeId>& nodes_;
  std::map<GroupId, State> after_;
  std::map<GroupId, ScoreSheet> tables_;
};

Attempt place_single(const Cluster& cluster, const State& state, const Wanted& wanted,
                     std::span<const CapacityCandidate> candidates, const Acceptance& accept) {
  Attempt attempt;
  Ranking ranking;
  const std::vector<NodeId> nodes = whole_part(cluster).nodes;
  SharedStorage shared(cluster, state, nodes);
  for (const CapacityCandidate& candidate : candidates) {
    const NodeId node = candidate.primary;
    InstanceRef ref{wanted.id, &wanted.of(cluster[node].group), {node, NodeId(), 0}, true};
    NodeState after;
    if (const auto no = put_primary(cluster, state[node], ref, after)) {
      count(attempt.failures, no->reason);
      continue;
    }
    if (const State* taken = shared.after(ref)) {
      ref.is_new = false;
      if (put_primary(cluster, (*taken)[node], ref, after)) continue;
    }
    const ChangedNode change{node, &after};
    ranking.scores.push_back(shared.scores(node).total_with(std::span(&change, 1)));
    ranking.placed.push_back({ref.placement, {}});
    ranking.placed.back().states.emplace_back(node, std::move(after));
  }
  Acceptance accept_whole;
  if (accept) accept_whole = [&](const Placed& placed) { return accept(shared.completed(placed)); };
  const auto chosen = ranking.choose(accept_whole, attempt.failures);
  if (chosen) attempt.placed = shared.completed(std::move(ranking.placed[*chosen]));
  return attempt;
}

/// All partners of one primary.
Ranking rank_pairs(const Cluster& cluster, const State& state, const Wanted& wanted,
                   const CapacityCandidate& candidate, const Running& base,
                   ReasonCounts& failures) {
  Ranking ranking;
  const NodeId primary = candidate.primary;
  const Instance& instance = wanted.of(cluster[primary].group);
  for (const NodeId secondary : candidate.secondaries) {
    const std::int64_t common = common_location_tags(cluster[primary], cluster[secondary]);
    const InstanceRef ref{wanted.id, &instance, {primary, secondary, common}, true};
    NodeState first;
    NodeState second;
    auto no = put_primary(cluster, state[primary], ref, first);
    if (!no) no = put_secondary(cluster, secondary, state[secondary], ref, second);
    if (no) {
      count(failures, no->reason);
      continue;
    }
    Running running = base;
    running.update(cluster, primary, state[primary], first);
    running.update(cluster, secondary, state[secondary], second);
    ranking.scores.push_back(running.score());
    ranking.placed.push_back({ref.placement, {}});
    ranking.placed.back().states.emplace_back(primary, std::move(first));
    ranking.placed.back().states.emplace_back(secondary, std::move(second));
  }
  return ranking;
}

Attempt place_pair(const Cluster& cluster, const State& state, const Wanted& wanted,
                   std::span<const CapacityCandidate> candidates, const Acceptance& accept) {
  Attempt attempt;
  double best = 0;
  const std::vector<NodeId> nodes = whole_part(cluster).nodes;
  const Running base = ScoreSheet(cluster, state, nodes).running();
  for (const CapacityCandidate& candidate : candidates) {
    Ranking ranking = rank_pairs(cluster, state, wanted, candidate, base, attempt.failures);
    const auto chosen = ranking.choose(accept, attempt.failures);
    if (!chosen) continue;
    // The later primary wins unless the earlier is strictly better.
    const double score = ranking.scores[*chosen];
    if (attempt.placed && best < score) continue;
    best = score;
    attempt.placed = std::move(ranking.placed[*chosen]);
  }
  return attempt;
}

}  // namespace

Wanted::Wanted(const Cluster& cluster, const CapacityOptions& options, const InstanceSize& size)
    : by_group_(cluster.groups.size(), instance_of(options, size)) {
  if (options.units.empty()) return;
  for (std::size_t g = 0; g < by_group_.size(); ++g) {
    by_group_[g].disks.front().unit = options.units[g];
    by_group_[g].disks_told = true;
  }
}

// Rules of nodes and units alone: others look at names and tags, which the new instances have not.

MaybeRefusal put_primary(const Cluster& cluster, const NodeState& before, const InstanceRef& ref,
                         NodeState& after) {
  return ganeti::put_primary(
      cluster, before, ref, Checks::All, false, [&](NodeId) -> const NodeState& { return before; },
      after);
}

MaybeRefusal put_secondary(const Cluster& cluster, NodeId node, const NodeState& before,
                           const InstanceRef& ref, NodeState& after) {
  return ganeti::put_secondary(
      cluster, node, before, ref, Checks::All, false,
      [&](NodeId) -> const NodeState& { return before; }, after);
}

Attempt place_one_by_one(const Cluster& cluster, const State& state, const Wanted& wanted,
                         std::span<const CapacityCandidate> candidates, const Acceptance& accept) {
  const bool is_pair = !candidates.empty() && !candidates.front().secondaries.empty();
  return is_pair ? place_pair(cluster, state, wanted, candidates, accept)
                 : place_single(cluster, state, wanted, candidates, accept);
}

}  // namespace ballast::ganeti::alloc
