// SPDX-License-Identifier: BSD-2-Clause
// Several objects of one database: each has its own operator; they share the database, its
// coordinators and its lock.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ballast/fdb/search/simulate/simulate.hpp"

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

}  // namespace ballast::fdb
