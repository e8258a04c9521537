// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>

#include "ballast/core/decimal.hpp"
#include "ballast/ganeti/rules/placement_rules.hpp"
#include "ballast/ganeti/search/mend/mend.hpp"

namespace ballast::ganeti {
namespace {

double share(double part, double whole) { return whole > 0 ? part / whole : 1; }

class RepairGoal final : public Goal {
 public:
  RepairGoal(const Cluster& cluster, const Part& part, RepairScope scope)
      : cluster_(cluster), part_(part), scope_(scope), members_(cluster.rules.list.size()) {
    for (const InstanceId id : part.instances) {
      for (const RuleId rule : cluster[id].rules) ++members_[static_cast<std::size_t>(rule)];
    }
  }

  [[nodiscard]] Deficit of_node(NodeId id, const NodeState& now) const override {
    const Node& node = cluster_[id];
    Deficit sum;
    const std::int64_t free = unallocated_mem(node, now);
    if (!node.is_offline && node.memory_reserve > 0 && free < node.memory_reserve)
      sum += {1, share(static_cast<double>(node.memory_reserve - free), node.total_mem)};
    if (scope_ == RepairScope::RulesOnly) return sum;
    const std::int64_t conflicts = conflicting_primaries(now);
    sum += {conflicts, static_cast<double>(conflicts)};
    if (node.is_offline) {
      const auto left = static_cast<std::int64_t>(now.primaries.size() + now.secondaries.size());
      // What cannot leave it does not run where its primary is: a failover is better than nothing.
      sum += {left, static_cast<double>(left + static_cast<std::int64_t>(now.primaries.size()))};
      return sum;
    }
    if (now.fails_n1)
      sum += {1, share(static_cast<double>(now.reserved_mem + 1 - free), node.total_mem)};
    if (now.cpu_ratio > node.vcpu_ratio) sum += {1, share(now.cpu_ratio, node.vcpu_ratio) - 1};
    if (now.inst_spindles > node.high_spindles)
      sum += {1, share(now.inst_spindles, node.high_spindles) - 1};
    return sum;
  }

  [[nodiscard]] Deficit of_whole(const State& state) const override {
    std::int64_t count = 0;
    for (const InstanceId id : part_.instances) count += misplaced(id, state[id]);
    for (std::size_t r = 0; r < members_.size(); ++r)
      count += broken_pairs(static_cast<RuleId>(r), state);
    return {count, static_cast<double>(count)};
  }

  [[nodiscard]] Deficit of_instance(InstanceId id, const State& state,
                                    const Placement& placement) const override {
    std::int64_t count = misplaced(id, placement);
    for (const RuleId rule : cluster_[id].rules)
      count += broken_pairs_of(id, rule, state, placement);
    return {count, static_cast<double>(count)};
  }

  [[nodiscard]] std::string purpose(InstanceId id, const State& before,
                                    const Placement& after) const override {
    const Placement& now = before[id];
    for (const NodeId node : {now.primary, now.secondary}) {
      const bool leaves = !node.is_none() && node != after.primary && node != after.secondary;
      if (leaves && cluster_[node].is_offline)
        return fmt::format("leaves {}, which is offline", cluster_[node].alias);
    }
    if (cluster_[now.primary].is_offline && !cluster_[after.primary].is_offline)
      return fmt::format("runs no longer on {}, which is offline", cluster_[now.primary].alias);
    if (std::string tag = parted_tag(id, before, after); !tag.empty()) return tag;
    for (const RuleId rule : cluster_[id].rules) {
      const PlacementRule& one = cluster_.rules[rule];
      const bool is_mended =
          broken_pairs_of(id, rule, before, after) < broken_pairs_of(id, rule, before, now) ||
          wrong_nodes(one, after) < wrong_nodes(one, now);
      if (is_mended) return "mends " + one.name;
    }
    if (std::string unit = left_unit(id, now, after); !unit.empty()) return unit;
    return node_purpose(before, now);
  }

