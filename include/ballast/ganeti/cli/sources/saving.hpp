// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/ganeti/cli/options/output.hpp"
#include "ballast/ganeti/cli/options/start.hpp"
#include "ballast/ganeti/model/cluster.hpp"

#include <string>

namespace ballast::ganeti::cli {

/// Writes a text that write_text made earlier.
OrExit<void> save_text(const std::string& content, const std::string& path, std::string_view when,
                       Output& output);

/// Writes the whole cluster to `path` and says so on standard error: "The cluster state WHEN has
/// been written to file 'PATH'".
OrExit<void> save_cluster(const Cluster& cluster, const State& state, const std::string& path,
                          std::string_view when, Output& output);
/// The same with the nodes and instances of one group. An instance whose secondary is elsewhere is
/// an error: the name would be lost.
OrExit<void> save_part(const Cluster& cluster, const State& state, const Part& part,
                       const std::string& path, std::string_view when, Output& output);

/// Our line where the reference dies: a name of a node outside the group is needed.
std::string foreign_secondary_line(const Cluster& cluster, NodeId node, const Part& part,
                                   const Output& output);

}  // namespace ballast::ganeti::cli
