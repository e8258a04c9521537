// SPDX-License-Identifier: BSD-2-Clause
// The answers of the subcommands, each with its exit status.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ballast/cli/run_main.hpp"
#include "ballast/fdb/backend/load.hpp"
#include "ballast/fdb/cli/settings.hpp"
#include "ballast/fdb/search/step.hpp"

namespace ballast::fdb {

/// An answer, or what is wrong with the question.
using Answer = tl::expected<int, std::vector<Finding>>;

/// What is said before the plan in the form text; gets the plan's steps. May be empty.
using Preface = std::function<std::string(const std::vector<Step>&)>;

/// The plan for `desired`, in the form that the settings ask for.
Answer present_plan(const Loaded& loaded, const ClusterSpec& desired, const Settings& settings,
                    const Preface& preface, cli::Streams& streams);
Answer present_groups(const Loaded& loaded, const Settings& settings, cli::Streams& streams);
Answer present_spread(const Loaded& loaded, const Settings& settings, cli::Streams& streams);
Answer present_drain(const Loaded& loaded, const Settings& settings, cli::Streams& streams);

}  // namespace ballast::fdb
