// SPDX-License-Identifier: BSD-2-Clause
// Plans that put a few things right and leave everything else: rules that are broken, nodes that
// are too full. The score only decides between moves that are as good.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ballast/ganeti/search/balance/balance.hpp"

namespace ballast::ganeti {

/// How far something is from being right; the count weighs first.
struct Deficit {
  std::int64_t count = 0;  ///< of things that are wrong
  double amount = 0;       ///< by how much, in shares of what a node has
  Deficit& operator+=(const Deficit& other);
  friend bool operator==(const Deficit&, const Deficit&) = default;
};
/// Less is better; differences of rounding do not count.
bool is_less(const Deficit& a, const Deficit& b);

/// What is to be put right: a sum over nodes, and what instances have to do with places and with
/// each other.
class Goal {
 public:
  Goal() = default;
  Goal(const Goal&) = delete;
  Goal& operator=(const Goal&) = delete;
  virtual ~Goal() = default;
  [[nodiscard]] virtual Deficit of_node(NodeId node, const NodeState& state) const = 0;
  /// The rest of the whole.
  [[nodiscard]] virtual Deficit of_whole(const State& state) const = 0;
  /// The share of that rest that changes with the instance's placement, were it placed like this
  /// while all others stay.
  [[nodiscard]] virtual Deficit of_instance(InstanceId instance, const State& state,
                                            const Placement& placement) const = 0;
  /// What a step that lowers this deficit is for: "mends ..."; empty where it lowers none itself.
  [[nodiscard]] virtual std::string purpose(InstanceId instance, const State& before,
                                            const Placement& after) const = 0;
  /// What is wrong with the instance where it is: the rule's name, and what it says.
  [[nodiscard]] virtual std::string complaint(InstanceId, const State&) const { return ""; }
  /// What is wrong with the node: "memory at 89 % on n2".
  [[nodiscard]] virtual std::string describe(NodeId node, const NodeState& state) const = 0;
};

enum class RepairScope : std::uint8_t {
  Everything,  ///< no exclusion conflict, no offline primary or secondary, no node without N+1 or
               ///< beyond its policy's ratios, no rule of administrators broken
  RulesOnly,   ///< rules of administrators, without those that have a price
};
std::unique_ptr<Goal> repair_goal(const Cluster& cluster, const Part& part,
                                  RepairScope scope = RepairScope::Everything);

/// Shares of a node's resources that are not to be passed, 0 to 1.
struct Thresholds {
  std::optional<double> memory;
  std::optional<double> disk;
  std::optional<double> cpu;  ///< virtual CPUs, of what the policy's ratio or --max-cpu allows
  [[nodiscard]] bool empty() const { return !memory && !disk && !cpu; }
};
/// Memory, disk and CPUs in use as shares; none: the node has none of it.
struct NodeShares {
  std::optional<double> memory;
  std::optional<double> disk;  ///< of the fullest storage unit that is not shared
  std::optional<double> cpu;
};
NodeShares use_of(const Cluster& cluster, NodeId node, const NodeState& state);
std::unique_ptr<Goal> threshold_goal(const Cluster& cluster, const Thresholds& thresholds);

struct MendResult {
  BalanceResult plan;
  Deficit before;
  Deficit after;
};

/// As few steps as it finds after which the deficit is gone or cannot be made less, and of equals
/// the least data. No step makes a node or an instance worse.
MendResult mend(const Cluster& cluster, const State& state, const Part& part,
                const BalanceOptions& options, const Goal& goal);

}  // namespace ballast::ganeti
