// SPDX-License-Identifier: BSD-2-Clause
// What make_plan is made of: the trace of a simulation, turned part by part into a plan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ballast/fdb/search/moments/weak_moments.hpp"
#include "ballast/fdb/search/plan/planner.hpp"
#include "ballast/operators/plan/trace.hpp"

namespace ballast::fdb {

/// The plan that a simulation amounts to.
plan::Plan plan_of(const Cluster& snapshot, const ClusterSpec& desired, const PlanOptions& options,
                   std::int64_t desired_generation, const Simulation& simulation);

/// Names of the classes of groups, quickest where IDs are asked for in ascending order.
class GroupClasses {
 public:
  explicit GroupClasses(const Cluster& snapshot) : snapshot_(snapshot) {}

  /// Class of a group of the snapshot, else what its ID says; empty where neither does.
  std::string of(const std::string& id);

 private:
  const Cluster& snapshot_;
  std::size_t next_ = 0;  ///< position behind the group that was asked for last
};

/// Step `i` of the trace, without number and phase; `wave` is the one it belongs to.
plan::Step plan_step(const Cluster& snapshot, GroupClasses& classes,
                     const std::vector<TraceStep>& steps, std::size_t i, int wave);
/// What a person runs or watches for the step.
void add_commands(const Cluster& snapshot, const TraceStep& step, plan::Step& out);
/// What shows that each step is made. Precondition: the plan has the steps of the simulation.
void add_gates(const Cluster& snapshot, const Simulation& simulation, plan::Plan& plan);
/// What stands behind fewer copies once a step has taken pods away, and what may come of it.
void add_exposures(const Cluster& snapshot, const CopiesDown& copies, plan::Plan& plan);
void add_dead_end(const Cluster& snapshot, const ClusterSpec& desired, const PlanOptions& options,
                  const Simulation& simulation, const TraceStep& step, operators::Trace& trace);

plan::Totals totals_of(const Cluster& snapshot, const ClusterSpec& desired,
                       const Simulation& simulation);
/// A note that says why total and steps differ, where they do; needs the totals.
void add_byte_notes(const Cluster& snapshot, const ClusterSpec& desired,
                    const Simulation& simulation, plan::Plan& plan);
void add_queues(const ClusterSpec& desired, const Simulation& simulation, plan::Plan& plan);

/// Pods and processes per class, coordinators, densities, addresses, versions and configuration,
/// before the first step and after the last.
void add_summaries(const Cluster& snapshot, const ClusterSpec& desired,
                   const Simulation& simulation, plan::Plan& plan);

}  // namespace ballast::fdb
