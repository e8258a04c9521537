// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "ballast/core/result.hpp"
#include "ballast/ganeti/model/cluster.hpp"

namespace ballast::ganeti {

/// Reads the policy section of a cluster whose groups are known.
class PolicyReader {
 public:
  explicit PolicyReader(Cluster& cluster);

  /// One line: sets the cluster's policy (empty owner) or a group's.
  Status read(std::string_view line);

 private:
  Status set(const std::string& owner, InstancePolicy policy);

  Cluster& cluster_;
  /// Name or UUID -> each group that has it.
  std::unordered_multimap<std::string, GroupId> groups_;
};

/// The line without its end.
std::string policy_line(std::string_view owner, const InstancePolicy& policy);

}  // namespace ballast::ganeti
