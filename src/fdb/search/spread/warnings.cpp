// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "ballast/fdb/search/spread/parts.hpp"

namespace ballast::fdb {
namespace {

constexpr std::string_view kHostname = "kubernetes.io/hostname";

/// Different physical domains that the anti-affinity asks for.
int needed_places(const Spread& spread) {
  int sum = 0;
  int most = 0;
  for (const SpreadClass& row : spread.classes) {
    const int needed = std::min(spread.options.domains, row.wanted);
    sum += needed;
    most = std::max(most, needed);
  }
  return spread.options.by_class ? most : sum;
}

void warn_of_tolerance(Spread& spread, const ClusterSpec& desired) {
  const Redundancy redundancy = desired.redundancy();
  const int domains = spread.options.domains;
  const int comfortable = redundancy.minimum_domains + redundancy.fault_tolerance;
  if (domains < comfortable) {
    spread.warnings.push_back(
        {"zone-shortage", false,
         fmt::format("{} domains are less than minimum {} + F {}: after the loss of one domain the "
                     "data cannot be replicated "
                     "again",
                     domains, redundancy.minimum_domains, redundancy.fault_tolerance)});
  }
  int zones = 0;
  for (const SpreadClass& row : spread.classes) {
    if (!desired.is_eligible_coordinator(row.process_class)) continue;
    zones += static_cast<int>(
        std::ranges::count_if(row.domains, [](const auto& d) { return d.after > 0; }));
  }
  const int needed = coordinator_count(redundancy, desired.database.usable_regions);
  if (zones < needed) {
    spread.warnings.push_back(
        {"zone-shortage", false,
         fmt::format("coordinators need {} zones, the classes that may hold them will have {}",
                     needed, zones)});
  }
}

void warn_of_places(Spread& spread, const Cluster& cluster) {
  std::set<std::string> hosts;
  for (const ProcessGroup& group : cluster.groups) {
    if (const std::string& host = host_of(group); !host.empty()) hosts.insert(host);
  }
  const int needed = needed_places(spread);
  const int nodes = cluster.given.nodes ? static_cast<int>(cluster.node_taints.size()) : 0;
  if (cluster.given.nodes && nodes > 0 && nodes < needed && spread.topology_key == kHostname) {
    spread.warnings.push_back(
        {"zone-shortage", spread.options.is_required,
         fmt::format("the anti-affinity asks for {} hosts ({}), there are {} nodes", needed,
                     spread.options.by_class ? "the most of a class" : "the sum over the classes",
                     nodes)});
  }
  if (spread.options.by_class && spread.classes.size() > 1) {
    spread.warnings.push_back(
        {"domain-shares-host", false,
         "scope class: domains of different classes may share a host, and coordinators in "
         "different zones may too"});
  }
  if (spread.options.is_required && spread.topology_key != kHostname) {
    spread.warnings.push_back(
        {"required-anti-affinity", false,
         fmt::format("required anti-affinity on {} is refused where the admission plugin "
                     "LimitPodHardAntiAffinityTopology is on",
                     spread.topology_key)});
  }
}

void warn_of_shared_hosts(Spread& spread) {
  for (const SpreadClass& row : spread.classes) {
    for (const SpreadDomain& domain : row.domains) {
      for (const SharedHost& share : domain.shares) {
        spread.warnings.push_back(
            {"domain-shares-host", spread.options.is_required,
             fmt::format(
                 "{} holds pods of {} and {}: its loss takes pods of two zones at once; move {}",
                 share.host, share.with, domain.key, fmt::join(share.groups, ", "))});
      }
    }
  }
}

}  // namespace

void add_warnings(Spread& spread, const Cluster& cluster, const ClusterSpec& desired) {
  warn_of_tolerance(spread, desired);
  warn_of_places(spread, cluster);
  warn_of_shared_hosts(spread);
}

}  // namespace ballast::fdb
