// SPDX-License-Identifier: BSD-2-Clause
// When least is left of copies, coordinators and free space while a plan runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ballast/fdb/model/cluster.hpp"
#include "ballast/fdb/search/step/trace_step.hpp"
#include "ballast/plan/plan.hpp"

namespace ballast::fdb {

/// The logical domain that the group is bound to, else the zone that the database saw.
std::string zone_of_group(const ProcessGroup& group);

/// A moment at which pods with data are down before that data lies elsewhere.
struct WeakMoment {
  int step = 0;                     ///< number of the step after which it begins; 0: from the start
  std::vector<std::string> groups;  ///< down, by ID
  int zones = 0;                    ///< they are in
  int more_may_fail = 0;            ///< zones; negative: the fault tolerance is exceeded
};

/// A pod with data that a step takes away before that data lies elsewhere.
struct Exposure {
  int step = 0;  ///< number of the step, from 1
  std::string group;
  std::optional<int> until;  ///< the step that makes the pod again; nothing: none does
};

struct CopiesDown {
  std::vector<WeakMoment> moments;  ///< after each step that takes pods away, while any is down
  std::vector<Exposure> exposures;  ///< by step, then by ID
};

/// Which pods with data are down while `steps` run, and whether their data was moved away first.
CopiesDown follow_copies(const Cluster& cluster, int fault_tolerance,
                         const std::vector<TraceStep>& steps);

/// How many coordinators answer at their addresses once a step has taken pods away.
struct ReachableCoordinators {
  int step = 0;  ///< number of the step, from 1
  int all = 0;
  int reachable = 0;
  int before = 0;  ///< reachable before the step
};

/// After each step that takes pods away while any coordinator does not answer. A pod that is made
/// anew answers at its old name, but not at its old IP.
std::vector<ReachableCoordinators> reachable_coordinators(const Cluster& cluster,
                                                          const std::vector<TraceStep>& steps);

/// One moment for each thing that runs short: redundancy (`left` is the number of zones that may
/// still fail), quorum (coordinators), availability, free space (bytes). What never gets less is
/// left out.
std::vector<plan::Weakest> weakest_moments(const Cluster& cluster, const CopiesDown& copies,
                                           const std::vector<TraceStep>& steps);

/// The worst of them in a few words, with the step; empty where there is none.
std::string worst_moment_text(const std::vector<plan::Weakest>& moments);

}  // namespace ballast::fdb
