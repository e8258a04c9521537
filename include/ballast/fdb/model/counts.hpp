// SPDX-License-Identifier: BSD-2-Clause
// How many pods of each class the operator wants.
#pragma once

#include <map>
#include <string>

#include "ballast/fdb/model/spec.hpp"

namespace ballast::fdb {

/// The wanted configuration with all role counts filled in, `storage` zeroed, aliases of engines
/// resolved, data centers and regions sorted.
DatabaseConfiguration normalised_configuration(const ClusterSpec& spec);
/// The same order and aliases for a configuration that the database reports; knobs that `wanted`
/// does not set are dropped.
DatabaseConfiguration comparable_configuration(const DatabaseConfiguration& live,
                                               const DatabaseConfiguration& wanted);

/// The database's storage_migration_type once `next` is asked of one with `live`: "disabled" where
/// neither sets it, "gradual" or "aggressive".
std::string migration_type(const DatabaseConfiguration& live, const DatabaseConfiguration& next);

/// Pods per class; -1 (none) is returned as it stands.
PerClass<int> process_counts(const ClusterSpec& spec);
/// As process_counts, negative ones as 0.
PerClass<int> wanted_pods(const ClusterSpec& spec);

/// Each setting by its name in a specification, as text.
std::map<std::string, std::string> configuration_fields(const DatabaseConfiguration& configuration);

/// `<mode> <engine> usable_regions=U logs=.. ...`: what the configure command gets. `is_new` puts
/// "new" before it.
std::string configure_text(const DatabaseConfiguration& configuration, bool is_new);

}  // namespace ballast::fdb
