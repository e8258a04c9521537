// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/search/spread/spread.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "ballast/fdb/model/counts.hpp"
#include "ballast/fdb/model/identity.hpp"
#include "ballast/fdb/search/spread/parts.hpp"

namespace ballast::fdb {
namespace {

using Groups = std::vector<const ProcessGroup*>;

bool wants_replacement(const ProcessGroup& group) {
  for (std::size_t i = 0; i < kConditionCount; ++i) {
    const auto condition = static_cast<Condition>(i);
    if (group.conditions.has(condition) && triggers_replacement(condition)) return true;
  }
  return false;
}

PackingMember packing_member(const ProcessGroup& group) {
  PackingMember member;
  member.id = group.id;
  member.number = group.number;
  member.domain = bound_domain(group);
  member.wants_replacement = wants_replacement(group);
  member.is_coordinator = group.is_coordinator();
  member.stored_bytes = group.stored_bytes();
  if (group.pod) member.created = group.pod->created;
  return member;
}

void add_domains(SpreadClass& row, const Groups& groups, int wanted_domains) {
  std::set<int> indices;
  for (int z = 0; z < wanted_domains; ++z) indices.insert(z);
  for (const ProcessGroup* group : groups) {
    if (const auto domain = bound_domain(*group)) indices.insert(*domain);
  }
  for (const int z : indices) {
    SpreadDomain domain;
    domain.key = domain_key(row.process_class, z);
    std::set<std::string> hosts;
    for (const ProcessGroup* group : groups) {
      if (bound_domain(*group) != z) continue;
      domain.groups.push_back(group->id);
      if (const std::string& host = host_of(*group); !host.empty()) hosts.insert(host);
    }
    domain.hosts.assign(hosts.begin(), hosts.end());
    domain.before = static_cast<int>(domain.groups.size());
    row.domains.push_back(std::move(domain));
  }
  for (const ProcessGroup* group : groups) {
    if (!bound_domain(*group)) row.unbound.push_back(group->id);
  }
}

void add_victims(SpreadClass& row, const Groups& groups, int domains) {
  std::vector<PackingMember> members;
  members.reserve(groups.size());
  for (const ProcessGroup* group : groups) members.push_back(packing_member(*group));
  for (const PackingVictim& victim : packing_victims(members, row.wanted, domains)) {
    const auto it = std::ranges::find(groups, victim.id, &ProcessGroup::id);
    const auto from = bound_domain(**it);
    row.victims.push_back({victim.id, from ? domain_key(row.process_class, *from) : std::string(),
                           victim.reason, (*it)->stored_bytes()});
  }
}

/// The lowest numbers that no group has and that neither an exclusion nor a removal list names.
class FreeNumbers {
 public:
  FreeNumbers(const Cluster& cluster, const ClusterSpec& spec, ProcessClass c)
      : cluster_(cluster), spec_(spec), class_(c) {
    for (const ProcessGroup& group : cluster.groups) {
      if (group.process_class == c) taken_.insert(group.number);
    }
  }

  std::string next() {
    for (;;) {
      const int number = ++last_;
      const std::string id = group_id(spec_.group_prefix, class_, number);
      if (!taken_.contains(number) && !is_named(id)) return id;
    }
  }

 private:
  [[nodiscard]] bool is_named(const std::string& id) const {
    const auto lists = {&spec_.groups_to_remove, &spec_.groups_to_remove_without_exclusion};
    return cluster_.database.exclusions.contains(locality_target(id)) ||
           std::ranges::any_of(lists, [&](const auto* list) {
             return std::ranges::find(*list, id) != list->end();
           });
  }

