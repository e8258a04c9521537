// SPDX-License-Identifier: BSD-2-Clause
// Two plans, or two snapshots, side by side.
#pragma once

#include "ballast/plan/drift.hpp"
#include "ballast/plan/plan.hpp"

#include <string>
#include <vector>

namespace ballast::plan {

struct Diff {
  bool is_of_plans = false;  ///< else of snapshots: only objects and summary
  std::vector<Drift> objects;
  std::vector<Drift> summary;      ///< of the nodes (domains, sets), where each begins
  std::vector<Drift> summary_end;  ///< where each ends
  std::vector<int> gone;           ///< steps (numbers of the first plan) that the second lacks
  std::vector<int> added;          ///< steps (numbers of the second plan) that the first lacks
  std::size_t common = 0;
  std::vector<std::string> said_before;  ///< warnings and blocks that only the first has
  std::vector<std::string> said_now;     ///< ... only the second

  [[nodiscard]] bool is_empty() const {
    return objects.empty() && summary.empty() && summary_end.empty() && gone.empty() &&
           added.empty() && said_before.empty() && said_now.empty();
  }
};

/// Steps are the same where they do the same to the same, from and to the same places.
Diff diff_of(const Plan& first, const Plan& second);

}  // namespace ballast::plan
