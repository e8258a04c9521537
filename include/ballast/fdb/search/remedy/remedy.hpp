// SPDX-License-Identifier: BSD-2-Clause
// Ways out of a dead end, before anybody has tried them.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "ballast/fdb/search/simulate/simulate.hpp"
#include "ballast/operators/plan/ways_out.hpp"
#include "ballast/plan/plan.hpp"

namespace ballast::fdb {

/// The first edit of the closed table whose own plan is not blocked; where none helps, all with the
/// gate at which each got stuck.
std::vector<plan::Remedy> find_remedies(const Cluster& snapshot, const ClusterSpec& desired,
                                        const PlanOptions& options, const Simulation& simulation,
                                        const TraceStep& dead_end);

/// What a remedy may change before it is planned again.
struct Trial {
  Cluster snapshot;
  ClusterSpec spec;
  PlanOptions options;
};

/// One line of the table. Where it counts, `{}` in `set` and `commands` stands for the number, and
/// numbers in (from, most] are tried, the smallest first.
struct RemedyEdit : operators::Remedy {
  RemedyEdit() { loss = plan::Loss::Effort; }
  std::function<void(Trial&, int)> apply;  ///< empty: advice that nothing here can try
  bool counts = false;
  bool is_alternative = false;  ///< told where it works, even if one before it works too
  int from = 0;
  int most = 1;
};

struct RemedyContext {
  const Cluster& snapshot;
  const ClusterSpec& desired;
  const PlanOptions& options;
  const Simulation& simulation;  ///< that got stuck
  const TraceStep& dead_end;
};

/// The part of the table that is about the database itself.
std::vector<RemedyEdit> database_remedies(const RemedyContext& context);
/// The hosts of stateful groups that stay; a group of which none is known counts as a host.
std::set<std::string> stateful_hosts(const Cluster& snapshot);
/// Three data halls: the zones of now become the halls, the hosts the zones.
RemedyEdit data_halls();
/// The lines of the closed table for the gate, the least harmful first.
std::vector<RemedyEdit> remedy_edits(const RemedyContext& context);

}  // namespace ballast::fdb
