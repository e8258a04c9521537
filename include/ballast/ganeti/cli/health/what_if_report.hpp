// SPDX-License-Identifier: BSD-2-Clause
// hcheck --what-if: what the option's texts mean, and the answer for people and for programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ballast/core/result.hpp"
#include "ballast/ganeti/search/redundancy/spare_nodes.hpp"
#include "ballast/ganeti/search/redundancy/what_if.hpp"
#include "ballast/report/document.hpp"

namespace ballast::ganeti::cli {

/// "node=NAME" (in full, or as far as the first dot that makes it unique), "group=NAME" (or UUID),
/// "location=TAG" (all nodes that have it), "unit=TYPE/KEY" (everywhere), "unit=TYPE/KEY@NODE".
/// Errors quote the text and say what was expected or which names there are.
Result<Loss> read_loss(const Cluster& cluster, const std::vector<std::string>& texts);

/// Heading, summary, a table of the instances, a table of the nodes that take over.
std::string what_if_text(const Cluster& cluster, const State& state, const Loss& loss,
                         const WhatIf& answer);

/// Adds summary, findings and the tables `affected_instances` and `surviving_nodes`.
void add_what_if(report::Document& document, const Cluster& cluster, const State& state,
                 const Loss& loss, const WhatIf& answer);

/// "each": every online node gone by itself.
struct EachGone {
  std::string text;
  bool is_anything_down = false;
};
/// Adds the summary and the table `each_node_gone`.
EachGone what_if_each(report::Document& document, const Cluster& cluster, const State& state);

/// "most" and "leave=N".
struct SpareNodes {
  std::string text;
  bool is_short = false;  ///< fewer than N may leave
};
/// Adds the summary and the table `nodes_down_together`.
SpareNodes what_if_most(report::Document& document, const Cluster& cluster, const State& state);
/// N of "leave=N"; 0 where it is no number of 1 or more; none: another question.
std::optional<std::int64_t> asked_to_leave(const std::string& loss);
/// Adds the summary and the tables `nodes_that_may_leave` and, where there are too few,
/// `nodes_that_stay`.
SpareNodes what_if_leave(report::Document& document, const Cluster& cluster, const State& state,
                         std::int64_t count, const BalanceOptions& options);

/// Whether some instance would not run.
bool is_anything_down(const WhatIf& answer);

}  // namespace ballast::ganeti::cli
