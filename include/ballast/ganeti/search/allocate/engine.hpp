// SPDX-License-Identifier: BSD-2-Clause
// One new instance on the nodes of one group: candidates, their metrics, the choice.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "ballast/core/result.hpp"
#include "ballast/ganeti/search/allocate/allocator.hpp"
#include "ballast/ganeti/search/kernel/scoped_cluster.hpp"

namespace ballast::ganeti::alloc {

inline constexpr std::size_t kReasons = 9;

/// The score, or on dedicated clusters what is lost of each test instance and then the free disk.
/// What breaches of priced rules cost is part of the score; on dedicated clusters, which have none,
/// it comes before all else.
struct Metric {
  double score = 0;
  std::vector<std::int64_t> lost;
  std::int64_t free_disk = 0;
  bool is_dedicated = false;
  double price = 0;  ///< dedicated only
};
std::string to_string(const Metric& metric);
bool is_less(const Metric& a, const Metric& b);
/// The reference's "greater": true also where one is not a number.
bool is_greater(const Metric& a, const Metric& b);

struct Chosen {
  Metric metric;
  Record record;  ///< as placed
  std::vector<NodeId> nodes;
  std::vector<std::pair<NodeId, NodeState>>
      states;  ///< the new instance is negative in their lists
};

struct Solution {
  std::optional<Chosen> chosen;
  std::array<std::int64_t, kReasons> failures{};
  std::int64_t successes = 0;
};

/// "score: ..., successes ..." or "No valid allocation solutions, ...".
std::string describe(const Cluster& cluster, const Solution& solution);

struct EngineOptions {
  bool force = false;
  bool force_secondary = false;
  bool capacity_checks = true;
  std::optional<std::vector<std::string>> restrict_to_nodes;
  bool is_dedicated = false;
};

using Text = std::string;
template <class T>
using Outcome = tl::expected<T, Text>;  ///< the error is part of an answer

/// Which nodes may take the new instance alone, or as primary with which secondaries.
struct Candidates {
  bool is_pair = false;
  std::vector<NodeId> primaries;
  std::vector<NodeId> secondaries;  ///< of every primary, except itself
};

Outcome<Candidates> candidates_of(const ScopedCluster& scope, std::span<const NodeId> allowed,
                                  std::int64_t required_nodes, const EngineOptions& options);

/// Tries all candidates and chooses. `wanted` has no nodes yet.
Solution search_candidates(const ScopedCluster& scope, const Record& wanted,
                           const Candidates& candidates, const EngineOptions& options);

/// A scope with the chosen placement in it; its states live in `store`.
void accept(ScopedCluster& scope, StateStore& store, const Chosen& chosen);

}  // namespace ballast::ganeti::alloc
