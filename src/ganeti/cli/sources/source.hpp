// SPDX-License-Identifier: BSD-2-Clause
// The sources of snapshots behind one function.
#pragma once

#include "ballast/ganeti/cli/options/output.hpp"
#include "ballast/ganeti/cli/options/settings.hpp"
#include "ballast/ganeti/cli/options/start.hpp"

#include <string>

namespace ballast::ganeti::cli {

/// At most one of remote API, LUXI and text file; the reference tolerates the others beside them.
OrExit<void> check_sources(const SourceSettings& source, Output& output);

/// What the backend yields, before the pipeline. Where several sources are given, the reference's
/// order of preference decides: remote API, LUXI, simulation, text file, allocator request.
OrExit<Snapshot> read_source(const Settings& settings, Output& output);

/// "Error: failed to load data, aborting: ..."; with a place, where the words are ours.
[[nodiscard]] int fail_on_loading(const Error& error, Output& output);

/// The reference's words for a file that is not UTF-8.
std::string invalid_bytes_line(const Output& output, const std::string& path);

}  // namespace ballast::ganeti::cli
