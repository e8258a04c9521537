// SPDX-License-Identifier: BSD-2-Clause
// The steps of a pass, one function each; they look at the world, change it and emit what they did.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ballast/fdb/search/world/world.hpp"

namespace ballast::fdb {

void update_status(World& world);
void update_config_map(World& world);
/// Notes the version that most servers report; part of the update of the status.
void follow_running_version(World& world);
void check_client_compatibility(World& world);
void delete_buggified_pods(World& world);
void delete_terminal_pods(World& world);
void replace_misconfigured(World& world);
void replace_failed(World& world);
void add_groups(World& world);
void add_services(World& world);
void add_volumes(World& world);
void add_pods(World& world);
void generate_cluster_file(World& world);
void remove_incompatible_processes(World& world);
void update_sidecars(World& world);
void update_pod_config(World& world);
void update_metadata(World& world);
void configure_database(World& world);
void choose_removals(World& world);
void exclude_processes(World& world);
void change_coordinators(World& world);
void bounce_processes(World& world);
void check_maintenance(World& world);
void update_pods(World& world);
void remove_groups(World& world);
void remove_services(World& world);

/// One pass of the profile's steps; each step gets the footprint that its pass leaves.
void run_pass(World& world);

// Shared by several of them.

/// The wait for exclusions that the snapshot found running, with the bytes that are left to move.
void tell_exclusion(World& world, const std::vector<const Member*>& moving);
/// The files in the group's pod, which is there, can be brought up to date.
bool can_sync(const Member& group);

/// Nothing is frozen any more.
void end_maintenance(World& world);

/// The group is to go.
void mark(World& world, Member& group);
/// Reason code of the first rule that asks for a replacement of the group's pod; empty where none
/// does.
std::string replacement_reason(const World& world, const Member& group);
/// The update strategy replaces such groups; it never makes their pods anew in place.
bool is_replaced_by_strategy(const World& world, const Member& group);
/// All differences that alone would ask for a replacement, the first one first.
std::vector<std::string> replacement_differences(const World& world, const Member& group);

/// Clients (address, log group) that do not support the wished version, each once.
std::vector<std::pair<std::string, std::string>> unsupported_clients(const World& world);

}  // namespace ballast::fdb
