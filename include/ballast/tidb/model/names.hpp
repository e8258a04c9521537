// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/tidb/model/spec.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ballast::tidb {

enum class DefaultName : std::uint8_t { Plain, Suffixed };
enum class ConfigMapName : std::uint8_t { StatefulSet, Short };

struct NameStyle {
  DefaultName default_name = DefaultName::Plain;
  ConfigMapName config_map = ConfigMapName::StatefulSet;
};

inline constexpr std::string_view kDefaultSet = "default";
inline constexpr std::size_t kLongestStatefulSet =
    52;  // a label holds its name and a hash of 11 more

std::string statefulset_name(std::string_view cluster, Component component, std::string_view set,
                             DefaultName style);
std::string config_map_name(std::string_view cluster, Component component, std::string_view set,
                            NameStyle style);
std::string pod_name(std::string_view statefulset, std::int64_t ordinal);
std::string claim_name(std::string_view claim_template, std::string_view pod);
std::string peer_service(std::string_view cluster, Component component);
std::string client_service(std::string_view cluster, Component component);
/// The TiDB Service of one set; there is one per set from two sets on.
std::string set_service(std::string_view cluster, std::string_view set);

/// A DNS label: lower case letters, digits and hyphens, alphanumeric at both ends, at most 63.
bool is_dns_label(std::string_view name);

}  // namespace ballast::tidb
