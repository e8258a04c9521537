// SPDX-License-Identifier: BSD-2-Clause
// Groups, clusters and requests as verbose output of the reference shows them: every field by name,
// on one line. Found by running it (`hail -v -v`).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/model/request.hpp"

namespace ballast::ganeti {

/// "Group {name = ..., iPolicy = ..., allTags = [...]}"
std::string shown_of(const Cluster& cluster, GroupId id);

/// "ClusterData {cdGroups = fromList [...], ...}". Automatic repair that is suspended until a
/// moment counts as suspended where that moment lies after `now` (seconds since 1970).
std::string shown_cluster_data(const Cluster& cluster, const State& state, std::int64_t now);

/// "Allocate (Instance {...}) (AllocDetails 2 Nothing) Nothing", "Relocate 0 1 [2]", ...; numbers
/// are those of the request's document. `symbols` are the texts of its tags.
std::string shown_of(const Request& request, const std::vector<std::string>& symbols);

/// What the tags ganeti:watcher:autorepair:... of an instance, its group and the cluster say about
/// automatic repair: "ArNotEnabled", "ArEnabled ArMigrate", "ArSuspended Forever" or "ArSuspended
/// (Until Wed Nov 16 09:46:39 UTC 5138)". The first of the lists that says something decides.
std::string shown_auto_repair(const std::vector<const std::vector<std::string>*>& tag_lists,
                              std::int64_t now);

}  // namespace ballast::ganeti
