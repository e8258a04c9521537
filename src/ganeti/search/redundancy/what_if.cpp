// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/redundancy/what_if.hpp"
#include "ballast/ganeti/model/ids_of.hpp"
#include "ballast/ganeti/model/units_of.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "ballast/ganeti/search/redundancy/emptying.hpp"
#include "failure_steps.hpp"

namespace ballast::ganeti {
namespace {

/// Which copies of which instances are gone.
class Damage {
 public:
  Damage(const Cluster& cluster, const Loss& loss)
      : cluster_(cluster), is_gone_(cluster.nodes.size()) {
    for (const NodeId node : loss.nodes) is_gone_[node.index()] = true;
    for (const NodeId node : node_ids(cluster)) note_units(node, loss);
  }

  [[nodiscard]] bool is_gone(NodeId node) const { return is_gone_[node.index()]; }
  [[nodiscard]] bool is_up(NodeId node) const {
    return !is_gone(node) && !cluster_[node].is_offline;
  }
  /// The node, or a unit there that holds a disk of the instance.
  [[nodiscard]] bool is_hit(const Instance& instance, NodeId node) const {
    if (node.is_none()) return false;
    return is_gone(node) ||
           std::any_of(instance.disks.begin(), instance.disks.end(), [&](const Disk& disk) {
             return is_unit_gone(node, disk.unit) || is_unit_gone(node, disk.meta_unit);
           });
  }

 private:
  /// A drbd8 and an lvm-vg unit that are one volume group go together.
  void note_units(NodeId id, const Loss& loss) {
    const Node& node = cluster_[id];
    for (const LostUnit& lost : loss.units) {
      if (!lost.node.is_none() && lost.node != id) continue;
      const StorageUnit* unit = find_unit(node, lost.unit);
      if (unit == nullptr) continue;
      for (const StorageUnit& same : node.units) {
        if (same.capacity == unit->capacity) gone_units_.emplace_back(id, same.key);
      }
    }
  }

  [[nodiscard]] bool is_unit_gone(NodeId node, StorageKeyId unit) const {
    return !unit.is_none() && std::find(gone_units_.begin(), gone_units_.end(),
                                        std::pair(node, unit)) != gone_units_.end();
  }

  const Cluster& cluster_;
  std::vector<bool> is_gone_;
  std::vector<std::pair<NodeId, StorageKeyId>> gone_units_;
};

class Failure {
 public:
  Failure(const Cluster& cluster, const State& state, const Loss& loss)
      : cluster_(cluster), before_(state), damage_(cluster, loss), steps_(cluster, state, true) {}

  WhatIf run() {
    for (const NodeId node : node_ids(cluster_)) leave(node);
    note_lost_mirrors();
    std::sort(result_.affected.begin(), result_.affected.end(),
              [](const Affected& a, const Affected& b) { return a.instance < b.instance; });
    note_survivors();
    return std::move(result_);
  }

 private:
  /// In the order of the N+1 check: mirrored, shared, then the rest by memory.
  void leave(NodeId node) {
    const auto all = residents_of(hit_primaries(node),
                                  [&](InstanceId id) -> const Instance& { return cluster_[id]; });
    for (const InstanceId id : all.mirrored) fail_over(id);
    if (all.shared.empty() && all.fixed.empty()) return;
    const std::vector<NodeId> targets = targets_of(node);
    ScoreSheet sheet(cluster_, steps_.state(), scored_nodes(node, targets));
    for (const InstanceId id : all.shared) restart(id, targets, sheet);
    for (const InstanceId id : all.fixed) recreate(id, targets, sheet);
  }

  /// Each once, though an allocator request attaches it twice.
  [[nodiscard]] std::vector<InstanceId> hit_primaries(NodeId node) const {
    std::vector<InstanceId> hit;
    for (const InstanceId id : before_[node].primaries) {
      const bool is_known = std::find(hit.begin(), hit.end(), id) != hit.end();
      if (!is_known && damage_.is_hit(cluster_[id], node)) hit.push_back(id);
    }
    return hit;
  }

  void fail_over(InstanceId id) {
    const NodeId secondary = before_[id].secondary;
    if (secondary.is_none() || damage_.is_hit(cluster_[id], secondary))
      return note(id, Fate::Lost, NodeId(), {});
    wanted_[secondary] += memory_of(id);
    if (cluster_[secondary].is_offline) {
      const Refusal offline{FailReason::Internal, Rule::TargetOffline, secondary, -1, {}, 0, 0};
      return note(id, Fate::Stuck, NodeId(), {offline});
    }
    note(id, steps_.fail_over(id), Fate::FailsOver, Fate::Stuck);
  }

  void restart(InstanceId id, const std::vector<NodeId>& targets, ScoreSheet& sheet) {
    const std::vector<NodeId> usable = usable_for(id, targets);
    const bool is_pool_gone = usable.empty() && !targets.empty();
    note(id, steps_.restart(id, usable, sheet), Fate::Restarts,
         is_pool_gone ? Fate::Lost : Fate::Stuck);
    want_at_new_home(id);
  }

