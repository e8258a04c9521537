// SPDX-License-Identifier: BSD-2-Clause
// What PD knows, as pd-ctl prints it and as the operator writes it into a status.
#include "ballast/core/strings.hpp"
#include "ballast/kube/object.hpp"
#include "ballast/tidb/backend/live_dump.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

namespace {

using doc::Tree;

Tree text(std::string value) { return Tree::string(std::move(value)); }
Tree whole(std::int64_t value) { return Tree::integer(value); }
Tree id_node(std::uint64_t id) { return Tree::integer(fmt::format("{}", id)); }

void put_time(Tree& map, std::string_view key, const std::optional<Time>& at) {
  if (at) map.set(key, text(kube::format_time(*at)));
}

bool is_out_of_date(const Live& live, Component c) {
  return live.synced[index_of(c)].has_value() && !*live.synced[index_of(c)];
}

Tree labels_of(const Store& store) {
  Tree labels = Tree::list();
  for (const auto& [key, value] : store.labels) {
    Tree label = Tree::map();
    label.set("key", text(key));
    label.set("value", text(value));
    labels.items().push_back(std::move(label));
  }
  return labels;
}

Tree store_of(const Store& store, const std::string& ns) {
  Tree inner = Tree::map();
  inner.set("id", id_node(store.id));
  inner.set("address", text(fmt::format("{}.tikv-peer.{}.svc:20160", store.pod, ns)));
  inner.set("state_name", text(std::string(name_of(store.state))));
  if (!store.labels.empty()) inner.set("labels", labels_of(store));
  Tree status = Tree::map();
  const auto bytes = [&](std::string_view key, const std::optional<std::int64_t>& size) {
    if (size) status.set(key, text(fmt::format("{}B", *size)));
  };
  bytes("capacity", store.capacity_bytes);
  bytes("available", store.available_bytes);
  bytes("used_size", store.used_bytes);
  if (store.leaders) status.set("leader_count", whole(*store.leaders));
  if (store.regions) status.set("region_count", whole(*store.regions));
  Tree item = Tree::map();
  item.set("store", std::move(inner));
  item.set("status", std::move(status));
  return item;
}

Tree pd_status(const Live& live) {
  Tree status = Tree::map();
  Tree members = Tree::map();
  Tree peers = Tree::map();
  for (const Member& member : live.members) {
    Tree one = Tree::map();
    one.set("name", text(member.name));
    if (member.id != 0) one.set("id", text(fmt::format("{}", member.id)));
    one.set("health", Tree::boolean(member.healthy));
    put_time(one, "lastTransitionTime", member.since);
    (member.peer ? peers : members).set(member.name, std::move(one));
  }
  if (live.members_known) status.set("members", std::move(members));
  if (!peers.entries().empty()) status.set("peerMembers", std::move(peers));
  if (!live.leader.empty()) {
    Tree leader = Tree::map();
    leader.set("name", text(live.leader));
    status.set("leader", std::move(leader));
  }
  return status;
}

Tree tikv_status(const Live& live) {
  Tree status = Tree::map();
  Tree stores = Tree::map();
  Tree peers = Tree::map();
  for (const Store& store : live.stores) {
    if (store.id == 0 || store.tiflash) continue;
    Tree one = Tree::map();
    one.set("id", text(fmt::format("{}", store.id)));
    one.set("podName", text(store.pod));
    one.set("state", text(std::string(name_of(store.state))));
    if (store.leaders) one.set("leaderCount", whole(*store.leaders));
    if (store.leaders_before) one.set("leaderCountBeforeUpgrade", whole(*store.leaders_before));
    put_time(one, "lastTransitionTime", store.since);
    (store.peer ? peers : stores).set(fmt::format("{}", store.id), std::move(one));
  }
  if (live.stores_known) status.set("stores", std::move(stores));
  if (!peers.entries().empty()) status.set("peerStores", std::move(peers));
  status.set("bootStrapped", Tree::boolean(live.bootstrapped));
  if (!live.failover_uid.empty()) status.set("failoverUID", text(live.failover_uid));
  Tree asked = Tree::map();
  for (const std::string& pod : live.asked_evictions) asked.set(pod, Tree::map());
  if (!live.asked_evictions.empty()) status.set("evictLeader", std::move(asked));
  return status;
}

Tree tidb_status(const Live& live) {
  Tree members = Tree::map();
  for (const LiveSet& set : live.of(Component::Tidb)) {
    for (const LivePod& pod : set.pods) {
      Tree one = Tree::map();
      one.set("name", text(pod.name));
      one.set("health", Tree::boolean(pod.healthy));
      if (!pod.healthy) put_time(one, "lastTransitionTime", pod.unhealthy_since);
      members.set(pod.name, std::move(one));
    }
  }
  Tree status = Tree::map();
  status.set("members", std::move(members));
  return status;
}

Tree failures_of(const Live& live, Component c) {
  Tree failures = Tree::map();
  for (const LiveSet& set : live.of(c)) {
    for (const Failure& failure : set.failures) {
      Tree one = Tree::map();
      one.set("podName", text(failure.pod));
      put_time(one, "createdAt", failure.created);
      if (failure.host_down) one.set("hostDown", Tree::boolean(true));
      const std::string id = fmt::format("{}", failure.id);
      if (c == Component::Pd) {
        one.set("memberID", text(id));
        one.set("memberDeleted", Tree::boolean(failure.member_deleted));
      }
      if (c == Component::Tikv) {
        one.set("storeID", text(id));
        if (failure.store_deleted) one.set("storeDeleted", Tree::boolean(true));
      }
      failures.set(c == Component::Tikv ? id : failure.pod, std::move(one));
    }
  }
  return failures;
}

}  // namespace

