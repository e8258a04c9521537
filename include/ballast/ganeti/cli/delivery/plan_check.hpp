// SPDX-License-Identifier: BSD-2-Clause
// A plan that was made earlier, held against a snapshot of today.
#pragma once

#include "ballast/ganeti/cli/options/output.hpp"
#include "ballast/ganeti/cli/options/settings.hpp"
#include "ballast/ganeti/cli/options/start.hpp"
#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/model/snapshot.hpp"
#include "ballast/plan/plan.hpp"
#include "ballast/report/check.hpp"

#include <tl/expected.hpp>

#include <string>
#include <vector>

namespace ballast::ganeti::cli {

/// The snapshot, and the nodes that the plan is about: a group or all.
struct PlanScene {
  Snapshot snapshot;
  Part part;
  std::string fingerprint;
  bool force = false;  ///< soft errors are ignored: now by option, or when the plan was made
};

OrExit<PlanScene> load_scene(const plan::Plan& plan, const Settings& settings, Output& output);

/// Steps that are made count as such; the others are replayed. Drift names the instances that came,
/// went, moved or have another size.
report::PlanCheck check_plan(const plan::Plan& plan, const PlanScene& scene);

/// A new plan, or the steps (numbers of the old plan) that stand in its way.
using PlanOrProblems = tl::expected<plan::Plan, std::vector<plan::StepProblem>>;

/// What is left when the snapshot shows that some steps are made, and somebody says that those up
/// to the number `made` are. Steps that cannot be made any more are left out, each with its reason
/// (deferred, LEFT_OUT), where any is left besides; strictly, they are problems. Each step tells
/// the score and the N+1 that it leaves, a note whether the rest is still worth it.
PlanOrProblems remaining_plan(const plan::Plan& plan, const PlanScene& scene, int made,
                              bool is_strict);
/// The way back over the steps that are made, likewise; over all of them where none are.
PlanOrProblems plan_back(const plan::Plan& plan, const PlanScene& scene, int made);
/// The snapshot as it is once what is left of the plan is made, the memory that nodes report as
/// free included.
tl::expected<Snapshot, std::vector<plan::StepProblem>> snapshot_after(const plan::Plan& plan,
                                                                      const PlanScene& scene,
                                                                      int made);

}  // namespace ballast::ganeti::cli
