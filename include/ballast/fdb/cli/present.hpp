// SPDX-License-Identifier: BSD-2-Clause
// The answers of the subcommands, each with its exit status.
#pragma once

#include <string>

#include "ballast/cli/run_main.hpp"
#include "ballast/fdb/backend/load.hpp"
#include "ballast/fdb/cli/settings.hpp"

namespace ballast::fdb {

/// An answer, or what is wrong with the question.
using Answer = tl::expected<int, std::vector<Finding>>;

/// The plan for `desired`, in the form that the settings ask for. `preface` is printed before the form text only.
Answer present_plan(const Loaded& loaded, const ClusterSpec& desired, const Settings& settings, std::string_view preface,
                    cli::Streams& streams);
Answer present_groups(const Loaded& loaded, const Settings& settings, cli::Streams& streams);
Answer present_spread(const Loaded& loaded, const Settings& settings, cli::Streams& streams);
Answer present_drain(const Loaded& loaded, const Settings& settings, cli::Streams& streams);

}  // namespace ballast::fdb
