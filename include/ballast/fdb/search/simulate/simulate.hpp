// SPDX-License-Identifier: BSD-2-Clause
// Passes one after the other until nothing is left to do.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "ballast/fdb/search/world/world.hpp"

namespace ballast::fdb {

enum class Ending : std::uint8_t { Reconciled, Blocked, Skipped };

/// A group that keeps a condition which the snapshot brought along and that no step acts on.
struct LeftUnhealthy {
  std::string group;
  std::string condition;
  Time since = 0;
  /// When automatic replacement would act, where it is on; never before the end of the plan.
  std::optional<Time> replaced_from;
  std::string obstacle;  ///< why no step acts on it; empty: not known
};

struct Simulation {
  World world;  ///< as the last pass left it
  Ending ending = Ending::Reconciled;
  std::vector<TraceStep> steps;  ///< waits and dead ends included
  std::vector<LeftUnhealthy> left;
  std::vector<std::string> differences;  ///< that remain where the ending is Blocked
  int passes = 0;
};

/// `captures`: serial numbers of steps of an earlier, equal simulation; the world's captures then
/// hold the state after each of them.
Simulation simulate(const Cluster& snapshot, const ClusterSpec& desired, const PlanOptions& options,
                    std::set<int> captures = {});

/// Conditions that groups which stay keep at the end, by ID.
std::vector<LeftUnhealthy> left_unhealthy(const World& world);

/// Dead ends for the groups that stay and would keep a condition for ever: the operator never calls
/// such a cluster reconciled. Looked at where no gate explains it. Where the plan does what is
/// wished (`has_steps`), a group that was sick before and stays so is a note, no dead end.
std::vector<TraceStep> unfinished_groups(const World& world, bool has_steps);

/// What still differs from the wish; empty means reconciled.
std::vector<std::string> remaining_differences(const World& world);

}  // namespace ballast::fdb