  void recreate(InstanceId id, const std::vector<NodeId>& targets, ScoreSheet& sheet) {
    note(id, steps_.recreate(id, usable_for(id, targets), sheet), Fate::Recreatable, Fate::Lost);
    want_at_new_home(id);
  }

  [[nodiscard]] std::vector<NodeId> usable_for(InstanceId id, std::vector<NodeId> targets) const {
    std::erase_if(targets, [&](NodeId node) { return damage_.is_hit(cluster_[id], node); });
    return targets;
  }

  void want_at_new_home(InstanceId id) {
    const NodeId home = result_.affected.back().now;
    if (!home.is_none()) wanted_[home] += memory_of(id);
  }

  /// Online nodes of the group; where none of the group is left, of the other groups that take new
  /// instances.
  [[nodiscard]] std::vector<NodeId> targets_of(NodeId from) const {
    std::vector<NodeId> inside;
    std::vector<NodeId> outside;
    for (const NodeId node : node_ids(cluster_)) {
      if (node == from || !damage_.is_up(node)) continue;
      const GroupId group = cluster_[node].group;
      if (group == cluster_[from].group)
        inside.push_back(node);
      else if (cluster_[group].alloc_policy != AllocPolicy::Unallocable)
        outside.push_back(node);
    }
    return inside.empty() && damage_.is_gone(from) ? outside : inside;
  }

  /// Whose score decides: the group, as in the N+1 check, or the nodes that take over from it.
  [[nodiscard]] std::vector<NodeId> scored_nodes(NodeId from,
                                                 const std::vector<NodeId>& targets) const {
    const GroupId group = cluster_[from].group;
    const bool is_outside = !targets.empty() && cluster_[targets.front()].group != group;
    return is_outside ? targets : part_of(cluster_, before_, group).nodes;
  }

  void note_lost_mirrors() {
    for (const InstanceId id : instance_ids(cluster_)) {
      const Placement& place = before_[id];
      if (cluster_[id].is_forthcoming || !has_secondary(cluster_[id].disk_template)) continue;
      const bool keeps_primary = !damage_.is_hit(cluster_[id], place.primary);
      if (keeps_primary && damage_.is_hit(cluster_[id], place.secondary))
        note(id, Fate::LosesMirror, place.primary, {});
    }
  }

  void note_survivors() {
    for (const NodeId id : node_ids(cluster_)) {
      if (!damage_.is_up(id) || !wanted_.contains(id)) continue;
      const Node& node = cluster_[id];
      const NodeState& after = steps_.state()[id];
      Survivor survivor{id,
                        arrivals_at(id),
                        unallocated_mem(node, after) + memory_arrived_at(id),
                        wanted_[id],
                        unallocated_mem(node, after),
                        after.cpu_ratio,
                        node.vcpu_ratio,
                        false};
      survivor.loses_n1 = after.fails_n1 && !before_[id].fails_n1;
      result_.survivors.push_back(survivor);
    }
  }

  [[nodiscard]] std::size_t arrivals_at(NodeId node) const {
    return static_cast<std::size_t>(
        std::count_if(result_.affected.begin(), result_.affected.end(),
                      [node](const Affected& a) { return arrives_at(a, node); }));
  }
  [[nodiscard]] std::int64_t memory_arrived_at(NodeId node) const {
    std::int64_t mib = 0;
    for (const Affected& affected : result_.affected) {
      if (arrives_at(affected, node)) mib += memory_of(affected.instance);
    }
    return mib;
  }
  static bool arrives_at(const Affected& affected, NodeId node) {
    return affected.now == node && affected.fate != Fate::LosesMirror;
  }

  [[nodiscard]] std::int64_t memory_of(InstanceId id) const {
    return cluster_[id].uses_memory() ? cluster_[id].memory_mib : 0;
  }

  void note(InstanceId id, NewHome home, Fate success, Fate failure) {
    if (home) return note(id, success, *home, {});
    note(id, failure, NodeId(), std::move(home.error()));
  }

  void note(InstanceId id, Fate fate, NodeId now, std::vector<Refusal> refusals) {
    result_.affected.push_back({id, fate, before_[id], now, std::move(refusals)});
  }

  const Cluster& cluster_;
  const State& before_;
  Damage damage_;
  FailureSteps steps_;
  std::map<NodeId, std::int64_t> wanted_;
  WhatIf result_;
};

}  // namespace

WhatIf what_if(const Cluster& cluster, const State& state, const Loss& loss) {
  return Failure(cluster, state, loss).run();
}

bool is_down(Fate fate) {
  return fate == Fate::Stuck || fate == Fate::Lost || fate == Fate::Recreatable;
}

const Refusal* telling_refusal(const std::vector<Refusal>& refusals) {
  const Refusal* best = nullptr;
  std::ptrdiff_t best_count = 0;
  for (const Refusal& one : refusals) {
    const auto count = std::count_if(refusals.begin(), refusals.end(),
                                     [&](const Refusal& other) { return other.rule == one.rule; });
    const bool is_better = best == nullptr || count > best_count ||
                           (one.rule == best->rule && one.available > best->available);
    if (!is_better) continue;
    best = &one;
    best_count = count;
  }
  return best;
}

}  // namespace ballast::ganeti
