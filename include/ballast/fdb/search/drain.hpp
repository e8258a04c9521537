// SPDX-License-Identifier: BSD-2-Clause
// Which groups a node or a zone holds, for taking it out of service.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ballast/fdb/model/cluster.hpp"

namespace ballast::fdb {

/// Groups whose pod runs on the node, by ID. Needs pods that were given.
std::vector<std::string> groups_on_node(const Cluster& cluster, std::string_view node);

/// Groups of the fault domain, by ID: the logical domain where the group is bound to one, else the zone that the database saw.
std::vector<std::string> groups_in_zone(const Cluster& cluster, std::string_view zone);

/// The wish with those groups named for removal, besides the ones that it names already.
ClusterSpec with_removals(ClusterSpec spec, const std::vector<std::string>& groups);

}  // namespace ballast::fdb
