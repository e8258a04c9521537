// SPDX-License-Identifier: BSD-2-Clause
// How the coordinators stand, and who holds them while the plan's steps move pods.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "ballast/fdb/search/world/coordinator_servers.hpp"
#include "ballast/fdb/search/world/coordinators.hpp"

namespace ballast::fdb {
namespace {

bool is_ip(const std::string& host) {
  // The address of a pod that the plan creates is not known yet, but it is one.
  return host.find(':') != std::string::npos || host.rfind("<ip of ", 0) == 0 ||
         (!host.empty() && host.find_first_not_of("0123456789.") == std::string::npos);
}

/// The host under which the cluster file names the coordinator; the database reports IPs even for
/// names.
std::string written_host(const World& world, const Address& address, const Server& server) {
  const auto connection = parse_connection_string(world.status.connection_string);
  if (!connection) return address.host;
  Address named = address;
  named.host = dns_of(world, server);
  for (const Address& written : connection->coordinators) {
    if (written == named) return written.host;
  }
  return address.host;
}

/// Adds up coordinators of each value of a locality. A value that is not told counts nowhere.
class Tally {
 public:
  explicit Tally(std::optional<int> limit) : limit_(limit) {}
  void add(const std::string& value) {
    if (!value.empty()) ++counts_[value];
  }
  [[nodiscard]] bool exceeds_limit() const {
    return limit_ &&
           std::ranges::any_of(counts_, [&](const auto& entry) { return entry.second > *limit_; });
  }
  [[nodiscard]] std::size_t size() const { return counts_.size(); }

 private:
  std::optional<int> limit_;
  std::map<std::string, int> counts_;
};

/// What is wrong with one coordinator; empty: nothing.
std::string problem_of(const World& world, const Address& address, const Server& server) {
  const Process& process = *server.process;
  const std::string name = server.id->empty() ? to_string(address) : *server.id;
  if (process.is_excluded) return "coordinator " + name + " is excluded";
  if (!world.spec.is_eligible_coordinator(server.process_class))
    return "class of coordinator " + name + " is not eligible";
  const bool by_ip = is_ip(written_host(world, address, server));
  if (uses_names(world) && !process.dns_name.empty() && by_ip)
    return "coordinator " + name + " is known by its IP, a DNS name is wanted";
  if (!uses_names(world) && !by_ip)
    return "coordinator " + name + " is known by a name, its IP is wanted";
  return "";
}

/// The group whose pod has or will have the coordinator's name, and that has no server yet; empty:
/// none.
std::string silent_holder(const World& world, const CoordinatorState& coordinator) {
  const auto found = std::ranges::find_if(world.groups, [&](const Member& group) {
    return group.processes.empty() && dns_of(world, group) == coordinator.address.host;
  });
  return found == world.groups.end() ? "" : found->id;
}

/// Steps of the plan may take the majority of the coordinators, and bring it back.
void follow_quorum(World& world) {
  const auto& coordinators = world.db.coordinators;
  const auto reachable = static_cast<std::size_t>(
      std::ranges::count_if(coordinators, &CoordinatorState::is_reachable));
  const bool has_quorum = reachable > coordinators.size() / 2;
  if (coordinators.empty() || has_quorum == !world.has_lost_quorum) return;
  if (!has_quorum && std::ranges::none_of(coordinators, &CoordinatorState::is_lost)) return;
  world.has_lost_quorum = !has_quorum;
  world.db.quorum_reachable = has_quorum;
  world.db.is_available = has_quorum;
}

}  // namespace

void follow_coordinators(World& world) {
  const std::vector<Server> known = holders(world).any;
  const auto connection = parse_connection_string(world.status.connection_string);
  for (std::size_t i = 0; i < known.size(); ++i) {
    CoordinatorState& coordinator = world.db.coordinators[i];
    if (known[i].process != nullptr) {
      // A pod that the plan made again brings back a coordinator that the snapshot missed.
      const bool is_remade = known[i].group != nullptr && known[i].group->was_touched;
      const bool came_back = !coordinator.is_reachable && (coordinator.is_lost || is_remade);
      if (came_back) coordinator.is_reachable = true;
      coordinator.is_lost = false;
      coordinator.held_by = *known[i].id;
      continue;
    }
    if (coordinator.held_by.empty()) coordinator.held_by = silent_holder(world, coordinator);
    if (coordinator.held_by.empty()) continue;  // nobody here ever answered there
    coordinator.is_lost = coordinator.is_lost || coordinator.is_reachable;
    coordinator.is_reachable = false;
    const Member* group = world.find(coordinator.held_by);
    if (group == nullptr || group->processes.empty() || !connection) continue;
    // The database tells IPs even where the cluster file has names; a name follows its pod.
    const Process& process = group->processes.front();
    Address named = coordinator.address;
    named.host = dns_of(world, {&process, group, &group->id, group->process_class});
    if (process.addresses.empty() ||
        std::ranges::find(connection->coordinators, named) == connection->coordinators.end())
      continue;
    coordinator.address.host = process.addresses.front().host;
    coordinator.is_reachable = coordinator.is_lost;
    coordinator.is_lost = false;
  }
  follow_quorum(world);
  for (Member& group : world.groups) {
    if (group.processes.empty() || group.is_coordinator()) continue;
    group.processes.front().is_coordinator =
        std::ranges::any_of(world.db.coordinators, [&](const CoordinatorState& coordinator) {
          return coordinator.held_by == group.id && coordinator.is_reachable;
        });
  }
}

CoordinatorCheck check_coordinators(const World& world) {
  CoordinatorCheck check;
  const Holders known = holders(world);
  const HardLimits limits = coordinator_limits(world);
  Tally zones(limits.zone);
  Tally centers(limits.data_center);
  Tally halls(limits.data_hall);
  const auto complain = [&check](std::string problem) {
    check.are_valid = false;
    if (check.problem.empty()) check.problem = std::move(problem);
  };
  for (std::size_t i = 0; i < known.wanted.size(); ++i) {
    const Address& address = world.db.coordinators[i].address;
    const Server& server = known.wanted[i];
    if (server.process == nullptr) {
      const bool has_other = known.any[i].process != nullptr;
      check.all_present = check.all_present && has_other;
      complain("coordinator " + to_string(address) +
               (has_other ? " listens with the other kind of address"
                          : " is no address of a reporting process"));
      continue;
    }
    if (std::string problem = problem_of(world, address, server); !problem.empty())
      complain(std::move(problem));
    zones.add(server.process->zone);
    centers.add(server.process->data_center);
    halls.add(server.process->data_hall);
  }
  if (zones.exceeds_limit()) complain("too many coordinators in one zone");
  if (centers.exceeds_limit()) complain("too many coordinators in one data center");
  if (halls.exceeds_limit()) complain("too many coordinators in one data hall");
  const int wanted = wanted_coordinators(world);
  if (static_cast<int>(zones.size()) != wanted) {
    complain(fmt::format("coordinators are in {} zones, {} are wanted", zones.size(), wanted));
  } else if (static_cast<int>(world.db.coordinators.size()) != wanted) {
    complain(fmt::format("{} coordinators, {} are wanted", world.db.coordinators.size(), wanted));
  }
  check.addresses_ready = check.are_valid || all_listen_as_wanted(world);
  return check;
}

bool holds_coordinator(const World& world, const Member& group) {
  return std::ranges::find(world.db.coordinators, group.id, &CoordinatorState::held_by) !=
         world.db.coordinators.end();
}

}  // namespace ballast::fdb
