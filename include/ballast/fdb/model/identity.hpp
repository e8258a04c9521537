// SPDX-License-Identifier: BSD-2-Clause
// Names of groups and of what belongs to them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ballast/fdb/model/process_class.hpp"

namespace ballast::fdb {

/// `[prefix-]class-number`; the number stands after the last hyphen.
struct GroupId {
  std::string prefix;  ///< without the hyphen; empty where there is none
  std::string class_name;
  int number = 0;
};

/// Nothing where the text has no number at its end. Of the part before it, the last piece is the
/// class, unless a longer end of it is a known one.
std::optional<GroupId> parse_group_id(std::string_view text);
std::string group_id(std::string_view prefix, ProcessClass c, int number);

/// `dc1-storage-1-2` -> `dc1-storage-1`; `storage-2` stays.
std::string group_of_process_id(std::string_view process_id);

/// `<cluster>-<class>-<number>`, underscores of the class as hyphens, no prefix.
std::string pod_name(std::string_view cluster, ProcessClass c, int number);
inline std::string volume_name(std::string_view pod) { return std::string(pod) + "-data"; }
inline std::string config_map_name(std::string_view cluster) {
  return std::string(cluster) + "-config";
}
/// What the database is told to exclude for a whole pod.
inline std::string locality_target(std::string_view group) {
  return "locality_instance_id:" + std::string(group);
}

}  // namespace ballast::fdb