  [[nodiscard]] std::string complaint(InstanceId id, const State& state) const override {
    const Placement& now = state[id];
    for (const RuleId rule : cluster_[id].rules) {
      const PlacementRule& one = cluster_.rules[rule];
      if (!counts(rule)) continue;
      if (wrong_nodes(one, now) > 0) return one.name + ": pinned to other nodes";
      if (broken_pairs_of(id, rule, state, now) == 0) continue;
      return one.name + (one.kind == RuleKind::Apart ? ": to be kept apart from others there"
                                                     : ": to be kept together with others");
    }
    for (const NodeId node : {now.primary, now.secondary}) {
      if (const StorageUnit* unit = forbidden_unit(id, node)) return unit_text(*unit, node);
    }
    return "";
  }

  [[nodiscard]] std::string describe(NodeId id, const NodeState& state) const override {
    const Node& node = cluster_[id];
    const std::int64_t free = unallocated_mem(node, state);
    if (!node.is_offline && node.memory_reserve > 0 && free < node.memory_reserve)
      return fmt::format("memory reserve on {}: {} MiB unallocated, {} MiB must be", node.alias,
                         free, node.memory_reserve);
    if (scope_ == RepairScope::RulesOnly) return "";
    if (node.is_offline && state.primaries.size() + state.secondaries.size() > 0)
      return fmt::format("{} is offline and has {} primaries and {} secondaries", node.alias,
                         state.primaries.size(), state.secondaries.size());
    if (conflicting_primaries(state) > 0)
      return fmt::format("exclusion tags on {}: {} too many with the same tag", node.alias,
                         conflicting_primaries(state));
    if (!node.is_offline && state.fails_n1)
      return fmt::format("N+1 on {}: {} MiB unallocated, more than {} MiB must be", node.alias,
                         free, state.reserved_mem);
    if (state.cpu_ratio > node.vcpu_ratio)
      return fmt::format("policy on {}: vcpu ratio {}, at most {}", node.alias,
                         fixed(state.cpu_ratio, 2), fixed(node.vcpu_ratio, 2));
    if (state.inst_spindles > node.high_spindles)
      return fmt::format("policy on {}: spindle load {}, at most {}", node.alias,
                         fixed(state.inst_spindles, 0), fixed(node.high_spindles, 0));
    return "";
  }

 private:
  /// Before a search that weighs prices, they are left to it.
  [[nodiscard]] bool counts(RuleId rule) const {
    return scope_ == RepairScope::Everything || !cluster_.rules[rule].price;
  }

  [[nodiscard]] std::string node_purpose(const State& before, const Placement& now) const {
    for (const NodeId id : {now.primary, now.secondary}) {
      if (id.is_none() || cluster_[id].is_offline) continue;
      if (const std::string text = describe(id, before[id]); !text.empty()) return "mends " + text;
    }
    return "";
  }

  /// "parts it from dns2 on n3 (exclusion tag service:dns)"; empty where the primary stays or has
  /// no conflict.
  [[nodiscard]] std::string parted_tag(InstanceId id, const State& before,
                                       const Placement& after) const {
    const NodeId node = before[id].primary;
    if (node == after.primary) return "";
    for (const TagId tag : cluster_[id].exclusion_tags) {
      for (const InstanceId other : before[node].forth_primaries) {
        const auto& tags = cluster_[other].exclusion_tags;
        if (other == id || std::ranges::find(tags, tag) == tags.end()) continue;
        return fmt::format("parts it from {} on {} (exclusion tag {})", cluster_[other].alias,
                           cluster_[node].alias, cluster_.symbols[tag.index()]);
      }
    }
    return "";
  }

