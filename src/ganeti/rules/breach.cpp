// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <map>

#include "ballast/ganeti/rules/placement_rules.hpp"

namespace ballast::ganeti {
namespace {

class BreachFinder {
 public:
  BreachFinder(const Cluster& cluster, const State& state, const Part& part)
      : cluster_(cluster), state_(state), part_(part) {}

  std::vector<Breach> run() {
    members_.resize(cluster_.rules.list.size());
    for (const InstanceId id : part_.instances) {
      for (const RuleId rule : cluster_[id].rules)
        members_[static_cast<std::size_t>(rule)].push_back(id);
    }
    for (std::size_t r = 0; r < members_.size(); ++r) add_rule(static_cast<RuleId>(r));
    for (const NodeId node : part_.nodes) add_node(node);
    return std::move(found_);
  }

 private:
  void add_rule(RuleId id) {
    const PlacementRule& rule = cluster_.rules[id];
    if (rule.kind == RuleKind::Pin) return add_pin(rule, id);
    if (rule.kind == RuleKind::Apart) return add_apart(rule, id);
    add_together(id);
  }

  void add_pin(const PlacementRule& rule, RuleId id) {
    std::map<NodeId, std::vector<InstanceId>> wrong;
    for (const InstanceId one : members_[static_cast<std::size_t>(id)]) {
      for (const NodeId node : {state_[one].primary, state_[one].secondary}) {
        if (!node.is_none() && !rule.allowed[node.index()]) wrong[node].push_back(one);
      }
    }
    for (auto& [node, instances] : wrong)
      found_.push_back({RuleKind::Pin, id, node, std::move(instances), {}, 0, 0});
  }

  void add_apart(const PlacementRule& rule, RuleId id) {
    std::map<std::int32_t, std::vector<InstanceId>> at;
    for (const InstanceId one : members_[static_cast<std::size_t>(id)])
      at[rule.domain[state_[one].primary.index()]].push_back(one);
    for (auto& [place, instances] : at) {
      if (place < 0 || instances.size() < 2) continue;
      const NodeId node = state_[instances.front()].primary;
      found_.push_back({RuleKind::Apart, id, node, std::move(instances), {}, 0, 0});
    }
  }

  void add_together(RuleId id) {
    const auto& members = members_[static_cast<std::size_t>(id)];
    const bool is_parted = std::ranges::any_of(members, [&](InstanceId one) {
      return state_[one].primary != state_[members.front()].primary;
    });
    if (is_parted) found_.push_back({RuleKind::Together, id, {}, members, {}, 0, 0});
  }

  void add_node(NodeId id) {
    const Node& node = cluster_[id];
    if (node.is_offline) return;
    const std::int64_t left = unallocated_mem(node, state_[id]);
    if (node.memory_reserve > 0 && left < node.memory_reserve)
      found_.push_back({RuleKind::ReserveMemory, -1, id, {}, {}, node.memory_reserve, left});
    for (const StorageUnit& unit : node.units) {
      if (unit.is_forbidden) add_unit(id, unit.key);
    }
  }

  void add_unit(NodeId id, StorageKeyId key) {
    std::vector<InstanceId> users;
    for (const InstanceId one : part_.instances) {
      if (state_[one].primary != id && state_[one].secondary != id) continue;
      if (std::ranges::any_of(cluster_[one].disks, [&](const Disk& disk) {
            return disk.unit == key || disk.meta_unit == key;
          }))
        users.push_back(one);
    }
    if (!users.empty())
      found_.push_back({RuleKind::ForbidUnits, -1, id, std::move(users), key, 0, 0});
  }

  const Cluster& cluster_;
  const State& state_;
  const Part& part_;
  std::vector<std::vector<InstanceId>> members_;  ///< by RuleId
  std::vector<Breach> found_;
};

}  // namespace

std::vector<Breach> breaches_of(const Cluster& cluster, const State& state, const Part& part) {
  if (cluster.rules.empty()) return {};
  return BreachFinder(cluster, state, part).run();
}

}  // namespace ballast::ganeti
