// SPDX-License-Identifier: BSD-2-Clause
// What comes out when a plan is held against a snapshot.
#pragma once

#include "ballast/plan/drift.hpp"
#include "ballast/plan/replay.hpp"
#include "ballast/report/document.hpp"

#include <string>
#include <vector>

namespace ballast::report {

struct PlanCheck {
  /// Do all steps that are left hold, and lead where they should?
  [[nodiscard]] bool holds() const { return problems.empty() && end_drifts.empty(); }

  bool seal_holds = true;
  std::string fingerprint;              ///< of the snapshot that the plan was held against
  std::vector<int> made;                ///< steps that are made already, where that is known
  std::vector<plan::Drift> drifts;      ///< of the summary
  std::vector<plan::Drift> objects;     ///< of the inventory, beyond what the made steps did
  std::vector<plan::Drift> end_drifts;  ///< how today's plan ends elsewhere, where one is made
  std::vector<plan::StepProblem> problems;
  std::vector<plan::Weakest> weakest;
};

/// The plan held against the one that its planner makes today.
PlanCheck check_against(const plan::Plan& planned, const plan::Plan& today);

/// Drift, the steps that no longer hold, the weakest moments, and a last line that sums up.
std::string check_to_text(const plan::Plan& plan, const PlanCheck& check);
/// {"kind": "report", "format": "ballast-check", ...}
std::string check_to_json(const plan::Plan& plan, const PlanCheck& check);
/// The same for an HTML page, which check_summary() heads.
Document check_document(const plan::Plan& plan, const PlanCheck& check);
/// "4 of 15 steps are done (steps 1, 2, 3, 4), 11 hold."
std::string check_summary(const plan::Plan& plan, const PlanCheck& check);
/// "step 3 (migrate instance web1): ...", one line each.
std::string problems_to_text(const plan::Plan& plan,
                             const std::vector<plan::StepProblem>& problems);

}  // namespace ballast::report
