// SPDX-License-Identifier: BSD-2-Clause
#include "show_tables.hpp"

#include "ballast/kube/object.hpp"
#include "ballast/tidb/search/placement/zone.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

namespace {

using report::DataTable;

Value text(const std::string& value) { return value.empty() ? Value() : Value(value); }
Value number(const std::optional<std::int64_t>& value) { return value ? Value(*value) : Value(); }
Value id(std::uint64_t value) { return value == 0 ? Value() : Value(fmt::format("{}", value)); }
Value time(const std::optional<Time>& value) {
  return value ? Value(kube::format_time(*value)) : Value();
}

std::int64_t records(const Input& input, const LiveSet& live) {
  return std::ranges::count_if(live.failures, [&](const Failure& f) {
    return live.component != Component::Pd || input.options.profile == Profile::V10 ||
           f.member_deleted;
  });
}

/// Sets in order: those of the specification, then those that only run.
std::vector<std::pair<Component, std::string>> all_sets(const Input& input) {
  std::vector<std::pair<Component, std::string>> sets;
  for (const Component c : kComponents) {
    for (const SetSpec& set : input.desired.of(c)) sets.emplace_back(c, set.name);
    for (const LiveSet& set : input.live.of(c)) {
      if (input.desired.find(c, set.name) == nullptr) sets.emplace_back(c, set.name);
    }
  }
  return sets;
}

Value set_of(const Input& input, Component c, const std::string& pod) {
  const auto split = split_pod_name(pod);
  for (const LiveSet& set : input.live.of(c)) {
    const bool owns = std::ranges::find(set.pods, pod, &LivePod::name) != set.pods.end();
    if (owns || (split && set.statefulset == split->first)) return set.name;
  }
  return {};
}

DataTable sets_table(const Input& input) {
  DataTable table{
      "sets",
      {"component", "set", "statefulset", "wished", "target", "running", "ready", "updated",
       "partition", "current_revision", "update_revision", "image", "configmap"},
      {}};
  for (const auto& [c, name] : all_sets(input)) {
    const SetSpec* spec = input.desired.find(c, name);
    const LiveSet* live = input.live.find(c, name);
    const SetSpec& known = spec != nullptr ? *spec : live->spec;
    const std::int64_t wished = spec == nullptr ? 0 : spec->replicas;
    const bool counts = spec != nullptr && live != nullptr;
    Value ready = live == nullptr ? Value(0) : number(live->ready_replicas);
    if (live != nullptr && input.live.pods_known)
      ready = std::ranges::count_if(live->pods, &LivePod::ready);
    const LiveSet none;
    const LiveSet& running = live == nullptr ? none : *live;
    table.rows.push_back({name_of(c), name, known.statefulset, wished,
                          wished + (counts ? records(input, running) : 0), running.replicas, ready,
                          number(running.updated_replicas), number(running.partition),
                          text(running.current_revision), text(running.update_revision),
                          text(live == nullptr ? known.image : live->spec.image),
                          text(known.config_map)});
  }
  return table;
}

std::string service_type(const SetSpec& set) {
  const auto type = set.service.find("type");
  if (type == set.service.end()) return "ClusterIP";
  std::string name = type->second;  // canonical: s'NodePort'
  if (name.starts_with('s')) name.erase(0, 1);
  std::erase(name, '\'');
  return name;
}

/// Pods that run; of a cluster that does not run yet, those that are wished.
std::int64_t pods_of(const Input& input, const SetSpec& set) {
  if (!input.live.exists) return set.replicas;
  const LiveSet* live = input.live.find(set.component, set.name);
  return live == nullptr ? 0 : static_cast<std::int64_t>(live->pods.size());
}

std::int64_t pods_of(const Input& input, Component c) {
  if (!input.live.exists) return total_replicas(input.desired.of(c));
  std::int64_t total = 0;
  for (const LiveSet& live : input.live.of(c)) total += static_cast<std::int64_t>(live.pods.size());
  return total;
}

/// The services of one set that has its own, as a TidbCluster beside another one or a group has.
void own_services(DataTable& table, const Input& input, const SetSpec& set) {
  const std::int64_t pods = pods_of(input, set);
  const std::string_view component = name_of(set.component);
  if (set.component != Component::Tikv)
    table.rows.push_back({component, set.statefulset, service_type(set), set.name, pods});
  table.rows.push_back({component, set.statefulset + "-peer", "headless", set.name, pods});
}

DataTable services_table(const Input& input) {
  DataTable table{"services", {"component", "service", "type", "selects", "pods"}, {}};
  const std::string& cluster = input.desired.name;
  const bool groups = input.desired.form == Form::Groups;
  for (const Component c : kComponents) {
    const auto& sets = input.desired.of(c);
    if (sets.empty()) continue;
    const bool apart = groups || input.desired.form == Form::Hetero;
    for (const SetSpec& set : sets) {
      if (groups || (apart && set.name != kDefaultSet)) own_services(table, input, set);
    }
    if (groups) continue;
    const std::int64_t total = apart ? pods_of(input, sets.front()) : pods_of(input, c);
    const std::string_view component = name_of(c);
    if (c != Component::Tikv) {
      table.rows.push_back(
          {component, client_service(cluster, c), service_type(sets.front()), "all", total});
    }
    table.rows.push_back({component, peer_service(cluster, c), "headless", "all", total});
    if (c != Component::Tidb || sets.size() < 2 || apart) continue;
    for (const SetSpec& set : sets) {
      table.rows.push_back({component, set_service(cluster, set.name), service_type(set), set.name,
                            pods_of(input, set)});
    }
  }
  return table;
}

DataTable pods_table(const Input& input, const ZoneFinder& zones) {
  DataTable table{
      "pods",
      {"pod", "set", "ordinal", "node", "zone", "ready", "revision", "claim", "since", "reason"},
      {}};
  for (const Component c : kComponents) {
    for (const LiveSet& set : input.live.of(c)) {
      for (const LivePod& pod : set.pods) {
        const bool revision_known = !pod.revision.empty() || !set.update_revision.empty();
        const bool has_claim = !set.spec.claim_templates.empty();
        table.rows.push_back(
            {pod.name, set.name, pod.ordinal, text(pod.node),
             text(zones.of_pod(pod.name, set.spec)), pod.ready_known ? Value(pod.ready) : Value(),
             revision_known ? Value(pod.updated ? "new" : "old") : Value(),
             has_claim ? Value(claim_name(set.spec.claim_templates.front(), pod.name)) : Value(),
             time(pod.ready ? pod.created : pod.not_ready_since), text(pod.waiting_reason)});
      }
    }
  }
  return table;
}

DataTable stores_table(const Input& input, const ZoneFinder& zones) {
  DataTable table{"stores",
                  {"store", "pod", "set", "state", "since", "leaders", "regions", "used_bytes",
                   "capacity_bytes", "zone"},
                  {}};
  if (!input.live.stores_known) return table;
  for (const Store& store : input.live.stores) {
    table.rows.push_back(
        {id(store.id), text(store.pod),
         store.tiflash ? Value("tiflash") : set_of(input, Component::Tikv, store.pod),
         name_of(store.state), time(store.since), number(store.leaders), number(store.regions),
         number(store.used_bytes), number(store.capacity_bytes), text(zones.of_store(store))});
  }
  return table;
}

DataTable members_table(const Input& input) {
  DataTable table{"members", {"member", "id", "set", "healthy", "leader", "since"}, {}};
  if (!input.live.members_known) return table;
  const std::string& leader = input.live.leader;
  for (const Member& member : input.live.members) {
    table.rows.push_back({member.name, id(member.id), set_of(input, Component::Pd, member.name),
                          member.healthy, leader.empty() ? Value() : Value(leader == member.name),
                          time(member.since)});
  }
  return table;
}

DataTable failures_table(const Input& input) {
  DataTable table{"failures",
                  {"component", "pod", "record", "created", "member_deleted", "used", "maximum"},
                  {}};
  for (const Component c : kComponents) {
    for (const LiveSet& set : input.live.of(c)) {
      const SetSpec* spec = input.desired.find(c, set.name);
      for (const Failure& failure : set.failures) {
        const char* kind = c == Component::Pd ? "member" : "store";
        table.rows.push_back(
            {name_of(c), failure.pod,
             failure.id == 0 ? Value() : Value(fmt::format("{} {}", kind, failure.id)),
             time(failure.created), c == Component::Pd ? Value(failure.member_deleted) : Value(),
             set.failures.size(), spec == nullptr ? set.spec.max_failover : spec->max_failover});
      }
    }
  }
  return table;
}

}  // namespace

std::vector<DataTable> show_tables(const Input& input) {
  const Capacity capacity(input);
  const ZoneFinder zones(input, capacity);
  return {sets_table(input),          services_table(input), pods_table(input, zones),
          stores_table(input, zones), members_table(input),  failures_table(input)};
}

}  // namespace ballast::tidb
