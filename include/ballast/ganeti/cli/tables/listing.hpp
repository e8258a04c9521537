// SPDX-License-Identifier: BSD-2-Clause
// The tables of nodes and instances that -p and --print-instances print.
#pragma once

#include "ballast/ganeti/model/cluster.hpp"

#include <tl/expected.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ballast::ganeti::cli {

/// Names of the fields that -p prints where none are named.
std::vector<std::string> default_node_fields();

/// The fields that a -p value names: none or empty: the default ones; "+a,b": these after the
/// default ones; else exactly "a,b".
std::vector<std::string> node_fields_of(std::optional<std::string_view> value);

/// The table, header row first. Unknown fields have their own column (as in the reference). With
/// storage the fields `storage`, `storage_units` (expands to one column per unit), `s:TYPE/KEY` and
/// `ps:TYPE/KEY` exist, too.
std::string node_table(const Cluster& cluster, const State& state, std::span<const NodeId> nodes,
                       const std::vector<std::string>& fields, bool with_header = true);

/// Empty line, heading, table, empty line.
std::string node_listing(const Cluster& cluster, const State& state, std::span<const NodeId> nodes,
                         const std::vector<std::string>& fields, std::string_view heading);

/// The table of instances, header row first. A secondary that is not among `nodes`: its id (the
/// reference dies there).
tl::expected<std::string, NodeId> instance_table(const Cluster& cluster, const State& state,
                                                 const Part& part);

}  // namespace ballast::ganeti::cli
