// SPDX-License-Identifier: BSD-2-Clause
// The hash that the operator notes in a pod once its files are copies of the config map.
#pragma once

#include <map>
#include <string>

#include "ballast/fdb/model/server_config.hpp"

namespace ballast::fdb {

/// SHA-256 of the JSON of those entries of the map's `data` that pods of this kind use.
std::string config_map_hash(const std::map<std::string, std::string>& data, ProcessClass c,
                            ImageType image, int density);

/// The hash for the map that spec and status ask for. Never that of a pod with other files; a pod
/// with these files may have another one where the map says something that is not rendered here
/// (addresses of a wished IP family).
std::string wished_map_hash(const CommandInputs& inputs, ProcessClass c, ImageType image,
                            int density);

/// What the map holds for the monitor of such pods: a section for each server, or for the unified
/// image a JSON object for all of them.
std::string monitor_text(const CommandInputs& inputs, ProcessClass c, ImageType image, int density);

}  // namespace ballast::fdb
