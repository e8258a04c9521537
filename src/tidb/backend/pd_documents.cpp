// SPDX-License-Identifier: BSD-2-Clause
// What PD knows, as pd-ctl prints it and as the operator writes it into a status.
#include "ballast/core/strings.hpp"
#include "ballast/kube/object.hpp"
#include "ballast/tidb/backend/live_dump.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

namespace {

using KNode = kube::Node;

KNode text(std::string value) { return KNode::string(std::move(value)); }
KNode whole(std::int64_t value) { return KNode::integer(value); }
KNode id_node(std::uint64_t id) { return KNode::integer(fmt::format("{}", id)); }

void put_time(KNode& map, std::string_view key, const std::optional<Time>& at) {
  if (at) map.set(key, text(kube::format_time(*at)));
}

bool is_out_of_date(const Live& live, Component c) {
  return live.synced[index_of(c)].has_value() && !*live.synced[index_of(c)];
}

KNode labels_of(const Store& store) {
  KNode labels = KNode::list();
  for (const auto& [key, value] : store.labels) {
    KNode label = KNode::map();
    label.set("key", text(key));
    label.set("value", text(value));
    labels.items().push_back(std::move(label));
  }
  return labels;
}

KNode store_of(const Store& store, const std::string& ns) {
  KNode inner = KNode::map();
  inner.set("id", id_node(store.id));
  inner.set("address", text(fmt::format("{}.tikv-peer.{}.svc:20160", store.pod, ns)));
  inner.set("state_name", text(std::string(name_of(store.state))));
  if (!store.labels.empty()) inner.set("labels", labels_of(store));
  KNode status = KNode::map();
  const auto bytes = [&](std::string_view key, const std::optional<std::int64_t>& size) {
    if (size) status.set(key, text(fmt::format("{}B", *size)));
  };
  bytes("capacity", store.capacity_bytes);
  bytes("available", store.available_bytes);
  bytes("used_size", store.used_bytes);
  if (store.leaders) status.set("leader_count", whole(*store.leaders));
  if (store.regions) status.set("region_count", whole(*store.regions));
  KNode item = KNode::map();
  item.set("store", std::move(inner));
  item.set("status", std::move(status));
  return item;
}

KNode pd_status(const Live& live) {
  KNode status = KNode::map();
  KNode members = KNode::map();
  KNode peers = KNode::map();
  for (const Member& member : live.members) {
    KNode one = KNode::map();
    one.set("name", text(member.name));
    if (member.id != 0) one.set("id", text(fmt::format("{}", member.id)));
    one.set("health", KNode::boolean(member.healthy));
    put_time(one, "lastTransitionTime", member.since);
    (member.peer ? peers : members).set(member.name, std::move(one));
  }
  if (live.members_known) status.set("members", std::move(members));
  if (!peers.entries().empty()) status.set("peerMembers", std::move(peers));
  if (!live.leader.empty()) {
    KNode leader = KNode::map();
    leader.set("name", text(live.leader));
    status.set("leader", std::move(leader));
  }
  return status;
}

KNode tikv_status(const Live& live) {
  KNode status = KNode::map();
  KNode stores = KNode::map();
  KNode peers = KNode::map();
  for (const Store& store : live.stores) {
    if (store.id == 0 || store.tiflash) continue;
    KNode one = KNode::map();
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
  status.set("bootStrapped", KNode::boolean(live.bootstrapped));
  if (!live.failover_uid.empty()) status.set("failoverUID", text(live.failover_uid));
  return status;
}

KNode tidb_status(const Live& live) {
  KNode members = KNode::map();
  for (const LiveSet& set : live.of(Component::Tidb)) {
    for (const LivePod& pod : set.pods) {
      KNode one = KNode::map();
      one.set("name", text(pod.name));
      one.set("health", KNode::boolean(pod.healthy));
      if (!pod.healthy) put_time(one, "lastTransitionTime", pod.unhealthy_since);
      members.set(pod.name, std::move(one));
    }
  }
  KNode status = KNode::map();
  status.set("members", std::move(members));
  return status;
}

KNode failures_of(const Live& live, Component c) {
  KNode failures = KNode::map();
  for (const LiveSet& set : live.of(c)) {
    for (const Failure& failure : set.failures) {
      KNode one = KNode::map();
      one.set("podName", text(failure.pod));
      put_time(one, "createdAt", failure.created);
      if (failure.host_down) one.set("hostDown", KNode::boolean(true));
      const std::string id = fmt::format("{}", failure.id);
      if (c == Component::Pd) {
        one.set("memberID", text(id));
        one.set("memberDeleted", KNode::boolean(failure.member_deleted));
      }
      if (c == Component::Tikv) {
        one.set("storeID", text(id));
        if (failure.store_deleted) one.set("storeDeleted", KNode::boolean(true));
      }
      failures.set(c == Component::Tikv ? id : failure.pod, std::move(one));
    }
  }
  return failures;
}

}  // namespace

std::optional<KNode> pd_stores_of(const Live& live) {
  if (!live.stores_known || is_out_of_date(live, Component::Tikv)) return std::nullopt;
  KNode stores = KNode::list();
  for (const Store& store : live.stores) {
    if (store.id != 0) stores.items().push_back(store_of(store, live.ns));
  }
  KNode document = KNode::map();
  document.set("count", whole(static_cast<std::int64_t>(stores.items().size())));
  document.set("stores", std::move(stores));
  return document;
}

std::optional<KNode> pd_members_of(const Live& live) {
  if (!live.members_known || is_out_of_date(live, Component::Pd)) return std::nullopt;
  KNode members = KNode::list();
  for (const Member& member : live.members) {
    KNode one = KNode::map();
    one.set("name", text(member.name));
    if (member.id != 0) one.set("member_id", id_node(member.id));
    members.items().push_back(std::move(one));
  }
  KNode document = KNode::map();
  document.set("members", std::move(members));
  if (!live.leader.empty()) {
    KNode leader = KNode::map();
    leader.set("name", text(live.leader));
    document.set("leader", std::move(leader));
  }
  return document;
}

std::optional<KNode> pd_health_of(const Live& live) {
  if (!live.members_known || live.members.empty() || is_out_of_date(live, Component::Pd))
    return std::nullopt;
  KNode list = KNode::list();
  for (const Member& member : live.members) {
    KNode one = KNode::map();
    one.set("name", text(member.name));
    if (member.id != 0) one.set("member_id", id_node(member.id));
    one.set("health", KNode::boolean(member.healthy));
    list.items().push_back(std::move(one));
  }
  return list;
}

std::optional<KNode> pd_config_of(const Live& live) {
  if (!live.max_replicas && live.location_labels.empty()) return std::nullopt;
  KNode replication = KNode::map();
  if (live.max_replicas) replication.set("max-replicas", whole(*live.max_replicas));
  if (!live.location_labels.empty())
    replication.set("location-labels", text(join(live.location_labels, ",")));
  KNode schedule = KNode::map();
  schedule.set("low-space-ratio", KNode::floating(fmt::format("{}", live.low_space_ratio)));
  KNode document = KNode::map();
  document.set("replication", std::move(replication));
  document.set("schedule", std::move(schedule));
  return document;
}

KNode status_of(const Live& live) {
  KNode status = KNode::map();
  for (const Component c : kComponents) {
    KNode one = c == Component::Pd     ? pd_status(live)
                : c == Component::Tikv ? tikv_status(live)
                                       : tidb_status(live);
    if (!live.phase[index_of(c)].empty()) one.set("phase", text(live.phase[index_of(c)]));
    if (live.synced[index_of(c)]) one.set("synced", KNode::boolean(*live.synced[index_of(c)]));
    if (KNode failures = failures_of(live, c); !failures.entries().empty())
      one.set(c == Component::Tikv ? "failureStores" : "failureMembers", std::move(failures));
    status.set(name_of(c), std::move(one));
  }
  for (const auto& [name, phase] : live.other_phases) {
    KNode one = KNode::map();
    one.set("phase", text(phase));
    status.set(name, std::move(one));
  }
  return status;
}

}  // namespace ballast::tidb
