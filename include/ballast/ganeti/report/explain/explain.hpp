// SPDX-License-Identifier: BSD-2-Clause
// Why an instance goes, stays, or cannot go elsewhere: each move that the balancer could make of
// it, with the score that it gives or the rule that forbids it, and the smallest single change that
// would allow the best forbidden one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ballast/core/value.hpp"
#include "ballast/ganeti/moves/move.hpp"
#include "ballast/ganeti/report/explain/lift.hpp"
#include "ballast/ganeti/search/balance/balance.hpp"

namespace ballast::ganeti {

struct ExplainedMove {
  Move move;
  Placement after;                 ///< of the instance, if it were made
  std::optional<Refusal> refusal;  ///< none: it is legal
  std::string why;                 ///< the rule with its figures; empty where legal
  std::optional<double>
      score;  ///< after the move, or if no rule forbade it; none where it cannot be made at all
  std::int64_t copied_mib = 0;
  Blockers blockers;  ///< all rules against it; only of the first forbidden moves by score, and
                      ///< only in explain()
};

/// Least of, in this order: moves, MiB copied, settings changed.
struct SingleChange {
  std::string text;                   ///< "--max-cpu=4.25", "move web1 first: f"
  std::vector<std::string> commands;  ///< for a move of another instance, without "gnt-instance "
  std::int64_t moves = 0;
  std::int64_t copied_mib = 0;
  std::int64_t settings = 0;
  double score = 0;  ///< once both the change and the wanted move are made
};

struct Explanation {
  InstanceId instance;
  Placement placement;
  double score = 0;  ///< as it is now
  std::vector<std::string>
      obstacles;  ///< why the balancer does not look at the instance, or not at all kinds of moves
  std::vector<ExplainedMove> moves;  ///< in the balancer's order; one entry for each offline node
  std::optional<std::size_t> best_legal;
  std::optional<std::size_t> best_forbidden;
  std::optional<SingleChange> change;  ///< for best_forbidden; none: no single change allows it
};

/// Each move that the balancer could make of the instance, allowed or not, in its order.
std::vector<ExplainedMove> explained_moves(const Cluster& cluster, const State& state,
                                           const Part& part, const BalanceOptions& options,
                                           InstanceId instance);
/// The same rules as the search: options, migration restrictions and soft errors as `options` says.
Explanation explain(const Cluster& cluster, const State& state, const Part& part,
                    const BalanceOptions& options, InstanceId instance);

/// For people: heading, table, the change.
std::string explanation_text(const Cluster& cluster, const Explanation& explanation);
/// The same as a value: instance, placement, score, obstacles, moves, best, change. Sizes in bytes.
Value explanation_value(const Cluster& cluster, const Explanation& explanation);

}  // namespace ballast::ganeti
