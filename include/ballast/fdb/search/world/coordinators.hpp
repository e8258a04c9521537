// SPDX-License-Identifier: BSD-2-Clause
// The coordinators of the simulated database: how they stand, who could take over.
#pragma once

#include <string>
#include <vector>

#include "ballast/core/result.hpp"
#include "ballast/fdb/search/world/world.hpp"

namespace ballast::fdb {

/// How the current coordinators stand.
struct CoordinatorCheck {
  bool are_valid = true;
  bool all_present = true;
  bool addresses_ready = true;  ///< every process has an address of the wanted kind; looked at
                                ///< only where the coordinators are not valid
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

/// Whether one of the coordinators is a server of the group.
bool holds_coordinator(const World& world, const Member& group);

}  // namespace ballast::fdb
