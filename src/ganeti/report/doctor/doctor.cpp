// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/report/doctor/doctor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "checks.hpp"

namespace ballast::ganeti {

namespace {

constexpr auto kChecks = std::to_array<DoctorCheck>({
    {"offline nodes", doctor::look_at_offline_nodes},
    {"redundancy", doctor::look_at_redundancy},
    {"exclusion conflicts", doctor::look_at_exclusion},
    {"locations", doctor::look_at_locations},
    {"rules of administrators", doctor::look_at_rules},
    {"policies", doctor::look_at_policy},
    {"tag declarations", doctor::look_at_tag_declarations},
    {"undeclared tags", doctor::look_at_undeclared_tags},
    {"immovable instances", doctor::look_at_immovable},
    {"room in storage units", doctor::look_at_unit_room},
    {"missing storage", doctor::look_at_missing_storage},
    {"figures", doctor::look_at_figures},
    {"storage figures", doctor::look_at_storage_figures},
    {"assumed figures", doctor::look_at_assumed_figures},
});

}  // namespace

std::span<const DoctorCheck> doctor_checks() { return kChecks; }

std::vector<Finding> examine(const Patient& patient) {
  std::vector<Finding> findings;
  for (const DoctorCheck& check : kChecks) check.look(patient, findings);
  return findings;
}

namespace doctor {
namespace {

template <class IdType>
std::vector<std::string> names(const Cluster& cluster, const std::vector<IdType>& ids) {
  std::vector<std::string> result;
  result.reserve(ids.size());
  for (const IdType id : ids) result.push_back(cluster[id].name);
  return result;
}

}  // namespace

std::vector<InstanceId> each_once(const std::vector<InstanceId>& ids) {
  std::vector<InstanceId> once;
  for (const InstanceId id : ids) {
    if (std::find(once.begin(), once.end(), id) == once.end()) once.push_back(id);
  }
  return once;
}

std::vector<std::string> names_of(const Cluster& cluster, const std::vector<InstanceId>& ids) {
  return names(cluster, ids);
}

std::vector<std::string> names_of(const Cluster& cluster, const std::vector<NodeId>& ids) {
  return names(cluster, ids);
}

}  // namespace doctor

}  // namespace ballast::ganeti
