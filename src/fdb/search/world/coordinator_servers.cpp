// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/search/world/coordinator_servers.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>

#include "ballast/fdb/model/identity.hpp"

namespace ballast::fdb {

bool uses_names(const World& world) { return world.spec.routing.dns_in_cluster_file; }

int wanted_coordinators(const World& world) {
  return coordinator_count(world.spec.redundancy(),
                           std::max(1, world.spec.database.usable_regions));
}

HardLimits coordinator_limits(const World& world) {
  HardLimits limits;
  const int count = wanted_coordinators(world);
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

std::string dns_of(const World& world, const Member& group) {
  const Cluster& cluster = *world.snapshot;
  return pod_name(cluster.name, group.process_class, group.number) + "." + cluster.name + "." +
         cluster.name_space + ".svc." + world.spec.routing.dns_domain;
}

std::string dns_of(const World& world, const Server& server) {
  if (!server.process->dns_name.empty() || server.group == nullptr) return server.process->dns_name;
  return dns_of(world, *server.group);
}

const Address* wanted_address(const World& world, const Process& process) {
  const auto found = std::ranges::find(process.addresses, world.spec.enable_tls, &Address::is_tls);
  return found == process.addresses.end() ? nullptr : &*found;
}

bool all_listen_as_wanted(const World& world) {
  bool all = true;
  for_each_server(world, [&](const Server& server) {
    if (server.process_class == ProcessClass::Test) return;
    all = all && wanted_address(world, *server.process) != nullptr;
  });
  return all;
}

Holders holders(const World& world) {
  const auto& coordinators = world.db.coordinators;
  Holders found{std::vector<Server>(coordinators.size()), std::vector<Server>(coordinators.size())};
  std::unordered_multimap<std::string_view, std::size_t> by_host;
  for (std::size_t i = 0; i < coordinators.size(); ++i)
    by_host.emplace(coordinators[i].address.host, i);
  const auto visit = [&](const Server& server) {
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
  };
  // Mostly they stand where they stood, and nobody else need be asked.
  for (const CoordinatorState& coordinator : coordinators) {
    const Member* group = world.find(coordinator.held_by);
    if (group == nullptr) continue;
    for (const Process& process : group->processes)
      visit({&process, group, &group->id, group->process_class});
  }
  const bool are_known = std::ranges::all_of(
      found.any, [](const Server& server) { return server.process != nullptr; });
  if (!are_known) for_each_server(world, visit);
  return found;
}

}  // namespace ballast::fdb
