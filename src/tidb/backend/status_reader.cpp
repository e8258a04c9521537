// SPDX-License-Identifier: BSD-2-Clause
#include "status_reader.hpp"

#include "ballast/tidb/backend/canonical.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

namespace {

using doc::Tree;

bool is_true(const Tree* node) { return node != nullptr && node->as_bool() == true; }

/// Entries of a mapping, or none.
const std::vector<Tree::Entry>& entries_of(const Tree* node) {
  static const std::vector<Tree::Entry> kNone;
  return node == nullptr || !node->is_map() ? kNone : node->entries();
}

class StatusReader {
 public:
  explicit StatusReader(Diagnostics& errors) : errors_(errors) {}

  void read(const Tree& status) {
    data_.given = true;
    for (const Component c : kComponents) {
      if (const Tree* node = status.find(name_of(c)); node != nullptr && node->is_map())
        component(c, *node);
    }
    for (const auto& [key, value] : entries_of(&status)) {
      if (component_named(key) || !value.is_map()) continue;
      if (const std::string phase = text_of(value.find("phase")); !phase.empty())
        data_.other_phases[key] = phase;
    }
  }

  /// Operator v2: every group has a status of its own.
  void read_group(const Tree& object) {
    const Tree* status = object.find("status");
    const std::string kind = text_of(object.find("kind"));
    const std::optional<Component> c = kind == "PDGroup"     ? std::optional(Component::Pd)
                                       : kind == "TiKVGroup" ? std::optional(Component::Tikv)
                                       : kind == "TiDBGroup" ? std::optional(Component::Tidb)
                                                             : std::nullopt;
    if (!c || status == nullptr || !status->is_map()) return;
    SetStatus set = one_set(*status, "status");
    set.key = text_of(object.at({"metadata", "name"}));
    data_.components[index_of(*c)].sets.push_back(std::move(set));
  }

  StatusData take() {
    std::ranges::sort(data_.stores, {}, &Store::id);
    std::ranges::sort(data_.members, {}, &Member::name);
    return std::move(data_);
  }

 private:
  void component(Component c, const Tree& node) {
    ComponentStatus& status = data_.components[index_of(c)];
    if (const std::string phase = text_of(node.find("phase")); !phase.empty()) status.phase = phase;
    if (const Tree* synced = node.find("synced")) status.synced = synced->as_bool();
    sets(c, node, status);
    if (c == Component::Pd) pd(node, status);
    if (c == Component::Tikv) tikv(node, status);
    if (c == Component::Tidb) tidb(node, status);
  }

  std::optional<std::int64_t> whole(const Tree& node, std::string_view key,
                                    const std::string& path) {
    return whole_number(node.find(key), fmt::format("{}.{}", path, key), errors_);
  }

  std::uint64_t id(const Tree& node, std::string_view key, const std::string& path) {
    return known_id(node.find(key), fmt::format("{}.{}", path, key), errors_).value_or(0);
  }

  SetStatus one_set(const Tree& node, const std::string& path) {
    SetStatus set;
    set.replicas = whole(node, "replicas", path);
    set.ready_replicas = whole(node, "readyReplicas", path);
    set.updated_replicas = whole(node, "updatedReplicas", path);
    set.observed_generation = whole(node, "observedGeneration", path);
    set.current_revision = text_of(node.find("currentRevision"));
    set.update_revision = text_of(node.find("updateRevision"));
    return set;
  }

  void sets(Component c, const Tree& node, ComponentStatus& status) {
    const std::string path = fmt::format("status.{}.statefulSet", name_of(c));
    if (const Tree* set = node.find("statefulSet")) {
      if (set->is_list()) {
        status.is_list = true;
        for (const Tree& item : set->items()) status.sets.push_back(one_set(item, path));
      } else if (set->is_map()) {
        status.sets.push_back(one_set(*set, path));
      }
    }
    for (const auto& [key, value] : entries_of(node.find("statefulSets"))) {
      status.sets.push_back(one_set(value, fmt::format("{}s.{}", path, key)));
      status.sets.back().key = key;
    }
  }

  Time seen(std::optional<Time> time) {
    if (time) data_.newest = std::max(data_.newest, *time);
    return time.value_or(0);
  }

