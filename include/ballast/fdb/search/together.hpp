// SPDX-License-Identifier: BSD-2-Clause
// Several objects of one database: each has its own operator; they share the database, its
// coordinators and its lock.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ballast/fdb/search/simulate.hpp"
#include "ballast/plan/plan.hpp"

namespace ballast::fdb {

struct ObjectWish {
  const Cluster* snapshot = nullptr;  ///< of one moment; the same status document for all
  ClusterSpec desired;
  std::int64_t generation = 0;
};

struct JointSimulation {
  std::vector<Simulation> objects;  ///< in the order of the wishes
  /// Pass p (from 1) of object i was made in turn turns[i][p - 1]; turns count from 1, over all.
  std::vector<std::vector<int>> turns;
};

/// The operators take turns by the clock; who waits for another goes on once that one has moved.
JointSimulation simulate_together(const std::vector<ObjectWish>& wishes,
                                  const PlanOptions& options);

struct JointPlan {
  plan::Plan plan;
  std::vector<Step> trace;            ///< in the order of the plan, dead ends last
  std::vector<std::string> problems;  ///< rules that a part of the plan breaks
};

/// One plan of all of them: the steps in the order of time, each with its object (system.object).
JointPlan plan_together(const std::vector<ObjectWish>& wishes, const PlanOptions& options);

}  // namespace ballast::fdb
