// SPDX-License-Identifier: BSD-2-Clause
// The checks of the doctor, one file each, and what they share.
#pragma once

#include <string>
#include <vector>

#include "ballast/core/bytes.hpp"
#include "ballast/core/listed.hpp"
#include "ballast/core/words.hpp"
#include "ballast/ganeti/report/doctor/doctor.hpp"

namespace ballast::ganeti::doctor {

using Findings = std::vector<Finding>;

void look_at_figures(const Patient& patient, Findings& findings);
void look_at_storage_figures(const Patient& patient, Findings& findings);
void look_at_offline_nodes(const Patient& patient, Findings& findings);
void look_at_redundancy(const Patient& patient, Findings& findings);
void look_at_exclusion(const Patient& patient, Findings& findings);
void look_at_locations(const Patient& patient, Findings& findings);
void look_at_rules(const Patient& patient, Findings& findings);
void look_at_policy(const Patient& patient, Findings& findings);
void look_at_tag_declarations(const Patient& patient, Findings& findings);
void look_at_undeclared_tags(const Patient& patient, Findings& findings);
void look_at_immovable(const Patient& patient, Findings& findings);
void look_at_assumed_figures(const Patient& patient, Findings& findings);
void look_at_unit_room(const Patient& patient, Findings& findings);
void look_at_missing_storage(const Patient& patient, Findings& findings);

/// In their order, without those that came before: an allocator request attaches instances twice.
std::vector<InstanceId> each_once(const std::vector<InstanceId>& ids);
std::vector<std::string> names_of(const Cluster& cluster, const std::vector<InstanceId>& ids);
std::vector<std::string> names_of(const Cluster& cluster, const std::vector<NodeId>& ids);

}  // namespace ballast::ganeti::doctor
