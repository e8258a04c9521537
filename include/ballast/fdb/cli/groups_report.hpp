// SPDX-License-Identifier: BSD-2-Clause
// The answer of `hfdb groups`, and the status that tracking would write.
#pragma once

#include <string>

#include "ballast/doc/tree.hpp"
#include "ballast/fdb/search/world/group_table.hpp"
#include "ballast/report/document.hpp"

namespace ballast::fdb {

/// Table, disagreements, and what cannot be recovered; ends in a newline.
std::string groups_to_text(const GroupTable& table, const Cluster& cluster);
/// Table "groups"; what disagrees and what cannot be recovered as findings.
report::Document groups_document(const GroupTable& table, const Cluster& cluster);

/// `status` as tracking would write it: groups as a list, or as a map by ID where `as_map`.
doc::Tree status_node(const World& world, bool as_map);
/// A FoundationDBCluster with `spec` and that status: what hfdb reads as a snapshot.
doc::Tree cluster_node(const World& world, const doc::Tree& spec, bool as_map);

}  // namespace ballast::fdb
