// SPDX-License-Identifier: BSD-2-Clause
#include "classes.hpp"

#include "ballast/ganeti/model/ids_of.hpp"
#include "ballast/ganeti/model/unit_rules.hpp"
#include <algorithm>

namespace ballast::ganeti::alloc {
namespace {

constexpr ClassId kNoClass = static_cast<ClassId>(-1);

void append(std::string& text) { (void)text; }

template <class First, class... Rest>
void append(std::string& text, const First& first, const Rest&... rest) {
  text.append(reinterpret_cast<const char*>(&first), sizeof first);
  append(text, rest...);
}

}  // namespace

/// Every figure that decides whether and how the instance changes the node. The lists count by
/// their lengths; peers only by the largest, since the primary's own entry is told apart.
std::string node_signature(const Cluster& cluster, NodeId id, const NodeState& s) {
  const Node& node = cluster[id];
  std::string text;
  append(text, node.group, node.total_mem, node.node_mem, node.total_disk, node.total_cpu,
         node.cpu_speed, node.total_spindles, node.has_exclusive_storage, node.low_disk,
         node.disk_reserve, node.memory_reserve, node.takes_nothing, node.high_spindles,
         node.vcpu_ratio);
  append(text, s.inst_mem, s.lost_mem, s.free_disk, s.free_spindles, s.used_cpu, s.reserved_mem,
         s.inst_spindles, s.mem_fraction, s.disk_fraction, s.cpu_ratio, s.reserved_fraction,
         s.load.cpu, s.load.mem, s.load.disk, s.load.net, s.fails_n1, s.location_score);
  append(text, s.forth_free_mem, s.forth_free_disk, s.forth_used_cpu, s.forth_free_spindles,
         s.forth_inst_spindles, s.forth_mem_fraction, s.forth_disk_fraction, s.forth_cpu_ratio,
         s.forth_load.cpu, s.forth_load.mem, s.forth_load.disk, s.forth_load.net);
  append(text, s.primaries.size(), s.secondaries.size(), conflicting_primaries(s));
  append(text, node.location_tags.size());
  for (const TagId tag : node.location_tags) append(text, tag.value());
  for (const StorageUnit& unit : node.units)
    append(text, unit.key.value(), unit.capacity, unit.is_forbidden);
  for (const Capacity& one : s.capacities) {
    append(text, one.total_mib, one.free_mib, one.forth_free_mib, one.excess_mib,
           one.forth_excess_mib, one.is_shared);
    for (const UnitRule& rule : kUnitRules) append(text, kept_by(rule, one));
  }
  return text;
}

CapacityClasses::CapacityClasses(const Cluster& cluster, const State& state,
                                 const ScoreColumns& columns,
                                 std::span<const CapacityCandidate> candidates)
    : cluster_(cluster),
      state_(state),
      columns_(columns),
      class_of_(cluster.nodes.size(), kNoClass),
      is_candidate_(cluster.nodes.size()) {
  for (const CapacityCandidate& candidate : candidates)
    is_candidate_[candidate.primary.index()] = true;
  update_all();
}

void CapacityClasses::leave(NodeId node) {
  const ClassId old = class_of_[node.index()];
  if (old == kNoClass) return;
  auto& members = classes_[old].members;
  members.erase(std::lower_bound(members.begin(), members.end(), node));
  if (members.empty()) live_.erase(old);
}

void CapacityClasses::update(NodeId node) {
  if (!is_candidate(node)) return;
  const auto [place, is_new] =
      by_signature_.try_emplace(node_signature(cluster_, node, state_[node]), classes_.size());
  if (class_of_[node.index()] == place->second) return;
  leave(node);
  if (is_new) classes_.push_back({cluster_[node].group, {}});
  class_of_[node.index()] = place->second;
  auto& members = classes_[place->second].members;
  members.insert(std::lower_bound(members.begin(), members.end(), node), node);
  live_.insert(place->second);
}

void CapacityClasses::update_all() {
  for (const NodeId node : node_ids(cluster_)) update(node);
}

void CapacityClasses::set_wanted(const Wanted& wanted) {
  wanted_ = &wanted;
  primaries_.clear();
  secondaries_.clear();
}

ClassChange CapacityClasses::change_of(NodeId node, bool is_primary, std::int64_t peer_mib) {
  const NodeId nobody(cluster_.nodes.size());
  InstanceRef ref{wanted_->id, &wanted_->of(cluster_[node].group), {node, NodeId(), 0}, true};
  ClassChange change;
  if (is_primary) {
    change.refusal = put_primary(cluster_, state_[node], ref, scratch_);
  } else {
    ref.placement.primary = nobody;
    NodeState before = state_[node];
    if (peer_mib != 0) {
      before.peers.emplace_back(nobody, peer_mib);
      std::rotate(before.peers.begin(), before.peers.end() - 1, before.peers.end());
    }
    change.refusal = put_secondary(cluster_, node, before, ref, scratch_);
  }
  if (!change.fits()) return change;
  change.before = columns_.values_of(node, state_[node]);
  change.after = columns_.values_of(node, scratch_);
  return change;
}

const ClassChange& CapacityClasses::as_primary(ClassId id) {
  const auto known = primaries_.find(id);
  if (known != primaries_.end()) return known->second;
  return primaries_.emplace(id, change_of(members(id).front(), true, 0)).first->second;
}

const ClassChange& CapacityClasses::as_secondary(ClassId id, std::int64_t peer_mib) {
  const auto known = secondaries_.find({id, peer_mib});
  if (known != secondaries_.end()) return known->second;
  const std::pair key(id, peer_mib);
  return secondaries_.emplace(key, change_of(members(id).front(), false, peer_mib)).first->second;
}

}  // namespace ballast::ganeti::alloc
