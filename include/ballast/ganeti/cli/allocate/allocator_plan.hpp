// SPDX-License-Identifier: BSD-2-Clause
// hail --plan and --report: the answer as a plan, beside it.
#pragma once

#include "ballast/cli/options.hpp"
#include "ballast/ganeti/cli/options/output.hpp"
#include "ballast/ganeti/cli/options/settings.hpp"
#include "ballast/ganeti/cli/options/start.hpp"
#include "ballast/ganeti/model/snapshot.hpp"
#include "ballast/ganeti/search/allocate/allocator.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ballast::ganeti::cli {

struct PlanWish {
  std::optional<std::string> file;              ///< of --plan
  std::optional<std::string> explanation_file;  ///< of --save-explanation
};

/// --plan and --save-explanation; `wish` must outlive the parsing.
std::vector<ballast::cli::Option> plan_options(PlanWish& wish);

/// How the options have requests answered.
AllocatorOptions allocator_options(const Settings& settings);

/// An error where a plan is asked for and the request moves nothing that exists.
OrExit<void> check_plan_wish(const PlanWish& wish, const Settings& settings, const Request& request,
                             Output& output);

/// Writes what is asked for: the JSON document, the page. Nothing is written where the plan does
/// not replay. The exit status of a printed answer: kDone, with --detailed-exit-code kBlocked where
/// an instance finds no place or cannot go where the answer sends it, else kHasChanges where the
/// answer places or moves one.
OrExit<Exit> write_answer_plan(const PlanWish& wish, const Settings& settings,
                               const Snapshot& snapshot, const Request& request,
                               const AllocatorAnswer& answer, Output& output);

}  // namespace ballast::ganeti::cli
