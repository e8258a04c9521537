// SPDX-License-Identifier: BSD-2-Clause
// Rules of placement on a cluster: setting them, asking them, and what breaks them now.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "ballast/core/result.hpp"
#include "ballast/ganeti/model/refusal.hpp"
#include "ballast/ganeti/model/rules.hpp"
#include "ballast/ganeti/model/snapshot.hpp"

namespace ballast::ganeti {

/// Instances that are not in the snapshot, but to come: rules know them by name and tags as they
/// know all others.
using Newcomers = std::span<Instance* const>;

/// The rules that tags of the cluster, of groups and of instances ask for: ballast:pin:...,
/// ballast:apart:..., ballast:together:....
std::vector<RuleSpec> rules_of_tags(const Cluster& cluster, Newcomers newcomers = {});

/// Works the rules out and puts them in the place of those that were there. The snapshot must have
/// run through the pipeline. Warnings: names and tags that mean nothing here. Fails for a unit that
/// no node has and for an unknown group.
Result<std::vector<std::string>> set_rules(Snapshot& snapshot, std::vector<RuleSpec> specs,
                                           Newcomers newcomers = {});

/// A change of one instance's place. For a new instance `before` names no nodes.
struct Relocation {
  InstanceId id;
  const Instance* instance = nullptr;
  Placement before;
  Placement after;
  bool is_joined = false;  ///< its companions come along, or have gone before
};

/// Whether the rule has a say: those that are confined to a group speak of the instances that are
/// there, and of new ones that would come there.
bool concerns(const Cluster& cluster, const PlacementRule& rule, const Relocation& change);

/// State of a node as it is before the change.
using NodeView = std::function<const NodeState&(NodeId)>;
inline NodeView view_of(const State& state) {
  return [&state](NodeId node) -> const NodeState& { return state[node]; };
}

/// A change may break no rule, nor make worse what is broken already. Looks at all rules but memory
/// reserves, which check_reserve knows.
MaybeRefusal check_rules(const Cluster& cluster, const Relocation& change, const NodeView& view);

/// No disk of the instance is on a unit of the node that is not to be used.
MaybeRefusal check_units(const Cluster& cluster, const Instance& instance, NodeId node);

/// Only where an instance may run at all, which holds after a failure, too.
MaybeRefusal check_pins(const Cluster& cluster, const Relocation& change);

/// How many others of the rule run at that place; the instance itself is left out where
/// `is_there`.
std::int64_t others_of_rule(const Cluster& cluster, RuleId rule, NodeId node, bool is_there,
                            const NodeView& view);

/// The instances that would have to go along if this one left its node: those that a rule keeps
/// together with it and that are there, in index order, itself included.
std::vector<InstanceId> companions_of(const Cluster& cluster, const State& state, InstanceId id);
/// The same, asked of its primary node's state.
std::vector<InstanceId> companions_on(const Cluster& cluster, const NodeState& node, InstanceId id);

/// Watches moves that are joined (Move::joined): once the last of a set is made, no rule may hold
/// fewer instances together than before the first.
class JoinedMoves {
 public:
  /// Call before the move is made.
  void before(const Cluster& cluster, const State& state, InstanceId instance, std::int32_t joined);
  /// Call after it. A refusal where the set is complete and has parted instances, or where the set
  /// is broken off.
  MaybeRefusal after(const Cluster& cluster, const State& state);

 private:
  std::int32_t left_ = 0;
  std::int32_t joined_ = 0;
  InstanceId first_;
  std::vector<std::pair<RuleId, std::int64_t>> pairs_;  ///< together, before the set
};

/// A rule that is broken now.
struct Breach {
  RuleKind kind = RuleKind::Pin;
  RuleId rule = -1;                   ///< Pin, Apart, Together
  NodeId node;                        ///< Pin, Apart, ReserveMemory, ForbidUnits
  std::vector<InstanceId> instances;  ///< in index order
  StorageKeyId unit;                  ///< ForbidUnits
  std::int64_t wanted_mib = 0;        ///< ReserveMemory
  std::int64_t available_mib = 0;     ///< ReserveMemory
};

/// Of the nodes and instances of the part, in the order of the rules.
std::vector<Breach> breaches_of(const Cluster& cluster, const State& state, const Part& part);

}  // namespace ballast::ganeti
