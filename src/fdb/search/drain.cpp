// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/search/drain.hpp"

#include <algorithm>

#include "ballast/fdb/search/packing.hpp"
#include "ballast/fdb/search/spread_parts.hpp"

namespace ballast::fdb {
namespace {

std::string zone_of(const ProcessGroup& group) {
  if (const auto domain = bound_domain(group)) return domain_key(group.process_class, *domain);
  return group.fault_domain;
}

template <class Holds>
std::vector<std::string> ids_where(const Cluster& cluster, const Holds& holds) {
  std::vector<std::string> ids;
  for (const ProcessGroup& group : cluster.groups) {
    if (holds(group)) ids.push_back(group.id);
  }
  return ids;
}

}  // namespace

std::vector<std::string> groups_on_node(const Cluster& cluster, std::string_view node) {
  return ids_where(cluster, [node](const ProcessGroup& group) { return !node.empty() && host_of(group) == node; });
}

std::vector<std::string> groups_in_zone(const Cluster& cluster, std::string_view zone) {
  return ids_where(cluster, [zone](const ProcessGroup& group) { return !zone.empty() && zone_of(group) == zone; });
}

ClusterSpec with_removals(ClusterSpec spec, const std::vector<std::string>& groups) {
  for (const std::string& id : groups) {
    if (std::ranges::find(spec.groups_to_remove, id) == spec.groups_to_remove.end()) spec.groups_to_remove.push_back(id);
  }
  return spec;
}

}  // namespace ballast::fdb