std::optional<Tree> pd_stores_of(const Live& live) {
  if (!live.stores_known || is_out_of_date(live, Component::Tikv)) return std::nullopt;
  Tree stores = Tree::list();
  for (const Store& store : live.stores) {
    if (store.id != 0) stores.items().push_back(store_of(store, live.ns));
  }
  Tree document = Tree::map();
  document.set("count", whole(static_cast<std::int64_t>(stores.items().size())));
  document.set("stores", std::move(stores));
  return document;
}

std::optional<Tree> pd_members_of(const Live& live) {
  if (!live.members_known || is_out_of_date(live, Component::Pd)) return std::nullopt;
  Tree members = Tree::list();
  for (const Member& member : live.members) {
    Tree one = Tree::map();
    one.set("name", text(member.name));
    if (member.id != 0) one.set("member_id", id_node(member.id));
    members.items().push_back(std::move(one));
  }
  Tree document = Tree::map();
  document.set("members", std::move(members));
  if (!live.leader.empty()) {
    Tree leader = Tree::map();
    leader.set("name", text(live.leader));
    document.set("leader", std::move(leader));
  }
  return document;
}

std::optional<Tree> pd_health_of(const Live& live) {
  if (!live.members_known || live.members.empty() || is_out_of_date(live, Component::Pd))
    return std::nullopt;
  Tree list = Tree::list();
  for (const Member& member : live.members) {
    Tree one = Tree::map();
    one.set("name", text(member.name));
    if (member.id != 0) one.set("member_id", id_node(member.id));
    one.set("health", Tree::boolean(member.healthy));
    list.items().push_back(std::move(one));
  }
  return list;
}

std::optional<Tree> pd_config_of(const Live& live) {
  if (!live.max_replicas && live.location_labels.empty()) return std::nullopt;
  Tree replication = Tree::map();
  if (live.max_replicas) replication.set("max-replicas", whole(*live.max_replicas));
  if (!live.location_labels.empty())
    replication.set("location-labels", text(join(live.location_labels, ",")));
  Tree schedule = Tree::map();
  schedule.set("low-space-ratio", Tree::floating(fmt::format("{}", live.low_space_ratio)));
  Tree document = Tree::map();
  document.set("replication", std::move(replication));
  document.set("schedule", std::move(schedule));
  return document;
}

Tree status_of(const Live& live) {
  Tree status = Tree::map();
  for (const Component c : kComponents) {
    Tree one = c == Component::Pd     ? pd_status(live)
               : c == Component::Tikv ? tikv_status(live)
                                      : tidb_status(live);
    if (!live.phase[index_of(c)].empty()) one.set("phase", text(live.phase[index_of(c)]));
    if (live.synced[index_of(c)]) one.set("synced", Tree::boolean(*live.synced[index_of(c)]));
    if (Tree failures = failures_of(live, c); !failures.entries().empty())
      one.set(c == Component::Tikv ? "failureStores" : "failureMembers", std::move(failures));
    status.set(name_of(c), std::move(one));
  }
  for (const auto& [name, phase] : live.other_phases) {
    Tree one = Tree::map();
    one.set("phase", text(phase));
    status.set(name, std::move(one));
  }
  return status;
}

}  // namespace ballast::tidb