  /// A unit of the node that a rule keeps unused and that the instance uses.
  [[nodiscard]] const StorageUnit* forbidden_unit(InstanceId id, NodeId node) const {
    if (node.is_none()) return nullptr;
    for (const StorageUnit& unit : cluster_[node].units) {
      if (unit.is_forbidden && disks_on(cluster_[id], unit.key) > 0) return &unit;
    }
    return nullptr;
  }

  static std::int64_t disks_on(const Instance& instance, StorageKeyId unit) {
    return std::ranges::count_if(instance.disks, [&](const Disk& disk) {
      return disk.unit == unit || disk.meta_unit == unit;
    });
  }

  [[nodiscard]] std::string unit_text(const StorageUnit& unit, NodeId node) const {
    return fmt::format("{}: {} on {} is to be unused",
                       cluster_.rules.specs[static_cast<std::size_t>(unit.forbidden_by)].name,
                       to_string(cluster_[unit.key]), cluster_[node].alias);
  }

  [[nodiscard]] std::string left_unit(InstanceId id, const Placement& now,
                                      const Placement& after) const {
    for (const NodeId node : {now.primary, now.secondary}) {
      const StorageUnit* unit = forbidden_unit(id, node);
      if (unit != nullptr && node != after.primary && node != after.secondary)
        return fmt::format("mends {}", unit_text(*unit, node));
    }
    return "";
  }

  static std::int64_t wrong_nodes(const PlacementRule& rule, const Placement& at) {
    if (rule.kind != RuleKind::Pin) return 0;
    std::int64_t count = 0;
    for (const NodeId node : {at.primary, at.secondary}) {
      if (!node.is_none() && !rule.allowed[node.index()]) ++count;
    }
    return count;
  }

  /// Nodes on which the instance must not be, and its disks on units that are not to be used.
  [[nodiscard]] std::int64_t misplaced(InstanceId id, const Placement& at) const {
    const Instance& instance = cluster_[id];
    std::int64_t count = 0;
    for (const RuleId rule : instance.rules) {
      if (counts(rule)) count += wrong_nodes(cluster_.rules[rule], at);
    }
    if (!cluster_.rules.limits_nodes) return count;
    for (const NodeId node : {at.primary, at.secondary}) {
      if (node.is_none()) continue;
      for (const StorageUnit& unit : cluster_[node].units) {
        if (!unit.is_forbidden) continue;
        count += disks_on(instance, unit.key);
      }
    }
    return count;
  }

  /// Pairs of the instance with others under the rule that break it, were it placed like this.
  [[nodiscard]] std::int64_t broken_pairs_of(InstanceId id, RuleId rule, const State& state,
                                             const Placement& at) const {
    const PlacementRule& one = cluster_.rules[rule];
    if (one.kind == RuleKind::Pin || !counts(rule)) return 0;
    const NodeId now = state[id].primary;
    const bool is_there = one.kind == RuleKind::Apart
                              ? one.domain[now.index()] == one.domain[at.primary.index()]
                              : now == at.primary;
    const std::int64_t others =
        others_of_rule(cluster_, rule, at.primary, is_there, view_of(state));
    if (one.kind == RuleKind::Apart) return others;
    return members_[static_cast<std::size_t>(rule)] - 1 - others;
  }

  [[nodiscard]] std::int64_t broken_pairs(RuleId rule, const State& state) const {
    if (cluster_.rules[rule].kind == RuleKind::Pin) return 0;
    std::int64_t twice = 0;
    for (const InstanceId id : part_.instances) {
      if (std::ranges::binary_search(cluster_[id].rules, rule))
        twice += broken_pairs_of(id, rule, state, state[id]);
    }
    return twice / 2;
  }

  const Cluster& cluster_;
  const Part& part_;
  RepairScope scope_;
  std::vector<std::int64_t> members_;  ///< by RuleId
};

}  // namespace

std::unique_ptr<Goal> repair_goal(const Cluster& cluster, const Part& part, RepairScope scope) {
  return std::make_unique<RepairGoal>(cluster, part, scope);
}

}  // namespace ballast::ganeti
