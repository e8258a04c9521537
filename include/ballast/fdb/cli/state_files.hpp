// SPDX-License-Identifier: BSD-2-Clause
// A state of the simulation as the files that hfdb reads: what kubectl and fdbcli would print then.
#pragma once

#include <string>

#include "ballast/doc/tree.hpp"
#include "ballast/fdb/backend/load.hpp"
#include "ballast/fdb/search/world/world.hpp"

namespace ballast::fdb {

struct StateFiles {
  std::string cluster;  ///< cluster.yaml: spec as wished, status as tracked
  std::string
      objects;  ///< kube.json: pods, claims, services, config map, and what was given besides
  std::string database;  ///< status.json
};

/// The files of `world`, which must come from a simulation of `loaded`. Objects and processes that
/// the plan has not touched are as they were given. What nobody can know yet stands for itself:
/// addresses of new pods lie in 198.18.0.0/15 (for tests of networks), their zones are called after
/// the group.
StateFiles state_files(const Loaded& loaded, const World& world);

// Parts of it; placeholders of the simulation are still in them.

/// Pods, claims, services and the config map, as a List.
doc::Tree objects_node(const Loaded& loaded, const World& world);
/// The machine-readable status of the database.
doc::Tree database_node(const Loaded& loaded, const World& world);
/// `databaseConfiguration` as status documents have it.
doc::Tree configuration_node(const DatabaseConfiguration& configuration);

}  // namespace ballast::fdb
