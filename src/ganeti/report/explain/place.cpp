// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/report/explain/place.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "ballast/ganeti/score/metrics.hpp"

namespace ballast::ganeti {
namespace {

bool is_wished(const ExplainedMove& move) {
  return move.refusal && move.refusal->rule != Rule::TargetOffline;
}

bool has_better_score(const ExplainedMove& move, const std::optional<ExplainedMove>& best) {
  return !best || (move.score && (!best->score || *move.score < *best->score));
}

/// `is_meant`: which moves count at all.
template <class Meant>
InstanceAtPlace choose(const Cluster& cluster, const State& state, const Part& part,
                       const BalanceOptions& options, InstanceId id, bool fewest_rules,
                       Meant is_meant) {
  InstanceAtPlace result;
  result.instance = id;
  const auto order = [](const ExplainedMove& move) {
    return std::tuple(!move.blockers.is_all, move.blockers.texts.size(), !move.score,
                      move.score.value_or(0));
  };
  for (ExplainedMove& move : explained_moves(cluster, state, part, options, id)) {
    if (!is_meant(move)) continue;
    if (!move.refusal) {
      if (has_better_score(move, result.allowed)) result.allowed = std::move(move);
      continue;
    }
    if (!is_wished(move)) continue;
    if (fewest_rules) {
      move.blockers = blockers_of(cluster, state, id, move.move, options.ignore_soft_errors);
      if (!result.forbidden || order(move) < order(*result.forbidden))
        result.forbidden = std::move(move);
    } else if (has_better_score(move, result.forbidden)) {
      result.forbidden = std::move(move);
    }
  }
  if (!result.allowed && !result.forbidden)
    result.obstacles = explain(cluster, state, part, options, id).obstacles;
  return result;
}

}  // namespace

std::vector<InstanceAtPlace> explain_node(const Cluster& cluster, const State& state,
                                          const Part& part, const BalanceOptions& options,
                                          NodeId node) {
  std::set<InstanceId> there(state[node].primaries.begin(), state[node].primaries.end());
  there.insert(state[node].secondaries.begin(), state[node].secondaries.end());
  std::vector<InstanceAtPlace> all;
  for (const InstanceId id : there) {
    all.push_back(choose(cluster, state, part, options, id, true, [&](const ExplainedMove& move) {
      return move.after.primary != node && move.after.secondary != node;
    }));
  }
  return all;
}

std::vector<InstanceAtPlace> explain_group(const Cluster& cluster, const State& state,
                                           const Part& part, const BalanceOptions& options,
                                           std::size_t most) {
  const double now = full_score(cluster, state, part.nodes);
  std::vector<InstanceAtPlace> all;
  for (const InstanceId id : part.instances) {
    InstanceAtPlace one = choose(cluster, state, part, options, id, false,
                                 [](const ExplainedMove& move) { return move.score.has_value(); });
    if (!one.forbidden || !(*one.forbidden->score < now)) continue;
    if (one.allowed && *one.allowed->score <= *one.forbidden->score) continue;
    all.push_back(std::move(one));
  }
  std::stable_sort(all.begin(), all.end(), [](const InstanceAtPlace& a, const InstanceAtPlace& b) {
    return *a.forbidden->score < *b.forbidden->score;
  });
  if (all.size() > most) all.resize(most);
  for (InstanceAtPlace& one : all) {
    one.forbidden->blockers =
        blockers_of(cluster, state, one.instance, one.forbidden->move, options.ignore_soft_errors);
  }
  return all;
}

}  // namespace ballast::ganeti
