// SPDX-License-Identifier: BSD-2-Clause
// Why a node cannot be emptied, and why a group is not better balanced: the best move of each
// instance that is concerned, and all that stands against it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ballast/core/value.hpp"
#include "ballast/ganeti/report/explain/explain.hpp"

namespace ballast::ganeti {

/// One instance of a node or group.
struct InstanceAtPlace {
  InstanceId instance;
  std::optional<ExplainedMove> allowed;    ///< the best legal one
  std::optional<ExplainedMove> forbidden;  ///< with its blockers; node: the one against which the
                                           ///< fewest rules stand, group: the best by score
  std::vector<std::string> obstacles;      ///< why no move is tried
};

/// All instances with their primary or mirror on the node, in index order; moves that leave it.
std::vector<InstanceAtPlace> explain_node(const Cluster& cluster, const State& state,
                                          const Part& part, const BalanceOptions& options,
                                          NodeId node);

/// Instances of the part whose best forbidden move would lower the score, and more than any legal
/// one does; the best first, at most `most`.
std::vector<InstanceAtPlace> explain_group(const Cluster& cluster, const State& state,
                                           const Part& part, const BalanceOptions& options,
                                           std::size_t most);

/// For people.
std::string node_explanation_text(const Cluster& cluster, const State& state, NodeId node,
                                  const std::vector<InstanceAtPlace>& all);
std::string group_explanation_text(const Cluster& cluster, const State& state, const Part& part,
                                   const std::vector<InstanceAtPlace>& all);

/// Columns and rows of the table "instances" in JSON.
std::vector<std::string> place_columns();
std::vector<ValueList> place_rows(const Cluster& cluster, const State& state,
                                  const std::vector<InstanceAtPlace>& all);

}  // namespace ballast::ganeti
