// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "ballast/fdb/model/identity.hpp"
#include "ballast/fdb/search/reconcilers.hpp"

namespace ballast::fdb {
namespace {

bool uses_dns(const World& world) { return world.spec.routing.dns_in_cluster_file; }

int wanted_count(const World& world) {
  return coordinator_count(world.spec.redundancy(),
                           std::max(1, world.spec.database.usable_regions));
}

HardLimits hard_limits(const World& world) {
  HardLimits limits;
  const int count = wanted_count(world);
  if (world.spec.database.usable_regions <= 1) {
    limits.zone = 1;
    if (world.spec.redundancy().is_three_data_hall) limits.data_hall = 3;
    return limits;
  }
  std::set<std::string> centers;
  for (const Region& region : world.spec.database.regions) {
    for (const DataCenter& dc : region.data_centers) centers.insert(dc.id);
  }
  limits.zone = 1;
  const int kinds = std::max(1, static_cast<int>(centers.size()));
  limits.data_center = (count + kinds - 1) / kinds;
  return limits;
}

std::string dns_of(const World& world, const Member& group, const Process& process) {
  if (!process.dns_name.empty()) return process.dns_name;
  const Cluster& cluster = *world.snapshot;
  return pod_name(cluster.name, group.process_class, group.number) + "." + cluster.name + "." +
         cluster.name_space + ".svc." + world.spec.routing.dns_domain;
}

/// The address under which the process would be a coordinator.
Address coordinator_address(const World& world, const Member& group, const Process& process) {
  Address address;
  for (const Address& own : process.addresses) {
    if (own.is_tls == world.spec.enable_tls) {
      address = own;
      break;
    }
  }
  if (address.host.empty() && !process.addresses.empty())
    address.host = process.addresses.front().host;
  address.is_tls = world.spec.enable_tls;
  if (address.port == 0)
    address.port = address.is_tls ? tls_port(process.number) : plain_port(process.number);
  if (uses_dns(world)) address.host = dns_of(world, group, process);
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

struct Holder {
  const Member* group = nullptr;
  const Process* process = nullptr;
};

bool is_ip(const std::string& host) {
  // The address of a pod that the plan creates is not known yet, but it is one.
  return host.find(':') != std::string::npos || host.rfind("<ip of ", 0) == 0 ||
         (!host.empty() && host.find_first_not_of("0123456789.") == std::string::npos);
}

bool has_dns_name(const World& world, const Member& group, const Process& process,
                  const std::string& host) {
  return process.dns_name.empty() ? dns_of(world, group, process) == host
                                  : process.dns_name == host;
}

/// Does the process answer under the address, by its IP or by its name?
bool answers(const World& world, const Member& group, const Process& process,
             const Address& address, bool by_name) {
  if (process.addresses.empty()) return false;
  const Address& primary = process.addresses.front();
  if (primary.port != address.port || primary.is_tls != address.is_tls) return false;
  return primary.host == address.host ||
         (by_name && has_dns_name(world, group, process, address.host));
}

/// Does the process listen at the address, be it the one it is known by or another?
bool listens(const World& world, const Member& group, const Process& process,
             const Address& address, bool by_name) {
  return std::ranges::any_of(process.addresses, [&](const Address& own) {
    if (own.port != address.port || own.is_tls != address.is_tls) return false;
    return own.host == address.host ||
           (by_name && has_dns_name(world, group, process, address.host));
  });
}

/// Who holds each current coordinator's address by the measure of `is_held`, in their order; nobody
/// where no process reports it.
std::vector<Holder> holders(const World& world, decltype(&answers) is_held) {
  std::vector<Holder> found(world.db.coordinators.size());
  std::vector<bool> by_name;
  for (const CoordinatorState& coordinator : world.db.coordinators)
    by_name.push_back(!is_ip(coordinator.address.host));
  for (const Member& group : world.groups) {
    for (const Process& process : group.processes) {
      for (std::size_t i = 0; i < found.size(); ++i) {
        if (is_held(world, group, process, world.db.coordinators[i].address, by_name[i]))
          found[i] = {&group, &process};
      }
    }
  }
  return found;
}

/// The host under which the cluster file names the coordinator; the database reports IPs even for
/// names.
std::string written_host(const World& world, const Address& address, const Member& group,
                         const Process& process) {
  const auto connection = parse_connection_string(world.status.connection_string);
  if (!connection) return address.host;
  Address named = address;
  named.host = dns_of(world, group, process);
  for (const Address& written : connection->coordinators) {
    if (written == named) return written.host;
  }
  return address.host;
}

}  // namespace

void follow_coordinators(World& world) {
  const auto known = holders(world, listens);
  const auto connection = parse_connection_string(world.status.connection_string);
  for (std::size_t i = 0; i < known.size(); ++i) {
    CoordinatorState& coordinator = world.db.coordinators[i];
    if (known[i].group != nullptr) {
      const bool came_back = !coordinator.is_reachable && coordinator.is_lost;
      if (came_back) coordinator.is_reachable = true;
      coordinator.is_lost = false;
      coordinator.held_by = known[i].group->id;
      continue;
    }
    if (coordinator.held_by.empty()) continue;  // nobody here ever answered there
    coordinator.is_lost = coordinator.is_lost || coordinator.is_reachable;
    coordinator.is_reachable = false;
    const Member* group = world.find(coordinator.held_by);
    if (group == nullptr || group->processes.empty() || !connection) continue;
    // The database tells IPs even where the cluster file has names; a name follows its pod.
    const Process& process = group->processes.front();
    Address named = coordinator.address;
    named.host = dns_of(world, *group, process);
    if (process.addresses.empty() ||
        std::ranges::find(connection->coordinators, named) == connection->coordinators.end())
      continue;
    coordinator.address.host = process.addresses.front().host;
    coordinator.is_reachable = coordinator.is_lost;
    coordinator.is_lost = false;
  }
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
  for (const Member& group : world.groups) {
    for (const Process& process : group.processes) {
      const bool has =
          std::any_of(process.addresses.begin(), process.addresses.end(),
                      [&](const Address& a) { return a.is_tls == world.spec.enable_tls; });
      check.addresses_ready = check.addresses_ready && has;
    }
  }
  const auto known = holders(world, answers);
  const HardLimits limits = hard_limits(world);
  std::set<std::string> zones;
  std::map<std::string, int> centers;
  std::map<std::string, int> halls;
  const auto complain = [&check](std::string problem) {
    check.are_valid = false;
    if (check.problem.empty()) check.problem = std::move(problem);
  };
  for (std::size_t i = 0; i < known.size(); ++i) {
    const CoordinatorState& coordinator = world.db.coordinators[i];
    if (known[i].group == nullptr) {
      check.all_present = false;
      complain("coordinator " + to_string(coordinator.address) +
               " is no address of a reporting process");
      continue;
    }
    const Member& group = *known[i].group;
    const Process& process = *known[i].process;
    if (process.is_excluded) complain("coordinator " + group.id + " is excluded");
    if (!world.spec.is_eligible_coordinator(group.process_class))
      complain("class of coordinator " + group.id + " is not eligible");
    const bool by_ip = is_ip(written_host(world, coordinator.address, group, process));
    if (uses_dns(world) && !process.dns_name.empty() && by_ip) {
      complain("coordinator " + group.id + " is known by its IP, a DNS name is wanted");
    }
    if (!uses_dns(world) && !by_ip)
      complain("coordinator " + group.id + " is known by a name, its IP is wanted");
    if (coordinator.address.is_tls != world.spec.enable_tls)
      complain("coordinator " + group.id + " listens with the other kind of address");
    zones.insert(process.zone);
    ++centers[process.data_center];
    ++halls[process.data_hall];
  }
  const auto exceeds = [](const std::map<std::string, int>& counts,
                          const std::optional<int>& limit) {
    return limit && std::any_of(counts.begin(), counts.end(),
                                [&](const auto& e) { return e.second > *limit; });
  };
  if (exceeds(centers, limits.data_center)) complain("too many coordinators in one data center");
  if (exceeds(halls, limits.data_hall)) complain("too many coordinators in one data hall");
  const int wanted = wanted_count(world);
  if (static_cast<int>(zones.size()) != wanted) {
    complain(fmt::format("coordinators are in {} zones, {} are wanted", zones.size(), wanted));
  } else if (static_cast<int>(world.db.coordinators.size()) != wanted) {
    complain(fmt::format("{} coordinators, {} are wanted", world.db.coordinators.size(), wanted));
  }
  return check;
}

Result<CoordinatorChoice> choose_coordinators(const World& world) {
  std::vector<Candidate> candidates;
  std::vector<Holder> sources;
  std::set<std::string> zones;
  for (const Member& group : world.groups) {
    if (group.is_marked() || !world.spec.is_eligible_coordinator(group.process_class)) continue;
    if (group.processes.empty()) continue;
    const Process& process =
        group.processes.front();  // of several processes of a pod the one with the lowest port
    if (process.is_excluded || process.is_under_maintenance) continue;
    Candidate candidate{group.id,
                        process.zone,
                        process.data_center,
                        process.data_hall,
                        world.spec.coordinator_priority(group.process_class),
                        sources.size()};
    if (!process.version.empty() && process.version != to_string(world.spec.version) &&
        !world.is_upgrading) {
      candidate.priority -= 1 << 20;
    }
    zones.insert(process.zone);
    candidates.push_back(std::move(candidate));
    sources.push_back({&group, &process});
  }
  ChooseRules rules;
  rules.uses_data_hall = world.spec.redundancy().is_three_data_hall;
  rules.primary_data_center = primary_data_center(world);
  rules.limits = hard_limits(world);
  const int count = wanted_count(world);
  const auto chosen = choose(candidates, count, rules);
  if (!chosen) {
    std::string names;
    for (const std::string& zone : zones) names += (names.empty() ? "" : ", ") + zone;
    return fail(fmt::format(
        "{}: {} coordinators needed ({}), each in its own zoneid; eligible processes: {}, "
        "distinct zoneids: {} ({}). Missing: {} fault domains",
        chosen.error().message, count,
        world.spec.database.redundancy_mode.empty() ? "double"
                                                    : world.spec.database.redundancy_mode,
        candidates.size(), zones.size(), names,
        std::max(0, count - static_cast<int>(zones.size()))));
  }
  CoordinatorChoice choice;
  std::vector<std::pair<std::string, Address>> picked;
  for (const std::size_t i : *chosen) {
    const Holder& source = sources[i];
    picked.emplace_back(source.group->id,
                        coordinator_address(world, *source.group, *source.process));
  }
  std::sort(picked.begin(), picked.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [id, address] : picked) {
    choice.groups.push_back(id);
    choice.addresses.push_back(address);
  }
  return choice;
}

void set_coordinators(World& world, Reconciler reconciler, const CoordinatorChoice& choice,
                      std::string reason, std::string because) {
  std::string command = "coordinators";
  for (const Address& address : choice.addresses) command += " " + to_string(address);
  Step& step = world.emit(reconciler, Action::ChangeCoordinators, choice.groups);
  step.reason = std::move(reason);
  step.because = std::move(because);
  step.commands = {command};
  step.needs_lock = world.spec.uses_locks;
  for (Member& group : world.groups) {
    for (Process& process : group.processes) process.is_coordinator = false;
  }
  for (const std::string& id : choice.groups) {
    Member& group = *world.find(id);
    if (!group.processes.empty()) group.processes.front().is_coordinator = true;
  }
  world.db.coordinators.clear();
  for (std::size_t i = 0; i < choice.addresses.size(); ++i)
    world.db.coordinators.push_back({choice.addresses[i], true, choice.groups[i]});
  auto connection = parse_connection_string(world.status.connection_string)
                        .value_or(ConnectionString{"cluster", "", {}});
  if (connection.generation.empty() || connection.generation.front() != '<')
    connection.generation = "<new>";
  connection.coordinators = choice.addresses;
  world.status.connection_string = to_string(connection);
  world.clear_signature_cache();
  world.recovered();
}

void change_coordinators(World& world) {
  const Reconciler self = Reconciler::ChangeCoordinators;
  if (!world.status.is_configured || world.status.connection_string.empty() ||
      !world.db.coordinators_given || world.is_upgrading) {
    return;
  }
  const CoordinatorCheck check = check_coordinators(world);
  world.pass.coordinators_deferred = !check.are_valid && !check.addresses_ready;
  if (check.are_valid || !check.addresses_ready) return;
  const auto choice = choose_coordinators(world);
  if (!choice) {
    world.block(self, "coordinators", {}, choice.error().message);
    world.delay_pass(2);
    return;
  }
  const OperatorFlags& flags = world.options.flags;
  const DatabaseGate gate{self,
                          check.all_present ? flags.uptime_for_undesired_coordinator
                                            : flags.uptime_for_missing_coordinator,
                          check.all_present, choice->groups};
  if (!passes(world, gate)) {
    world.delay_pass(2);
    return;
  }
  world.release(self, "recovery-age", gate.age);
  set_coordinators(world, self, *choice, "coordinators-invalid", check.problem);
}

}  // namespace ballast::fdb