  const Cluster& cluster_;
  const ClusterSpec& spec_;
  ProcessClass class_;
  std::set<int> taken_;
  int last_ = 0;
};

void add_newcomers(SpreadClass& row, FreeNumbers numbers, int domains) {
  std::vector<int> occupied(static_cast<std::size_t>(domains), 0);
  int staying = 0;
  for (int z = 0; z < domains; ++z) {
    const SpreadDomain& domain = row.domains[static_cast<std::size_t>(z)];
    const auto leaving = std::ranges::count(row.victims, domain.key, &SpreadVictim::from);
    occupied[static_cast<std::size_t>(z)] = domain.before - static_cast<int>(leaving);
    staying += occupied[static_cast<std::size_t>(z)];
  }
  for (const int z : packing_places(occupied, row.wanted - staying)) {
    ++occupied[static_cast<std::size_t>(z)];
    row.newcomers.push_back({numbers.next(), domain_key(row.process_class, z)});
  }
  row.shrink = std::max(0, staying - row.wanted);
  for (int i = 0; i < row.shrink; ++i) {
    // Fullest, of equals the highest index, as for a replacement.
    --*std::max_element(occupied.rbegin(), occupied.rend());
  }
  for (int z = 0; z < domains; ++z)
    row.domains[static_cast<std::size_t>(z)].after = occupied[static_cast<std::size_t>(z)];
}

SpreadClass spread_class(const Cluster& cluster, const ClusterSpec& desired, ProcessClass c,
                         int wanted, int domains) {
  SpreadClass row;
  row.process_class = c;
  row.wanted = wanted;
  row.minimum = wanted / domains;
  row.maximum = (wanted + domains - 1) / domains;
  Groups groups;
  for (const ProcessGroup& group : cluster.groups) {
    if (group.process_class != c) continue;
    if (group.is_marked()) {
      row.marked.push_back(group.id);
    } else {
      groups.push_back(&group);
    }
  }
  add_domains(row, groups, domains);
  add_victims(row, groups, domains);
  add_newcomers(row, FreeNumbers(cluster, desired, c), domains);
  add_rounds(row, groups, desired.automation, cluster.given.pods);
  return row;
}

}  // namespace

int SpreadClass::present() const {
  int sum = static_cast<int>(unbound.size());
  for (const SpreadDomain& domain : domains) sum += domain.before;
  return sum;
}

int Spread::replacements() const {
  std::size_t sum = 0;
  for (const SpreadClass& row : classes) sum += row.victims.size();
  return static_cast<int>(sum);
}

std::optional<std::int64_t> Spread::bytes() const {
  std::int64_t sum = 0;
  for (const SpreadClass& row : classes) {
    if (row.process_class != ProcessClass::Storage) continue;
    for (const SpreadVictim& victim : row.victims) {
      if (!victim.stored_bytes) return std::nullopt;
      sum += *victim.stored_bytes;
    }
  }
  return sum;
}

std::optional<int> bound_domain(const ProcessGroup& group) {
  if (group.pod) {
    if (const auto domain = domain_of_key(group.process_class, group.pod->distribution_key))
      return domain;
  }
  return domain_of_key(group.process_class, group.fault_domain);
}

const std::string& host_of(const ProcessGroup& group) {
  static const std::string kNone;
  return group.pod && !group.pod->is_assumed ? group.pod->node : kNone;
}

Spread plan_spread(const Cluster& cluster, const ClusterSpec& desired,
                   const SpreadOptions& options) {
  Spread spread;
  spread.options = options;
  spread.topology_key = desired.fault_domain.key;
  spread.removal_mode = desired.automation.removal_mode;
  spread.deletion_mode = desired.automation.deletion_mode;
  spread.wait_between_removals_seconds = desired.automation.wait_between_removals_seconds;
  spread.hosts_known = cluster.given.pods;
  const PerClass<int> wanted = wanted_pods(desired);
  for (std::size_t i = 0; i < kClassCount; ++i) {
    const ProcessClass c = class_at(i);
    const bool has_groups =
        std::ranges::any_of(cluster.groups, [c](const auto& g) { return g.process_class == c; });
    if (wanted[i] == 0 && !has_groups) continue;
    spread.classes.push_back(spread_class(cluster, desired, c, wanted[i], options.domains));
  }
  add_shared_hosts(spread, cluster);
  add_warnings(spread, cluster, desired);
  return spread;
}

std::string spread_refusal(const ClusterSpec& desired, int domains) {
  const std::string& key = desired.fault_domain.key;
  if (domains < 1) return fmt::format("{} fault domains: expected at least 1", domains);
  if (key == "foundationdb.org/none" || key == "foundationdb.org/kubernetes-cluster") {
    return fmt::format("faultDomain.key {} defines the zone itself: expected a topology key", key);
  }
  const int minimum = desired.redundancy().minimum_domains;
  if (domains >= minimum) return {};
  const std::string& mode = desired.database.redundancy_mode;
  return fmt::format("{} fault domains: expected at least {}, the redundancy mode is {}", domains,
                     minimum, mode.empty() ? "double" : mode);
}

}  // namespace ballast::fdb
