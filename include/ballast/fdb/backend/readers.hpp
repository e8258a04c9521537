// SPDX-License-Identifier: BSD-2-Clause
// Documents to model, one reader a kind of document. Problems go to the context's errors.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/doc/tree.hpp"
#include "ballast/fdb/model/cluster.hpp"
#include "ballast/operators/input/map_reader.hpp"

namespace ballast::fdb {

using operators::MapReader;
using operators::ReadContext;
using operators::UnknownKey;
using operators::whole_number;

constexpr operators::ReadCodes kReadCodes{"F004", "F005", "F009"};

/// Older names of spec and status fields become today's; one note per name. Works on a whole
/// FoundationDBCluster.
void resolve_aliases(doc::Tree& object, const ReadContext& context);

/// `spec` of a cluster. `name` is the default of the log group and of labels.
ClusterSpec read_spec(const doc::Tree* spec, const std::string& cluster_name, bool is_v1beta1,
                      bool is_lenient, const ReadContext& context);
void read_processes(const doc::Tree* processes, ClusterSpec& spec, const ReadContext& context);
/// `is_live`: the database tells it, and may be in a redundancy mode that no specification can
/// wish.
DatabaseConfiguration read_configuration(const doc::Tree* node, std::string path,
                                         DatabaseConfiguration base, const ReadContext& context,
                                         bool is_live = false);

/// The part of a pod's or claim's spec that Kubernetes knows: the rest never reaches the operator,
/// and each key of it is an unknown one of the context.
doc::Tree known_pod_spec(const doc::Tree& spec, const std::string& path,
                         const ReadContext& context);
doc::Tree known_claim_spec(const doc::Tree& spec, const std::string& path,
                           const ReadContext& context);

/// Containers of a pod or a template.
std::vector<Container> read_containers(const doc::Tree* list, const std::string& path,
                                       const ReadContext& context);

/// `status` of the snapshot: groups, conditions, densities; the six older fields too.
void read_status(const doc::Tree* status, Cluster& cluster, const ReadContext& context);

/// Pods, claims, services, config maps, nodes. `has_peers`: those of other objects may stand alone,
/// and then say nothing of this one.
void read_objects(const std::vector<doc::Tree>& objects, Cluster& cluster,
                  const ReadContext& context, bool has_peers = false);

/// `status json`. Sets `cluster.database` and the processes of the groups.
void read_database(const doc::Tree& document, Cluster& cluster, std::optional<Time> now,
                   const ReadContext& context);
/// `client.timestamp`, if it is there.
std::optional<Time> database_time(const doc::Tree& document);

/// Healthy stand-ins for kinds of input that were not given.
void assume_absent(Cluster& cluster);

/// Notes the servers that belong to no group of the object, nor to one of its peers. They are
/// counted, not listed: a database may have tens of thousands of them.
void note_foreign(Cluster& cluster, const std::set<std::string>& of_peers);

/// Finds a group, or adds one in its place in the order of IDs.
ProcessGroup& group_for(Cluster& cluster, const std::string& id, ProcessClass fallback);

}  // namespace ballast::fdb
