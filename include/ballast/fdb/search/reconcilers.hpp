// SPDX-License-Identifier: BSD-2-Clause
// The steps of a pass, one function each; they look at the world, change it and emit what they did.
#pragma once

#include <vector>

#include "ballast/core/result.hpp"
#include "ballast/fdb/search/choose.hpp"
#include "ballast/fdb/search/world.hpp"

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
/// The group's pod, or its claim once that is gone, is being deleted and will be gone soon. A pod
/// that has been so for longer than the operator waits for it is stuck, say on a dead node.
bool is_vanishing(const World& world, const Member& group);

/// The files in the group's pod, which is there, can be brought up to date.
bool can_sync(const Member& group);

void mark(World& world, Member& group, std::string reason);
/// Reason code of the first rule that asks for a replacement of the group's pod; empty where none
/// does.
std::string replacement_reason(const World& world, const Member& group);
/// The update strategy replaces such groups; it never makes their pods anew in place.
bool is_replaced_by_strategy(const World& world, const Member& group);
/// All differences that alone would ask for a replacement, the first one first.
std::vector<std::string> replacement_differences(const World& world, const Member& group);

/// Clients (address, log group) that do not support the wished version, each once.
std::vector<std::pair<std::string, std::string>> unsupported_clients(const World& world);

/// Differences of pods and volumes from the wish, once, at the start of a simulation.
void compare_specs(World& world);

/// How the current coordinators stand.
struct CoordinatorCheck {
  bool are_valid = true;
  bool all_present = true;
  bool addresses_ready = true;  ///< every process has an address of the wanted kind
  std::string problem;
};
CoordinatorCheck check_coordinators(const World& world);
/// Notes for each coordinator whose server answers at its address. One whose server is gone is not
/// reachable; a server that came back elsewhere still is one where it is known by its name.
void follow_coordinators(World& world);
/// New coordinators by the operator's rules, of all servers of the database, as addresses with
/// their groups. Never marked groups.
struct CoordinatorChoice {
  std::vector<Address> addresses;
  std::vector<std::string> holders;  ///< group of each address
  std::vector<std::string> groups;   ///< those of the object, sorted
  std::vector<std::string> foreign;  ///< groups of other objects, sorted
};
Result<CoordinatorChoice> choose_coordinators(const World& world);
/// Emits the change and updates connection string and roles.
void set_coordinators(World& world, Reconciler reconciler, const CoordinatorChoice& choice,
                      std::string reason, std::string because);

/// Refusal of an exclude for lack of room.
struct SpaceCheck {
  bool is_refused = false;
  bool is_checked = false;
  double ratio_a = 0;  ///< refused above 0.9
  double ratio_b = 0;  ///< refused at or below 0.1
  double utilisation = 0;
  double room = 0;  ///< bytes of the disks that keep data: in use and free
  int processes = 0;
  int excluded = 0;
  std::vector<std::string> numbers;  ///< for people
};
SpaceCheck check_space(const World& world, const std::vector<const Member*>& leaving);
/// After the data of `leaving` has moved away: the stored bytes lie evenly on the rest.
void spread_data(World& world);

}  // namespace ballast::fdb
