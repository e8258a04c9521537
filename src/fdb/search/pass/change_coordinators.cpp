// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "ballast/fdb/search/pass/reconcilers.hpp"
#include "ballast/fdb/search/world/coordinator_servers.hpp"
#include "ballast/fdb/search/world/coordinators.hpp"

namespace ballast::fdb {
namespace {

/// Each coordinator is the first address of a process. One that the database names is never seen
/// so, and counts as missing: others are chosen sooner.
bool are_seen(const World& world) {
  std::set<std::string> seen;
  for_each_server(world, [&](const Server& server) {
    const auto& addresses = server.process->addresses;
    if (!addresses.empty()) seen.insert(to_string(addresses.front()));
  });
  return std::ranges::all_of(world.db.coordinators, [&](const CoordinatorState& coordinator) {
    return seen.contains(to_string(coordinator.address));
  });
}

}  // namespace

void change_coordinators(World& world) {
  const Reconciler self = Reconciler::ChangeCoordinators;
  if (!world.status.is_configured || world.status.connection_string.empty() ||
      !world.db.coordinators_given) {
    return;
  }
  const CoordinatorCheck check = check_coordinators(world);
  world.pass.coordinators_deferred = !check.are_valid && !check.addresses_ready;
  if (check.are_valid || !check.addresses_ready) return;
  if (!world.db.quorum_reachable) {
    world.block(self, "coordinators", {},
                "no majority of the coordinators is reachable, and without one they cannot be "
                "changed: only a new connection string brings the database back");
    world.delay_pass(2);
    return;
  }
  const auto choice = choose_coordinators(world);
  if (!choice) {
    world.block(self, "coordinators", {}, choice.error().message);
    world.delay_pass(2);
    return;
  }
  const OperatorFlags& flags = world.options.flags;
  const bool are_present = are_seen(world);
  const DatabaseGate gate{
      self,
      are_present ? flags.uptime_for_undesired_coordinator : flags.uptime_for_missing_coordinator,
      are_present, choice->groups};
  if (!passes(world, gate)) {
    world.delay_pass(2);
    return;
  }
  if (!takes_lock(world, self, choice->groups)) {
    world.delay_pass(2);
    return;
  }
  world.release(self, "recovery-age", gate.age);
  set_coordinators(world, self, *choice, "coordinators-invalid", check.problem);
}

}  // namespace ballast::fdb
