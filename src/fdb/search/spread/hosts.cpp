// SPDX-License-Identifier: BSD-2-Clause
// Hosts of domains, and what they mean for the rounds of an operation on every pod.
#include <algorithm>
#include <map>
#include <set>

#include "ballast/fdb/search/spread/parts.hpp"

namespace ballast::fdb {
namespace {

std::optional<int> rounds_of(Mode mode, int zones, int groups) {
  switch (mode) {
    case Mode::All:
      return groups > 0 ? 1 : 0;
    case Mode::Zone:
      return zones;
    case Mode::ProcessGroup:
      return groups;
    case Mode::None:
      return std::nullopt;
  }
  return std::nullopt;
}

/// Pods of one domain on one host that the packing leaves in place.
struct Tenant {
  std::size_t class_row = 0;
  std::size_t domain_row = 0;
  std::vector<std::string> groups;
};

/// Whose pods should stay: more of them, then the lower index, then the earlier class.
bool keeps_host(const Tenant& a, const Tenant& b) {
  if (a.groups.size() != b.groups.size()) return a.groups.size() > b.groups.size();
  if (a.domain_row != b.domain_row) return a.domain_row < b.domain_row;
  return a.class_row < b.class_row;
}

using Tenants = std::map<std::string, std::vector<Tenant>>;  ///< by host

void add_tenants(const Spread& spread, std::size_t class_row,
                 const std::map<std::string, std::string>& hosts, Tenants& tenants) {
  const auto& domains = spread.classes[class_row].domains;
  const auto& victims = spread.classes[class_row].victims;
  for (std::size_t row = 0; row < domains.size(); ++row) {
    std::map<std::string, Tenant> here;
    for (const std::string& id : domains[row].groups) {
      const auto host = hosts.find(id);
      if (host == hosts.end() || std::ranges::find(victims, id, &SpreadVictim::id) != victims.end())
        continue;
      Tenant& tenant = here[host->second];
      tenant.class_row = class_row;
      tenant.domain_row = row;
      tenant.groups.push_back(id);
    }
    for (auto& [host, tenant] : here) tenants[host].push_back(std::move(tenant));
  }
}

void note_shares(Spread& spread, const Tenants& tenants) {
  for (const auto& [host, all] : tenants) {
    const Tenant& keeper = *std::ranges::min_element(all, keeps_host);
    const std::string& with = spread.classes[keeper.class_row].domains[keeper.domain_row].key;
    for (const Tenant& tenant : all) {
      if (&tenant == &keeper) continue;
      spread.classes[tenant.class_row].domains[tenant.domain_row].shares.push_back(
          {host, with, tenant.groups});
    }
  }
}

}  // namespace

void add_rounds(SpreadClass& row, const std::vector<const ProcessGroup*>& groups,
                const Automation& automation, bool pods_given) {
  std::set<std::string> zones;
  for (const ProcessGroup* group : groups) {
    const std::string& host = host_of(*group);
    zones.insert(host.empty() ? group->fault_domain : host);
  }
  zones.erase("");
  row.counts_hosts = pods_given;
  int zones_after = 0;
  int groups_after = 0;
  for (const SpreadDomain& domain : row.domains) {
    groups_after += domain.after;
    if (domain.after > 0) ++zones_after;
  }
  const auto fill = [&](Mode mode, SpreadRounds& rounds) {
    rounds.before =
        rounds_of(mode, static_cast<int>(zones.size()), static_cast<int>(groups.size()));
    rounds.after = rounds_of(mode, zones_after, groups_after);
    if (mode == Mode::Zone && zones.empty() && !groups.empty()) rounds.before.reset();
  };
  fill(automation.removal_mode, row.removal);
  fill(automation.deletion_mode, row.recreation);
}

void add_shared_hosts(Spread& spread, const Cluster& cluster) {
  std::map<std::string, std::string> hosts;
  for (const ProcessGroup& group : cluster.groups) {
    if (const std::string& host = host_of(group); !host.empty()) hosts.emplace(group.id, host);
  }
  Tenants tenants;
  for (std::size_t row = 0; row < spread.classes.size(); ++row) {
    add_tenants(spread, row, hosts, tenants);
    if (!spread.options.by_class) continue;
    note_shares(spread, tenants);
    tenants.clear();
  }
  note_shares(spread, tenants);
}

}  // namespace ballast::fdb
