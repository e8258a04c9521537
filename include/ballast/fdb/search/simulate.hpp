// SPDX-License-Identifier: BSD-2-Clause
// Passes one after the other until nothing is left to do.
#pragma once

#include <string>
#include <vector>

#include "ballast/fdb/search/world.hpp"

namespace ballast::fdb {

enum class Ending : std::uint8_t { Reconciled, Blocked, Skipped };

/// A group that keeps a condition which the snapshot brought along and that no step acts on.
struct LeftUnhealthy {
  std::string group;
  std::string condition;
  Time since = 0;
  std::optional<Time> replaced_from;  ///< when automatic replacement would act, where it is on
};

struct Simulation {
  World world;  ///< as the last pass left it
  Ending ending = Ending::Reconciled;
  std::vector<Step> steps;  ///< waits and dead ends included
  std::vector<LeftUnhealthy> left;
  std::vector<std::string> differences;  ///< that remain where the ending is Blocked
  int passes = 0;
};

Simulation simulate(const Cluster& snapshot, const ClusterSpec& desired,
                    const PlanOptions& options);

/// What still differs from the wish; empty means reconciled.
std::vector<std::string> remaining_differences(const World& world);

}  // namespace ballast::fdb
