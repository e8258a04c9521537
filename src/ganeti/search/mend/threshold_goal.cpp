// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>

#include "ballast/core/decimal.hpp"
#include "ballast/ganeti/search/mend/mend.hpp"

namespace ballast::ganeti {
namespace {

class ThresholdGoal final : public Goal {
 public:
  ThresholdGoal(const Cluster& cluster, const Thresholds& thresholds)
      : cluster_(cluster), thresholds_(thresholds) {}

  [[nodiscard]] Deficit of_node(NodeId node, const NodeState& state) const override {
    // What stands on an offline node is no matter of how full it is.
    if (cluster_[node].is_offline) return {};
    const NodeShares use = use_of(cluster_, node, state);
    Deficit sum;
    for (const auto& [most, now] :
         {std::pair(thresholds_.memory, use.memory), std::pair(thresholds_.disk, use.disk),
          std::pair(thresholds_.cpu, use.cpu)}) {
      if (most && now && *now > *most) sum += {1, *now - *most};
    }
    return sum;
  }

  [[nodiscard]] Deficit of_whole(const State&) const override { return {}; }
  [[nodiscard]] Deficit of_instance(InstanceId, const State&, const Placement&) const override {
    return {};
  }

  [[nodiscard]] std::string purpose(InstanceId id, const State& before,
                                    const Placement&) const override {
    for (const NodeId node : {before[id].primary, before[id].secondary}) {
      if (node.is_none() || of_node(node, before[node]).count == 0) continue;
      return fmt::format("relieves {}: {}", cluster_[node].alias, above_text(node, before[node]));
    }
    return "";
  }

  [[nodiscard]] std::string describe(NodeId node, const NodeState& state) const override {
    return above_text(node, state) + " on " + cluster_[node].alias;
  }

 private:
  [[nodiscard]] std::string above_text(NodeId node, const NodeState& state) const {
    const NodeShares use = use_of(cluster_, node, state);
    std::string text;
    const auto add = [&](std::string_view what, std::optional<double> now,
                         std::optional<double> most) {
      if (!now || !most || *now <= *most) return;
      text += fmt::format("{}{} at {} %", text.empty() ? "" : ", ", what, fixed(*now * 100, 1));
    };
    add("memory", use.memory, thresholds_.memory);
    add("disk", use.disk, thresholds_.disk);
    add("cpu", use.cpu, thresholds_.cpu);
    return text;
  }

  const Cluster& cluster_;
  Thresholds thresholds_;
};

std::optional<double> used_share(double free, double total) {
  if (!(total > 0)) return std::nullopt;
  return 1 - free / total;
}

}  // namespace

NodeShares use_of(const Cluster& cluster, NodeId id, const NodeState& state) {
  const Node& node = cluster[id];
  NodeShares use;
  use.memory = used_share(static_cast<double>(unallocated_mem(node, state)), node.total_mem);
  const double cpus = node.total_cpu * node.vcpu_ratio;
  if (cpus > 0) use.cpu = static_cast<double>(state.used_cpu) / cpus;
  if (!cluster.has_storage) {
    use.disk = used_share(static_cast<double>(state.free_disk), node.total_disk);
    return use;
  }
  for (const Capacity& capacity : state.capacities) {
    if (capacity.is_shared) continue;
    const auto used =
        used_share(static_cast<double>(capacity.free_mib), static_cast<double>(capacity.total_mib));
    if (used && (!use.disk || *used > *use.disk)) use.disk = used;
  }
  return use;
}

std::unique_ptr<Goal> threshold_goal(const Cluster& cluster, const Thresholds& thresholds) {
  return std::make_unique<ThresholdGoal>(cluster, thresholds);
}

}  // namespace ballast::ganeti
