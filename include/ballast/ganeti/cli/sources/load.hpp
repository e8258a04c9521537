// SPDX-License-Identifier: BSD-2-Clause
// Loading, alike for every Ganeti tool: source, utilisation, pipeline, warnings, limits.
#pragma once

#include "ballast/ganeti/cli/options/output.hpp"
#include "ballast/ganeti/cli/options/settings.hpp"
#include "ballast/ganeti/cli/options/start.hpp"
#include "ballast/ganeti/model/snapshot.hpp"
#include "ballast/ganeti/rules/placement_rules.hpp"

namespace ballast::ganeti::cli {

/// Reads the one source that is given and runs the pipeline; prints the reference's warnings about
/// inconsistent figures (unless the verbosity is exactly 0) and ours about storage. Rules count for
/// the newcomers, too.
OrExit<Snapshot> load_snapshot(const Settings& settings, Output& output, Newcomers newcomers = {});

/// For what speaks of nodes and instances by name: refuses a snapshot in which a name means two, in
/// one line. load_snapshot asks where the settings want a document, a report or an explanation.
OrExit<void> need_unique_names(const Snapshot& snapshot, Output& output);

/// Rules of administrators: those that tags ask for, those of files and of the command line.
/// load_snapshot does it.
OrExit<void> apply_rules(Snapshot& snapshot, const LimitSettings& limits, Output& output,
                         Newcomers newcomers = {});

/// Offline nodes, limits for disk and CPU, reserves.
OrExit<void> apply_limits(Snapshot& snapshot, const LimitSettings& limits, Output& output);

/// "Loaded cluster tags: ...", "Loaded cluster ipolicy: ...": the first two lines of verbose runs.
std::string verbose_cluster_lines(const Cluster& cluster);
std::string cluster_tags_line(const Cluster& cluster);
std::string cluster_policy_line(const Cluster& cluster);

/// Where a tool works on one group: the given one (exact name or UUID), else the only group that
/// has nodes. The reference's messages where there is none or several.
OrExit<Part> choose_group(const Snapshot& snapshot, const std::optional<std::string>& group,
                          Output& output);

}  // namespace ballast::ganeti::cli
