// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/kube/objects.hpp"
#include "ballast/tidb/model/spec.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ballast::tidb {

/// Seconds since 1970-01-01T00:00:00Z.
using Time = std::int64_t;

enum class StoreState : std::uint8_t { Up, Disconnected, Down, Offline, Tombstone };
std::string_view name_of(StoreState state);
std::optional<StoreState> store_state_named(std::string_view name);

/// A TiKV store as PD knows it. `id` 0: assumed, not known.
struct Store {
  std::uint64_t id = 0;
  std::string pod;
  StoreState state = StoreState::Up;
  bool tiflash = false;
  bool peer = false;       // of another TidbCluster
  bool in_status = false;  // the operator's status tells of it
  std::optional<Time> since;
  std::optional<std::int64_t> leaders;
  std::optional<std::int64_t> leaders_before;  // before the restart that goes on
  std::optional<std::int64_t> regions;
  std::optional<std::int64_t> used_bytes;
  std::optional<std::int64_t> capacity_bytes;
  std::optional<std::int64_t> available_bytes;
  std::map<std::string, std::string> labels;
};

/// A PD member.
struct Member {
  std::uint64_t id = 0;  // 0: not known
  std::string name;      // the pod's name
  bool healthy = true;
  bool peer = false;  // of another TidbCluster
  std::optional<Time> since;
};

/// A record of the failover module.
struct Failure {
  std::string pod;
  std::uint64_t id = 0;  // member or store
  std::optional<Time> created;
  bool member_deleted = false;
  bool host_down = false;
  bool store_deleted = false;
};

struct Claim {
  std::string name;
  std::string uid;
  std::string pod;        // pod-name annotation
  bool deferred = false;  // marked for deletion before the ordinal is used again
  std::string storage_class;
  std::string volume;  // bound volume
  std::optional<std::int64_t> request_bytes;
};

struct LivePod {
  std::string name;
  std::int64_t ordinal = 0;
  bool updated = true;
  /// Of an older revision whose template is the wished one: where the wish is written, the
  /// StatefulSet takes that revision again, and the pod is up to date without a restart.
  bool has_wished = false;
  bool ready = true;
  bool ready_known = false;
  bool scheduled = true;
  bool healthy = true;  // TiDB member
  bool running = true;  // v2: its pod runs
  bool deleting = false;
  bool marked = false;  // v2: to be deleted when a roll-out is done
  std::optional<Time> created;
  std::optional<Time> ready_since;
  std::optional<Time> not_ready_since;
  std::optional<Time> unhealthy_since;
  std::string waiting_reason;
  std::string node;
  std::string revision;
  std::string image;  // of the component's container; empty: not known
  std::optional<std::uint64_t> store_label;
  std::optional<Time> no_store_since;
  std::optional<Time> evict_begin;
  std::optional<Time> evict_end;
  /// v1.6: a person's annotation evict-leader: `none` or `delete-pod`; empty: there is none. It
  /// goes with the pod.
  std::string asked_eviction;
  std::optional<Time> scale_in_time;      // its removal has begun
  std::optional<std::uint64_t> priority;  // v2: lowest leaves first; none: last
  std::int64_t cpu_milli = 0;
  std::int64_t memory_bytes = 0;
  bool requests_known = false;
};

/// A running StatefulSet.
struct LiveSet {
  Component component = Component::Pd;
  std::string name;
  std::string statefulset;
  std::int64_t replicas = 0;
  std::vector<LivePod> pods;  // ascending ordinals
  std::optional<std::int64_t> partition;
  std::string current_revision;
  std::string update_revision;
  std::optional<std::int64_t> ready_replicas;
  std::optional<std::int64_t> updated_replicas;
  bool generation_pending = false;
  bool rolling_update = true;  // false: OnDelete, or no rollingUpdate
  bool seen = false;           // the StatefulSet was given by --kube
  /// The running template; the fields that --kube does not show come from the current spec.
  SetSpec spec;
  std::vector<Failure> failures;

  LivePod* pod(std::int64_t ordinal);
  const LivePod* pod(std::int64_t ordinal) const;
  bool rolling() const;
  /// v1.6: whether a pod that comes now starts on the older template. While a set scales, its
  /// partition is above all of its pods.
  bool gives_old_template() const;
};

/// Other pods on the nodes: they only take room.
struct OtherPod {
  std::string name;
  std::string node;
  std::int64_t cpu_milli = 0;
  std::int64_t memory_bytes = 0;
};

struct Volume {
  std::string name;
  std::string node;  // empty: not local
  std::string storage_class;
  std::int64_t bytes = 0;
  bool available = true;
  std::string claim;  // bound to
};

using kube::Machine;
using kube::Taint;

/// What runs now.
struct Live {
  bool exists = false;  // false: a new cluster
  std::string ns;
  std::array<std::vector<LiveSet>, kComponentCount> sets;
  std::array<std::string, kComponentCount> phase;
  std::array<std::optional<bool>, kComponentCount>
      synced;                   // status.<c>.synced, unless pd-ctl replaces it
  std::vector<Store> stores;    // ascending id
  std::vector<Member> members;  // by name
  std::string leader;           // name of the PD leader; empty: not known
  bool stores_known = false;
  bool members_known = false;
  bool bootstrapped = true;  // TiKV
  std::string failover_uid;
  std::vector<std::string> asked_evictions;  // TiKV pods of status.tikv.evictLeader
  std::vector<Claim> claims;                 // by name
  bool pods_known = false;
  std::map<std::string, std::string> other_phases;  // tiflash, pump, ...
  /// Suspended: it has no StatefulSets, its volumes and the rest of its objects are there.
  std::array<bool, kComponentCount> suspended{};
  std::optional<std::int64_t> max_replicas;
  std::vector<std::string> location_labels;
  double low_space_ratio = 0.8;
  std::vector<Machine> nodes;
  bool nodes_known = false;
  std::vector<Volume> volumes;
  bool volumes_known = false;
  std::vector<OtherPod> other_pods;
  std::vector<std::string> pods_without_set;
  Time newest = 0;  // newest time in the inputs; 0: none
  std::vector<Remark> remarks;

  const std::vector<LiveSet>& of(Component component) const { return sets[index_of(component)]; }
  std::vector<LiveSet>& of(Component component) { return sets[index_of(component)]; }
  LiveSet* find(Component component, std::string_view set);
  const LiveSet* find(Component component, std::string_view set) const;
  Store* store_of(std::string_view pod);
  const Store* store_of(std::string_view pod) const;
  Member* member_of(std::string_view pod);
  const Member* member_of(std::string_view pod) const;
  /// Of TiKV alone.
  std::int64_t up_stores() const;
  std::int64_t healthy_members() const;
};

/// Pod name without its ordinal, and the ordinal; nothing where there is none.
std::optional<std::pair<std::string, std::int64_t>> split_pod_name(std::string_view pod);

}  // namespace ballast::tidb
