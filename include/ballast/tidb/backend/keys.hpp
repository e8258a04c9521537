// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/tidb/model/spec.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ballast::tidb {

/// What a change of a key of a component does to the running cluster.
enum class KeyUse : std::uint8_t {
  Template,   // part of the pod template: restarts the pods
  Resources,  // requests, limits, resources: read apart
  Image,      // image, baseImage, version
  Config,     // content of the ConfigMap
  Service,
  Storage,  // storageClassName, storageVolumes, dataSubDir
  Plain,    // touches no pod
};

/// Nothing for a key that no operator version knows for the component.
std::optional<KeyUse> component_key_use(std::string_view key, bool values, Component component);
bool is_component_key(std::string_view key, bool values, Component component);
bool is_cluster_key(std::string_view key, bool values);

/// Components that are noticed and not planned: TiFlash, TiProxy, Pump, TiCDC, monitor, ...
bool is_other_component(std::string_view key);

/// The known key at an edit distance of at most 2, nearest first, then by name.
std::optional<std::string> nearest_component_key(std::string_view key, bool values,
                                                 Component component);
std::optional<std::string> nearest_cluster_key(std::string_view key, bool values);

}  // namespace ballast::tidb
