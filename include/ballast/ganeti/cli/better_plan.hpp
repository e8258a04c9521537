// SPDX-License-Identifier: BSD-2-Clause
// hbal --search: a better plan than the step-by-step one, and how the two compare.
#pragma once

#include "ballast/cli/options.hpp"
#include "ballast/core/value.hpp"
#include "ballast/ganeti/cli/output.hpp"
#include "ballast/ganeti/cli/settings.hpp"
#include "ballast/ganeti/cli/start.hpp"
#include "ballast/ganeti/search/improve.hpp"

#include <string>
#include <vector>

namespace ballast::ganeti::cli {

struct SearchWish {
  bool is_wanted = false;  ///< --search, or an option that only it knows
  ImproveOptions improve;
};

/// The options of hbal that shape the search; `wish` must outlive the parsing.
std::vector<ballast::cli::Option> search_options(SearchWish& wish);

/// Those of them that are not at their defaults, by their long names.
Value shaping_options(const SearchWish& wish);

struct FoundPlan {
  BalanceResult result;
  std::string
      comparison;  ///< lines that set the plan beside the step-by-step one; empty without --search
};

/// Searches and replays; a plan that breaks a rule is an error that shows nothing of it.
OrExit<FoundPlan> find_plan(const Snapshot& snapshot, const Part& part, const Settings& settings,
                            const SearchWish& wish, Output& output);

}  // namespace ballast::ganeti::cli