  void pd(const Tree& node, ComponentStatus& status) {
    for (const std::string_view key : {"members", "peerMembers"}) {
      const Tree* members = node.find(key);
      if (key == "members" && members != nullptr) data_.has_members = true;
      for (const auto& [name, value] : entries_of(members)) {
        Member member;
        member.name = text_of(value.find("name")).empty() ? name : text_of(value.find("name"));
        member.id = id(value, "id", fmt::format("status.pd.{}.{}", key, name));
        const Tree* health = value.find("health");
        member.healthy = health == nullptr || health->as_bool() != false;
        member.since = time_of(value.find("lastTransitionTime"));
        seen(member.since);
        member.peer = key == "peerMembers";
        data_.members.push_back(std::move(member));
      }
    }
    if (const std::string leader = text_of(node.at({"leader", "name"})); !leader.empty())
      data_.leader = leader;
    for (const auto& [name, value] : entries_of(node.find("failureMembers"))) {
      Failure failure;
      failure.pod = text_of(value.find("podName")).empty() ? name : text_of(value.find("podName"));
      failure.id = id(value, "memberID", "status.pd.failureMembers." + name);
      failure.member_deleted = is_true(value.find("memberDeleted"));
      failure.host_down = is_true(value.find("hostDown"));
      failure.created = time_of(value.find("createdAt"));
      seen(failure.created);
      status.failures.push_back(std::move(failure));
    }
  }

  void tikv(const Tree& node, ComponentStatus& status) {
    for (const std::string_view key : {"stores", "peerStores", "tombstoneStores"}) {
      const Tree* stores = node.find(key);
      if (key == "stores" && stores != nullptr) data_.has_stores = true;
      for (const auto& [number, value] : entries_of(stores)) store(number, value, key);
    }
    for (const auto& [number, value] : entries_of(node.find("failureStores"))) {
      Failure failure;
      failure.pod = text_of(value.find("podName"));
      failure.id = id(value, "storeID", "status.tikv.failureStores." + number);
      failure.store_deleted = is_true(value.find("storeDeleted"));
      failure.host_down = is_true(value.find("hostDown"));
      failure.created = time_of(value.find("createdAt"));
      seen(failure.created);
      status.failures.push_back(std::move(failure));
    }
    const Tree* bootstrapped = node.find("bootStrapped");
    if (bootstrapped != nullptr) data_.bootstrapped = bootstrapped->as_bool() != false;
    data_.failover_uid = text_of(node.find("failoverUID"));
    for (const auto& [pod, value] : entries_of(node.find("evictLeader")))
      data_.asked_evictions.push_back(pod);
  }

  void store(const std::string& key, const Tree& value, std::string_view list) {
    const Tree* id_node = value.find("id");
    const auto state = store_state_named(text_of(value.find("state")));
    Store store;
    store.id = id_of(id_node).value_or(0);
    if (store.id == 0 || !state) {
      errors_.add(
          "E015", fmt::format("status.tikv.{}[{}]", list, key),
          "a store needs an id and one of the states Up, Disconnected, Down, Offline, Tombstone",
          value.place());
      return;
    }
    store.state = *state;
    store.pod = text_of(value.find("podName"));
    const std::string path = fmt::format("status.tikv.{}.{}", list, key);
    store.in_status = true;
    store.leaders = whole(value, "leaderCount", path);
    store.leaders_before = whole(value, "leaderCountBeforeUpgrade", path);
    store.since = time_of(value.find("lastTransitionTime"));
    seen(store.since);
    store.peer = list == "peerStores";
    data_.stores.push_back(std::move(store));
  }

  void tidb(const Tree& node, ComponentStatus& status) {
    if (node.find("members") != nullptr) data_.has_tidb_members = true;
    for (const auto& [name, value] : entries_of(node.find("members"))) {
      const Tree* health = value.find("health");
      const auto since = time_of(value.find("lastTransitionTime"));
      seen(since);
      data_.tidb_members.push_back({name, health == nullptr || health->as_bool() != false, since,
                                    text_of(value.find("node"))});
    }
    for (const auto& [name, value] : entries_of(node.find("failureMembers"))) {
      Failure failure;
      failure.pod = text_of(value.find("podName")).empty() ? name : text_of(value.find("podName"));
      failure.created = time_of(value.find("createdAt"));
      seen(failure.created);
      status.failures.push_back(std::move(failure));
    }
  }

  Diagnostics& errors_;
  StatusData data_;
};

}  // namespace

StatusData read_status(const Documents& side, Diagnostics& errors) {
  StatusReader reader(errors);
  if (side.kind == Documents::Kind::Cluster) {
    for (const Tree& object : side.objects) {
      if (const Tree* status = object.find("status"); status != nullptr && status->is_map())
        reader.read(*status);
    }
  }
  if (side.kind == Documents::Kind::Groups) {
    for (const Tree& object : side.objects) reader.read_group(object);
  }
  return reader.take();
}

}  // namespace ballast::tidb
