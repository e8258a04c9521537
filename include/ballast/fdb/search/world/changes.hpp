// SPDX-License-Identifier: BSD-2-Clause
// Which fields a step writes, with their values before and after. What did not change is left out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ballast/fdb/search/world/world.hpp"

namespace ballast::fdb {

/// Adds `path` unless both sides are equal or the same change is there.
void add_change(Changes& changes, std::string path, Value from, Value to);

/// What makes the pods of the groups differ from the wanted ones: images, templates, settings.
Changes pod_changes(const World& world, const std::vector<std::string>& groups);
/// What makes the volume claims of the groups differ in what cannot be patched.
Changes volume_changes(const World& world, const std::vector<std::string>& groups);
/// Labels and annotations, of pods or of claims.
Changes metadata_changes(const World& world, const std::vector<std::string>& groups,
                         bool of_volumes);
/// Start commands that the groups' servers run with, against the wanted ones.
Changes command_changes(World& world, const std::vector<std::string>& groups);
/// One key of the config map; its text is a list of arguments or a value.
void add_text_changes(Changes& changes, const std::string& path, std::string_view before,
                      std::string_view after);
Changes configuration_changes(const DatabaseConfiguration& before,
                              const DatabaseConfiguration& after);

}  // namespace ballast::fdb
