// SPDX-License-Identifier: BSD-2-Clause
// When each step of a plan runs, at the earliest, and on which lanes it is drawn.
#pragma once

#include "ballast/plan/plan.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace ballast::report {

struct Span {
  std::size_t step = 0;  ///< index into Plan::steps
  double begin = 0;
  double end = 0;
  bool is_unprotected = false;  ///< something has less redundancy while it runs
};

struct Lane {
  std::string name;
  std::vector<Span> spans;  ///< by begin
};

struct Timeline {
  bool is_seconds = false;  ///< begin and end are seconds; else bytes
  double length = 0;
  std::vector<Lane> lanes;       ///< those with most to do first, at most kMostLanes
  std::size_t hidden_lanes = 0;  ///< lanes beyond
  static constexpr std::size_t kMostLanes = 40;
};

/// Phases follow each other, none before the planner says that it can begin; steps of a phase begin
/// together, each behind its own waits. A step of which nothing is known is drawn half a hundredth
/// of the whole wide.
Timeline timeline_of(const plan::Plan& plan);

}  // namespace ballast::report
