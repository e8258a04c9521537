// SPDX-License-Identifier: BSD-2-Clause
// Snapshot and wish to a plan: simulation, warnings, remedies, totals.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ballast/fdb/search/simulate/simulate.hpp"
#include "ballast/plan/plan.hpp"

namespace ballast::fdb {

struct Planned {
  Simulation simulation;
  plan::Plan plan;
};

Planned make_plan(const Cluster& snapshot, const ClusterSpec& desired, const PlanOptions& options,
                  std::int64_t desired_generation);

/// SHA-256 of the canonical text of what was planned on: equal for equal models, whatever their
/// files looked like.
std::string fingerprint(const Cluster& snapshot, const ClusterSpec& desired);

// Parts of it.

/// What was taken for granted.
std::vector<plan::CodedText> list_assumptions(const Cluster& snapshot, const PlanOptions& options,
                                              const Simulation& simulation);
/// One line of what changes, how much moves, how long at least, and the worst moment; reads the
/// totals and the weakest moments of the plan.
std::string headline(const Cluster& snapshot, const ClusterSpec& desired,
                     const Simulation& simulation, const plan::Plan& plan);

}  // namespace ballast::fdb
