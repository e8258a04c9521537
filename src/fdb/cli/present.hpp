// SPDX-License-Identifier: BSD-2-Clause
// The answers of the subcommands, each with its exit status.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ballast/cli/run_main.hpp"
#include "ballast/fdb/backend/load.hpp"
#include "ballast/fdb/cli/settings.hpp"
#include "ballast/fdb/search/step/trace_step.hpp"
#include "ballast/plan/plan.hpp"

namespace ballast::fdb {

using operators::Answer;

/// What is said besides the plan: before it in the form text, as its notes in the other forms.
struct Opening {
  std::string text;
  std::vector<plan::CodedText> notes;
};

/// Gets the plan's steps. May be empty.
using Preface = std::function<Opening(const std::vector<TraceStep>&)>;

/// The plan for `desired`, in the form that the settings ask for.
Answer present_plan(const Loaded& loaded, const ClusterSpec& desired, const Settings& settings,
                    const Preface& preface, cli::Streams& streams);
/// The object of --current and then its peers; each with its own wish.
std::vector<LoadRequest> requests_of(const Settings& settings);
/// One plan for all of them.
Answer present_plan_together(const std::vector<Loaded>& objects, const Settings& settings,
                             cli::Streams& streams);
Answer present_groups(const Loaded& loaded, const Settings& settings, cli::Streams& streams);
Answer present_spread(const Loaded& loaded, const Settings& settings, cli::Streams& streams);
Answer present_analysis(const Loaded& loaded, const Settings& settings, cli::Streams& streams);
Answer present_fixed_addresses(const Loaded& loaded, const Settings& settings,
                               cli::Streams& streams);
Answer present_drain(const Loaded& loaded, const Settings& settings, cli::Streams& streams);

}  // namespace ballast::fdb
