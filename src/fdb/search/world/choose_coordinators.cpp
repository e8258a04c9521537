// SPDX-License-Identifier: BSD-2-Clause
// Choosing coordinators and changing them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "ballast/fdb/search/world/coordinator_servers.hpp"
#include "ballast/fdb/search/world/coordinators.hpp"

namespace ballast::fdb {
namespace {

/// The address under which the process would be a coordinator.
Address coordinator_address(const World& world, const Server& server) {
  Address address = *wanted_address(world, *server.process);
  if (uses_names(world)) address.host = dns_of(world, server);
  return address;
}

std::string primary_data_center(const World& world) {
  std::string id;
  int best = 0;
  for (const Region& region : world.spec.database.regions) {
    for (const DataCenter& dc : region.data_centers) {
      if (!dc.is_satellite && (id.empty() || dc.priority > best)) {
        id = dc.id;
        best = dc.priority;
      }
    }
  }
  return id;
}

/// Could the server be a coordinator at all? Marks of other objects are not known here.
bool is_candidate(const World& world, const Server& server) {
  if (server.id->empty() || (server.group != nullptr && server.group->is_marked())) return false;
  if (!world.spec.is_eligible_coordinator(server.process_class)) return false;
  if (server.process->is_excluded) return false;
  const std::string& maintained = world.db.maintenance_zone;
  if (!maintained.empty() && server.process->zone == maintained) return false;
  if (wanted_address(world, *server.process) == nullptr) return false;
  // A server that was started before names were wanted tells none.
  return !uses_names(world) || !server.process->dns_name.empty();
}

std::string shortage_text(const World& world, const std::string& message, int count,
                          std::size_t candidates, const std::set<std::string>& zones) {
  const std::string& mode = world.spec.database.redundancy_mode;
  return fmt::format(
      "{}: {} coordinators needed ({}), each in its own zoneid; eligible processes: {}, "
      "distinct zoneids: {} ({}). Missing: {} fault domains",
      message, count, mode.empty() ? "double" : mode, candidates, zones.size(),
      fmt::join(zones, ", "), std::max(0, count - static_cast<int>(zones.size())));
}

}  // namespace

Result<CoordinatorChoice> choose_coordinators(const World& world) {
  if (!all_listen_as_wanted(world)) {
    return fail(
        fmt::format("some servers have no address {} TLS yet: until they are restarted, "
                    "no new coordinators are accepted",
                    world.spec.enable_tls ? "with" : "without"));
  }
  std::vector<Candidate> candidates;
  std::vector<Server> sources;
  std::set<std::string> zones;
  const std::string* last = nullptr;
  for_each_server(world, [&](const Server& server) {
    // Of several processes of a pod the one with the lowest port: they stand together, in order.
    const bool is_further = last != nullptr && *last == *server.id;
    last = server.id;
    if (is_further || !is_candidate(world, server)) return;
    const Process& process = *server.process;
    Candidate candidate{*server.id,
                        process.zone,
                        process.data_center,
                        process.data_hall,
                        world.spec.coordinator_priority(server.process_class),
                        sources.size()};
    if (!process.version.empty() && process.version != to_string(world.spec.version) &&
        !world.is_upgrading) {
      candidate.priority -= 1 << 20;
    }
    zones.insert(process.zone);
    candidates.push_back(std::move(candidate));
    sources.push_back(server);
  });
  ChooseRules rules;
  rules.uses_data_hall = world.spec.redundancy().is_three_data_hall;
  rules.primary_data_center = primary_data_center(world);
  rules.limits = coordinator_limits(world);
  const int count = wanted_coordinators(world);
  const auto chosen = choose(candidates, count, rules);
  if (!chosen)
    return fail(shortage_text(world, chosen.error().message, count, candidates.size(), zones));
  std::vector<Server> picked;
  for (const std::size_t i : *chosen) picked.push_back(sources[i]);
  std::ranges::sort(picked, {},
                    [](const Server& server) -> const std::string& { return *server.id; });
  CoordinatorChoice choice;
  for (const Server& server : picked) {
    (server.group != nullptr ? choice.groups : choice.foreign).push_back(*server.id);
    choice.addresses.push_back(coordinator_address(world, server));
    choice.holders.push_back(*server.id);
  }
  return choice;
}

void set_coordinators(World& world, Reconciler reconciler, const CoordinatorChoice& choice,
                      std::string reason, std::string because) {
  std::string command = "coordinators";
  for (const Address& address : choice.addresses) command += " " + to_string(address);
  TraceStep& step = world.emit(reconciler, Action::ChangeCoordinators, choice.groups);
  step.reason = std::move(reason);
  step.because = std::move(because);
  step.commands = {command};
  step.needs_lock = world.spec.uses_locks;
  if (!choice.foreign.empty())
    step.listing.push_back(fmt::format("and of other objects {}", fmt::join(choice.foreign, ", ")));
  for (Member& group : world.groups) {
    for (Process& process : group.processes) process.is_coordinator = false;
  }
  for (ForeignProcess& other : world.db.foreign) {
    other.process.is_coordinator = std::ranges::binary_search(choice.foreign, other.group);
  }
  for (const std::string& id : choice.groups) {
    Member& group = *world.find(id);
    if (!group.processes.empty()) group.processes.front().is_coordinator = true;
  }
  world.db.coordinators.clear();
  for (std::size_t i = 0; i < choice.addresses.size(); ++i)
    world.db.coordinators.push_back({choice.addresses[i], true, choice.holders[i]});
  auto connection = parse_connection_string(world.status.connection_string)
                        .value_or(ConnectionString{"cluster", "", {}});
  if (connection.generation.empty() || connection.generation.front() != '<')
    connection.generation = "<new>";
  connection.coordinators = choice.addresses;
  world.status.connection_string = to_string(connection);
  world.clear_signature_cache();
  world.recovered();
}

}  // namespace ballast::fdb
