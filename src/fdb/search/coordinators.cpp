// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
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

/// A server of the whole database, as coordinators are chosen among all of them.
struct Server {
  const Process* process = nullptr;
  const Member* group = nullptr;  ///< null: of another object
  const std::string* id = nullptr;
  ProcessClass process_class = ProcessClass::Unset;
};

template <class Visit>
void for_each_server(const World& world, const Visit& visit) {
  for (const Member& group : world.groups) {
    for (const Process& process : group.processes)
      visit(Server{&process, &group, &group.id, group.process_class});
  }
  for (const ForeignProcess& other : world.db.foreign)
    visit(Server{&other.process, nullptr, &other.group, other.process.process_class});
}

/// Empty where it is not known: names of other objects' pods cannot be made up.
std::string dns_of(const World& world, const Server& server) {
  if (!server.process->dns_name.empty() || server.group == nullptr) return server.process->dns_name;
  const Cluster& cluster = *world.snapshot;
  return pod_name(cluster.name, server.group->process_class, server.group->number) + "." +
         cluster.name + "." + cluster.name_space + ".svc." + world.spec.routing.dns_domain;
}

/// Of all addresses of the process the one with the wanted TLS flag; null where it has none yet.
const Address* wanted_address(const World& world, const Process& process) {
  const auto found = std::ranges::find(process.addresses, world.spec.enable_tls, &Address::is_tls);
  return found == process.addresses.end() ? nullptr : &*found;
}

/// The address under which the process would be a coordinator.
Address coordinator_address(const World& world, const Server& server) {
  const Process& process = *server.process;
  const Address* wanted = wanted_address(world, process);
  Address address = wanted != nullptr ? *wanted : Address{};
  if (address.host.empty() && !process.addresses.empty())
    address.host = process.addresses.front().host;
  address.is_tls = world.spec.enable_tls;
  if (address.port == 0)
    address.port = address.is_tls ? tls_port(process.number) : plain_port(process.number);
  if (uses_dns(world)) address.host = dns_of(world, server);
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

bool is_ip(const std::string& host) {
  // The address of a pod that the plan creates is not known yet, but it is one.
  return host.find(':') != std::string::npos || host.rfind("<ip of ", 0) == 0 ||
         (!host.empty() && host.find_first_not_of("0123456789.") == std::string::npos);
}

/// Who holds each current coordinator's address, in their order.
struct Holders {
  std::vector<Server> wanted;  ///< by the address with the wanted TLS flag; process null: nobody
  std::vector<Server> any;     ///< by any address
};

Holders holders(const World& world) {
  const auto& coordinators = world.db.coordinators;
  Holders found{std::vector<Server>(coordinators.size()), std::vector<Server>(coordinators.size())};
  std::unordered_multimap<std::string_view, std::size_t> by_host;
  for (std::size_t i = 0; i < coordinators.size(); ++i)
    by_host.emplace(coordinators[i].address.host, i);
  for_each_server(world, [&](const Server& server) {
    const Address* wanted = wanted_address(world, *server.process);
    const auto look = [&](const Address& own, const std::string& host) {
      const auto [first, last] = by_host.equal_range(host);
      for (auto at = first; at != last; ++at) {
        const Address& address = coordinators[at->second].address;
        if (address.port != own.port || address.is_tls != own.is_tls) continue;
        found.any[at->second] = server;
        if (&own == wanted) found.wanted[at->second] = server;
      }
    };
    for (const Address& own : server.process->addresses) {
      look(own, own.host);
      if (const std::string name = dns_of(world, server); !name.empty() && name != own.host)
        look(own, name);
    }
  });
  return found;
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
  if (uses_dns(world) && !process.dns_name.empty() && by_ip)
    return "coordinator " + name + " is known by its IP, a DNS name is wanted";
  if (!uses_dns(world) && !by_ip)
    return "coordinator " + name + " is known by a name, its IP is wanted";
  return "";
}

}  // namespace

void follow_coordinators(World& world) {
  const std::vector<Server> known = holders(world).any;
  const auto connection = parse_connection_string(world.status.connection_string);
  for (std::size_t i = 0; i < known.size(); ++i) {
    CoordinatorState& coordinator = world.db.coordinators[i];
    if (known[i].process != nullptr) {
      const bool came_back = !coordinator.is_reachable && coordinator.is_lost;
      if (came_back) coordinator.is_reachable = true;
      coordinator.is_lost = false;
      coordinator.held_by = *known[i].id;
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
    named.host = dns_of(world, {&process, group, &group->id, group->process_class});
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
  for_each_server(world, [&](const Server& server) {
    if (server.process_class == ProcessClass::Test) return;
    check.addresses_ready =
        check.addresses_ready && wanted_address(world, *server.process) != nullptr;
  });
  const Holders known = holders(world);
  const HardLimits limits = hard_limits(world);
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
  const int wanted = wanted_count(world);
  if (static_cast<int>(zones.size()) != wanted) {
    complain(fmt::format("coordinators are in {} zones, {} are wanted", zones.size(), wanted));
  } else if (static_cast<int>(world.db.coordinators.size()) != wanted) {
    complain(fmt::format("{} coordinators, {} are wanted", world.db.coordinators.size(), wanted));
  }
  return check;
}

namespace {

/// Could the server be a coordinator at all? Marks of other objects are not known here.
bool is_candidate(const World& world, const Server& server) {
  if (server.id->empty() || (server.group != nullptr && server.group->is_marked())) return false;
  if (!world.spec.is_eligible_coordinator(server.process_class)) return false;
  if (server.process->is_excluded || server.process->is_under_maintenance) return false;
  return !uses_dns(world) || !dns_of(world, server).empty();
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
  rules.limits = hard_limits(world);
  const int count = wanted_count(world);
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
  Step& step = world.emit(reconciler, Action::ChangeCoordinators, choice.groups);
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
  if (!takes_lock(world, self, choice->groups)) {
    world.delay_pass(2);
    return;
  }
  world.release(self, "recovery-age", gate.age);
  set_coordinators(world, self, *choice, "coordinators-invalid", check.problem);
}

}  // namespace ballast::fdb
