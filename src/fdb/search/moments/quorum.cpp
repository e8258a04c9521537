// SPDX-License-Identifier: BSD-2-Clause
// Coordinators and their addresses, followed through a trace.
#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "ballast/fdb/model/identity.hpp"
#include "ballast/fdb/search/moments/weak_moments.hpp"

namespace ballast::fdb {
namespace {

struct Coordinator {
  std::string group;      ///< that holds it; empty: none that is known
  bool is_named = false;  ///< by a name or a service, which follows the pod
  bool is_up = true;
};

bool is_name(const std::string& host) {
  return host.rfind("<ip of ", 0) != 0 && host.find(':') == std::string::npos &&
         host.find_first_not_of("0123456789.") != std::string::npos;
}

bool names_pod(const std::string& host, const Cluster& cluster, const ProcessGroup& group) {
  return host.starts_with(pod_name(cluster.name, group.process_class, group.number) + ".");
}

bool is_at(const Cluster& cluster, const ProcessGroup& group, const Address& address) {
  if (group.processes.empty() && names_pod(address.host, cluster, group)) return true;
  return std::ranges::any_of(group.processes, [&](const Process& process) {
    return (!process.dns_name.empty() && process.dns_name == address.host) ||
           std::ranges::find(process.addresses, address) != process.addresses.end();
  });
}

/// Its pod is there, and its server is about to report.
bool is_coming(const ProcessGroup& group) {
  return group.processes.empty() && group.pod && !group.pod->terminating_since;
}

/// The cluster file, or the service of the pod, knows the group by more than the IP of its pod.
bool is_named(const Cluster& cluster, const ProcessGroup& group) {
  if (group.pod && group.pod->public_ip_source == IpSource::Service) return true;
  const auto connection = parse_connection_string(cluster.status.connection_string);
  if (!connection) return false;
  return std::ranges::any_of(connection->coordinators, [&](const Address& address) {
    return names_pod(address.host, cluster, group);
  });
}

std::vector<Coordinator> first_coordinators(const Cluster& cluster) {
  std::vector<Coordinator> list;
  for (const CoordinatorState& state : cluster.database.coordinators) {
    Coordinator coordinator{{}, false, state.is_reachable};
    for (const ProcessGroup& group : cluster.groups) {
      if (!is_at(cluster, group, state.address)) continue;
      coordinator.group = group.id;
      coordinator.is_named = is_named(cluster, group);
      coordinator.is_up = coordinator.is_up || (coordinator.is_named && is_coming(group));
    }
    list.push_back(std::move(coordinator));
  }
  if (!list.empty()) return list;
  for (const ProcessGroup& group : cluster.groups) {
    if (group.is_coordinator()) list.push_back({group.id, is_named(cluster, group), true});
  }
  return list;
}

/// Groups whose address is that of a service, which their next pod has as well.
std::set<std::string> served_groups(const Cluster& cluster) {
  std::set<std::string> ids;
  for (const ProcessGroup& group : cluster.groups) {
    if (group.pod && group.pod->public_ip_source == IpSource::Service) ids.insert(group.id);
  }
  return ids;
}

/// Those that the step chooses, from its command.
std::vector<Coordinator> chosen_coordinators(const TraceStep& step,
                                             const std::set<std::string>& served) {
  std::vector<Coordinator> list;
  std::istringstream words(step.commands.empty() ? std::string() : step.commands.front());
  std::vector<bool> named;
  for (std::string word; words >> word;) {
    const auto address = parse_address(word);
    if (address && word != "coordinators") named.push_back(is_name(address->host));
  }
  const bool all_named = !named.empty() && std::ranges::all_of(named, [](bool n) { return n; });
  for (const std::string& id : step.targets)
    list.push_back({id, all_named || served.contains(id), true});
  // The others are servers of other objects of the database, which no step here takes away.
  while (list.size() < named.size()) list.push_back({"", all_named, true});
  return list;
}

int count_up(const std::vector<Coordinator>& list) {
  return static_cast<int>(std::ranges::count_if(list, &Coordinator::is_up));
}

}  // namespace

std::vector<ReachableCoordinators> reachable_coordinators(const Cluster& cluster,
                                                          const std::vector<TraceStep>& steps) {
  std::vector<ReachableCoordinators> moments;
  std::vector<Coordinator> now = first_coordinators(cluster);
  std::set<std::string> served = served_groups(cluster);
  int number = 0;
  for (const TraceStep& step : steps) {
    ++number;
    if (step.action == Action::CreateService)
      served.insert(step.targets.begin(), step.targets.end());
    if (step.action == Action::ChangeCoordinators) now = chosen_coordinators(step, served);
    const bool takes = step.action == Action::DeletePod || step.action == Action::DeleteResources;
    if (!takes && step.action != Action::CreatePod) continue;
    const int before = count_up(now);
    for (Coordinator& coordinator : now) {
      if (!std::ranges::binary_search(step.targets, coordinator.group)) continue;
      if (takes) coordinator.is_up = false;
      if (!takes && coordinator.is_named) coordinator.is_up = true;
    }
    const int all = static_cast<int>(now.size());
    if (takes && count_up(now) < all) moments.push_back({number, all, count_up(now), before});
  }
  return moments;
}

}  // namespace ballast::fdb
