// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/allocate/engine.hpp"

#include <algorithm>

#include "ballast/core/decimal.hpp"
#include "ballast/ganeti/model/refusal.hpp"
#include "ballast/ganeti/search/allocate/singles.hpp"
#include "dedicated.hpp"
#include "pairs.hpp"

namespace ballast::ganeti::alloc {

std::string to_string(const Metric& metric) {
  if (!metric.is_dedicated) return fixed(metric.score, 8);
  std::string text = "([";
  for (const std::int64_t lost : metric.lost) {
    if (text.size() > 2) text += ',';
    text += std::to_string(lost);
  }
  return text + "]," + std::to_string(metric.free_disk) + ")";
}

bool is_less(const Metric& a, const Metric& b) {
  if (!a.is_dedicated) return a.score < b.score;
  if (a.price != b.price) return a.price < b.price;
  return a.lost != b.lost ? a.lost < b.lost : a.free_disk < b.free_disk;
}

bool is_greater(const Metric& a, const Metric& b) {
  if (!a.is_dedicated) return is_greater(a.score, b.score);
  return is_less(b, a);
}

namespace {

std::string reasons_text(const Solution& solution) {
  std::string text;
  for (std::size_t i = 0; i < kReasons; ++i) {
    if (solution.failures[i] == 0) continue;
    if (!text.empty()) text += ", ";
    text += text_of(static_cast<FailReason>(i));
    text += ": " + std::to_string(solution.failures[i]);
  }
  return text;
}

}  // namespace

std::string describe(const Cluster& cluster, const Solution& solution) {
  const std::string reasons = reasons_text(solution);
  if (!solution.chosen) {
    return "No valid allocation solutions, failure reasons: " +
           (reasons.empty() ? "unknown reasons" : reasons);
  }
  std::int64_t failures = 0;
  for (const std::int64_t count : solution.failures) failures += count;
  std::string text = "score: " + to_string(solution.chosen->metric) + ", successes " +
                     std::to_string(solution.successes) + ", failures " + std::to_string(failures) +
                     " (" + reasons + ") for node(s) ";
  for (const NodeId node : solution.chosen->nodes) {
    if (node != solution.chosen->nodes.front()) text += '/';
    text += cluster[node].name;
  }
  return text;
}

Outcome<Candidates> candidates_of(const ScopedCluster& scope, std::span<const NodeId> allowed,
                                  std::int64_t required_nodes, const EngineOptions& options) {
  const Cluster& cluster = *scope.cluster;
  Candidates candidates;
  if (required_nodes != 1 && required_nodes != 2) {
    return tl::unexpected(Text("Unsupported number of nodes, only one or two  supported"));
  }
  candidates.is_pair = required_nodes == 2;
  for (const NodeId node : allowed) {
    if (cluster[node].is_offline) continue;
    const auto& names = options.restrict_to_nodes;
    if (names && std::find(names->begin(), names->end(), cluster[node].name) == names->end())
      continue;
    candidates.primaries.push_back(node);
  }
  if (!candidates.is_pair) {
    if (candidates.primaries.empty()) return tl::unexpected(Text("No online nodes"));
    return candidates;
  }
  if (candidates.primaries.size() < 2) return tl::unexpected(Text("Not enough online nodes"));
  candidates.secondaries = candidates.primaries;
  return candidates;
}

Solution search_candidates(const ScopedCluster& scope, const Record& wanted,
                           const Candidates& candidates, const EngineOptions& options) {
  if (options.is_dedicated) return search_dedicated(scope, wanted, candidates, options);
  return candidates.is_pair ? search_pairs(scope, wanted, candidates, options)
                            : search_singles(scope, wanted, candidates.primaries, options);
}

void accept(ScopedCluster& scope, StateStore& store, const Chosen& chosen) {
  const std::int32_t key = scope.instances.count();
  Record placed = chosen.record;
  placed.is_new = false;  // its size is taken: whoever moves it now moves what exists
  scope.instances.set(key, placed);
  for (const auto& [node, state] : chosen.states) {
    store.push_back(state);
    rename_new(store.back(), key);
    scope.states[node.index()] = &store.back();
  }
}

}  // namespace ballast::ganeti::alloc
