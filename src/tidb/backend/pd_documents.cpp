// SPDX-License-Identifier: BSD-2-Clause
// What PD knows, as pd-ctl prints it and as the operator writes it into a status.
#include "ballast/core/strings.hpp"
#include "ballast/kube/write.hpp"
#include "ballast/tidb/backend/live_dump.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

namespace {

using doc::Tree;

using kube::put;
using kube::put_time;
using kube::text;

Tree id_node(std::uint64_t id) { return Tree::integer(fmt::format("{}", id)); }

Tree leader_of(const Live& live) { return Tree::map({{"name", text(live.leader)}}); }

bool is_out_of_date(const Live& live, Component c) {
  return live.synced[index_of(c)].has_value() && !*live.synced[index_of(c)];
}

Tree labels_of(const Store& store) {
  Tree labels = Tree::list();
  for (const auto& [key, value] : store.labels)
    labels.items().push_back(Tree::map({{"key", text(key)}, {"value", text(value)}}));
  return labels;
}

Tree store_of(const Store& store, const std::string& ns) {
  Tree inner =
      Tree::map({{"id", id_node(store.id)},
                 {"address", text(fmt::format("{}.tikv-peer.{}.svc:20160", store.pod, ns))},
                 {"state_name", text(name_of(store.state))}});
  if (!store.labels.empty()) inner.set("labels", labels_of(store));
  Tree status = Tree::map();
  const auto bytes = [&](std::string_view key, const std::optional<std::int64_t>& size) {
    if (size) status.set(key, text(fmt::format("{}B", *size)));
  };
  bytes("capacity", store.capacity_bytes);
  bytes("available", store.available_bytes);
  bytes("used_size", store.used_bytes);
  put(status, "leader_count", store.leaders);
  put(status, "region_count", store.regions);
  return Tree::map({{"store", std::move(inner)}, {"status", std::move(status)}});
}

Tree pd_status(const Live& live) {
  Tree status = Tree::map();
  Tree members = Tree::map();
  Tree peers = Tree::map();
  for (const Member& member : live.members) {
    Tree one = Tree::map({{"name", text(member.name)}});
    if (member.id != 0) one.set("id", text(fmt::format("{}", member.id)));
    one.set("health", Tree::boolean(member.healthy));
    put_time(one, "lastTransitionTime", member.since);
    (member.peer ? peers : members).set(member.name, std::move(one));
  }
  if (live.members_known) status.set("members", std::move(members));
  if (!peers.entries().empty()) status.set("peerMembers", std::move(peers));
  if (!live.leader.empty()) status.set("leader", leader_of(live));
  return status;
}

Tree tikv_status(const Live& live) {
  Tree status = Tree::map();
  Tree stores = Tree::map();
  Tree peers = Tree::map();
  for (const Store& store : live.stores) {
    if (store.id == 0 || store.tiflash) continue;
    Tree one = Tree::map({{"id", text(fmt::format("{}", store.id))},
                          {"podName", text(store.pod)},
                          {"state", text(name_of(store.state))}});
    put(one, "leaderCount", store.leaders);
    put(one, "leaderCountBeforeUpgrade", store.leaders_before);
    put_time(one, "lastTransitionTime", store.since);
    (store.peer ? peers : stores).set(fmt::format("{}", store.id), std::move(one));
  }
  if (live.stores_known) status.set("stores", std::move(stores));
  if (!peers.entries().empty()) status.set("peerStores", std::move(peers));
  status.set("bootStrapped", Tree::boolean(live.bootstrapped));
  put(status, "failoverUID", live.failover_uid);
  Tree asked = Tree::map();
  for (const std::string& pod : live.asked_evictions) asked.set(pod, Tree::map());
  if (!live.asked_evictions.empty()) status.set("evictLeader", std::move(asked));
  return status;
}

Tree tidb_status(const Live& live) {
  Tree members = Tree::map();
  for (const LiveSet& set : live.of(Component::Tidb)) {
    for (const LivePod& pod : set.pods) {
      Tree one = Tree::map({{"name", text(pod.name)}, {"health", Tree::boolean(pod.healthy)}});
      if (!pod.healthy) put_time(one, "lastTransitionTime", pod.unhealthy_since);
      members.set(pod.name, std::move(one));
    }
  }
  return Tree::map({{"members", std::move(members)}});
}

Tree failures_of(const Live& live, Component c) {
  Tree failures = Tree::map();
  for (const LiveSet& set : live.of(c)) {
    for (const Failure& failure : set.failures) {
      Tree one = Tree::map({{"podName", text(failure.pod)}});
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
  const auto count = static_cast<std::int64_t>(stores.items().size());
  return Tree::map({{"count", Tree::integer(count)}, {"stores", std::move(stores)}});
}

std::optional<Tree> pd_members_of(const Live& live) {
  if (!live.members_known || is_out_of_date(live, Component::Pd)) return std::nullopt;
  Tree members = Tree::list();
  for (const Member& member : live.members) {
    Tree one = Tree::map({{"name", text(member.name)}});
    if (member.id != 0) one.set("member_id", id_node(member.id));
    members.items().push_back(std::move(one));
  }
  Tree document = Tree::map({{"members", std::move(members)}});
  if (!live.leader.empty()) document.set("leader", leader_of(live));
  return document;
}

std::optional<Tree> pd_health_of(const Live& live) {
  if (!live.members_known || live.members.empty() || is_out_of_date(live, Component::Pd))
    return std::nullopt;
  Tree list = Tree::list();
  for (const Member& member : live.members) {
    Tree one = Tree::map({{"name", text(member.name)}});
    if (member.id != 0) one.set("member_id", id_node(member.id));
    one.set("health", Tree::boolean(member.healthy));
    list.items().push_back(std::move(one));
  }
  return list;
}

std::optional<Tree> pd_config_of(const Live& live) {
  if (!live.max_replicas && live.location_labels.empty()) return std::nullopt;
  Tree replication = Tree::map();
  put(replication, "max-replicas", live.max_replicas);
  put(replication, "location-labels", join(live.location_labels, ","));
  Tree ratio = Tree::floating(fmt::format("{}", live.low_space_ratio));
  return Tree::map({{"replication", std::move(replication)},
                    {"schedule", Tree::map({{"low-space-ratio", std::move(ratio)}})}});
}

Tree status_of(const Live& live) {
  Tree status = Tree::map();
  for (const Component c : kComponents) {
    Tree one = c == Component::Pd     ? pd_status(live)
               : c == Component::Tikv ? tikv_status(live)
                                      : tidb_status(live);
    put(one, "phase", live.phase[index_of(c)]);
    if (live.synced[index_of(c)]) one.set("synced", Tree::boolean(*live.synced[index_of(c)]));
    if (Tree failures = failures_of(live, c); !failures.entries().empty())
      one.set(c == Component::Tikv ? "failureStores" : "failureMembers", std::move(failures));
    status.set(name_of(c), std::move(one));
  }
  for (const auto& [name, phase] : live.other_phases)
    status.set(name, Tree::map({{"phase", text(phase)}}));
  return status;
}

}  // namespace ballast::tidb
