// SPDX-License-Identifier: BSD-2-Clause
// The forms of a plan that other programs and people get: --json, --report, the exit status.
#pragma once

#include "ballast/ganeti/cli/options/output.hpp"
#include "ballast/ganeti/cli/options/settings.hpp"
#include "ballast/ganeti/cli/options/start.hpp"
#include "ballast/ganeti/model/snapshot.hpp"
#include "ballast/plan/plan.hpp"

#include <functional>

namespace ballast::ganeti::cli {

/// Where --json or --report asks for the plan: `describe` makes it (without tool, version,
/// fingerprint and times; without options, it gets the shaping ones), it is replayed on the
/// snapshot and given. kDone; with --detailed-exit-code kBlocked or kHasChanges. `force`: only the
/// hard rules were asked for. A plan that does not replay is an internal error: nothing is given.
Exit deliver_plan(const Snapshot& snapshot, const Part& part, const Settings& settings, bool force,
                  const std::function<plan::Plan()>& describe, Output& output);

/// Tool, version, fingerprint and times are added, options where there are none; the plan is
/// replayed on the snapshot. An internal error where it does not replay.
OrExit<plan::Plan> finish_plan(plan::Plan plan, const Snapshot& snapshot, const Part& part,
                               const Settings& settings, bool force, Output& output);

/// Writes the plan as an HTML page and says so on standard error.
OrExit<void> write_page(const plan::Plan& plan, const std::string& file, Output& output);
OrExit<void> write_html(const std::string& page, const std::string& file, Output& output);

/// The options that shape a plan, by their long names; those at their defaults are left out.
Value shaping_options(const Settings& settings);

}  // namespace ballast::ganeti::cli
