// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/squeeze/squeeze.hpp"
#include "ballast/ganeti/model/ids_of.hpp"

#include <algorithm>
#include <cmath>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/reverse.hpp>
#include <range/v3/view/take.hpp>
#include <string_view>

#include "ballast/ganeti/moves/node_ops.hpp"

namespace ballast::ganeti {
namespace {

constexpr std::string_view kStandbyPrefix = "htools:standby:";

std::int64_t scaled(std::int64_t value, double factor) {
  return static_cast<std::int64_t>(std::floor(factor * static_cast<double>(value)));
}

/// `factor` times the cluster's standard instance, without disks.
Instance reference_instance(const InstanceSpec& standard, double factor) {
  Instance instance;
  instance.name = "reference";
  instance.memory_mib = scaled(standard.memory_mib, factor);
  instance.vcpus = scaled(standard.cpu_count, factor);
  instance.spindle_use = scaled(standard.spindle_use, factor);
  instance.disk_template = DiskTemplate::Ext;
  instance.auto_balance = false;
  return instance;
}

/// The first node, offline ones included, that does not take the instance.
std::optional<SqueezeObstacle> find_full_node(const Cluster& cluster, const State& state,
                                              const Instance& instance) {
  for (const NodeId id : node_ids(cluster)) {
    NodeState node = state[id];
    const MaybeRefusal no = add_primary(
        cluster, id, node, {InstanceId(), &instance, Placement{id, NodeId(), 0}}, false);
    if (no) return SqueezeObstacle{InstanceId(), id, *no};
  }
  return std::nullopt;
}

/// The largest factor, in hundredths and below `too_much`, whose reference instance every node
/// takes; none where not even the smallest is taken.
std::optional<double> largest_factor(const Cluster& cluster, const State& state, double too_much) {
  const auto fits = [&](std::int64_t hundredths) {
    const double factor = static_cast<double>(hundredths) / 100;
    return !find_full_node(cluster, state, reference_instance(cluster.policy.standard, factor));
  };
  std::int64_t low = 1;
  auto high = static_cast<std::int64_t>(std::ceil(too_much * 100));
  if (!fits(low)) return std::nullopt;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return static_cast<double>(low) / 100;
}

std::optional<SqueezeObstacle> find_stranded(const Cluster& cluster, const State& state) {
  for (std::size_t i = 0; i < state.placements.size(); ++i) {
    const NodeId node = state.placements[i].primary;
    if (cluster[node].is_offline) return SqueezeObstacle{InstanceId(i), node, {}};
  }
  return std::nullopt;
}

/// A forthcoming instance with a place on the node; none where there is none.
std::optional<InstanceId> reserved_by(const NodeState& node) {
  for (const auto& [all, real] : {std::pair{&node.forth_primaries, &node.primaries},
                                  std::pair{&node.forth_secondaries, &node.secondaries}}) {
    for (const InstanceId i : *all) {
      if (std::ranges::find(*real, i) == real->end()) return i;
    }
  }
  return std::nullopt;
}

BalanceOptions until_nothing_improves() {
  BalanceOptions options;
  options.stops_by_score = false;
  options.min_gain = 0;
  return options;
}

struct Attempt {
  Cluster cluster;
  BalanceResult balance;
  std::optional<SqueezeObstacle> obstacle;  ///< none: it fits
};

class Squeezer {
 public:
  Squeezer(const Cluster& cluster, const State& state, bool keeps_reserved)
      : cluster_(cluster), state_(state), keeps_reserved_(keeps_reserved) {}

  [[nodiscard]] Attempt attempt(bool offline, const std::vector<NodeId>& nodes,
                                const Instance& instance) const {
    Attempt result{cluster_, {}, std::nullopt};
    for (const NodeId n : nodes) result.cluster.nodes[n.index()].is_offline = offline;
    result.balance =
        balance(result.cluster, state_, whole_part(result.cluster), until_nothing_improves());
    result.obstacle = find_stranded(result.cluster, result.balance.state);
    if (!result.obstacle)
      result.obstacle = find_full_node(result.cluster, result.balance.state, instance);
    return result;
  }

  [[nodiscard]] std::vector<NodeId> offline_candidates() const {
    std::vector<NodeId> candidates;
    for (const NodeId id : node_ids(cluster_)) {
      const Node& node = cluster_[id];
      const NodeState& state = state_[id];
      const bool is_movable = std::ranges::none_of(state.primaries, [&](InstanceId i) {
        return uses_local_disk(cluster_[i].disk_template);
      });
      if (node.is_offline || node.is_master || !state.secondaries.empty() || !is_movable) continue;
      if (keeps_reserved_ && reserved_by(state)) continue;
      candidates.push_back(id);
    }
    std::ranges::stable_sort(candidates, std::greater<>{},
                             [&](NodeId n) { return state_[n].primaries.size(); });
    return candidates;
  }

  [[nodiscard]] std::vector<NodeId> online_candidates() const {
    std::vector<NodeId> candidates;
    for (const NodeId id : node_ids(cluster_)) {
      const Node& node = cluster_[id];
      const bool is_standby = std::ranges::any_of(
          node.tags, [](const std::string& tag) { return tag.starts_with(kStandbyPrefix); });
      if (node.is_offline && is_standby) candidates.push_back(id);
    }
    return candidates;
  }

 private:
  const Cluster& cluster_;
  const State& state_;
  bool keeps_reserved_;
};

void take(SqueezePlan& plan, std::vector<NodeId> nodes, Attempt attempt) {
  plan.nodes = std::move(nodes);
  plan.reference_would_die = attempt.balance.stop == BalanceStop::ReferenceWouldDie;
  plan.cluster = std::move(attempt.cluster);
  plan.balance = std::move(attempt.balance);
}

/// The shortest prefix of the candidates that is enough, else all of them.
void expand(SqueezePlan& plan, const Squeezer& squeezer, const Instance& minimum) {
  plan.action = SqueezeAction::Expand;
  for (std::size_t count = 0;; ++count) {
    auto nodes = plan.online_candidates | ranges::views::take(count) | ranges::to<std::vector>();
    Attempt attempt = squeezer.attempt(false, nodes, minimum);
    const bool is_last = count == plan.online_candidates.size();
    if (attempt.obstacle && !is_last && attempt.balance.stop != BalanceStop::ReferenceWouldDie)
      continue;
    plan.is_enough = !attempt.obstacle;
    plan.shortage = attempt.obstacle;
    take(plan, std::move(nodes), std::move(attempt));
    return;
  }
}

/// Emptiest candidates first; one that does not fit is skipped.
void squeeze(SqueezePlan& plan, const Squeezer& squeezer, const Instance& target) {
  for (const NodeId candidate : plan.offline_candidates | ranges::views::reverse) {
    std::vector<NodeId> nodes{candidate};
    nodes.insert(nodes.end(), plan.nodes.begin(), plan.nodes.end());
    Attempt attempt = squeezer.attempt(true, nodes, target);
    const bool dies = attempt.balance.stop == BalanceStop::ReferenceWouldDie;
    if (attempt.obstacle && !dies) {
      plan.kept.emplace_back(candidate, *attempt.obstacle);
      continue;
    }
    plan.action = SqueezeAction::Squeeze;
    take(plan, std::move(nodes), std::move(attempt));
    if (dies) return;
  }
}

}  // namespace

bool takes_reserved_places(const SqueezePlan& plan, const State& state) {
  return plan.action == SqueezeAction::Squeeze && std::ranges::any_of(plan.nodes, [&](NodeId n) {
           return reserved_by(state[n]).has_value();
         });
}

SqueezePlan plan_squeeze(const Cluster& cluster, const State& state,
                         const SqueezeOptions& options) {
  const Squeezer squeezer(cluster, state, options.keeps_reserved);
  SqueezePlan plan;
  for (std::size_t n = 0; options.keeps_reserved && n < state.nodes.size(); ++n) {
    const auto instance = reserved_by(state.nodes[n]);
    if (instance && !cluster.nodes[n].is_offline) plan.reserved.emplace_back(NodeId(n), *instance);
  }
  plan.offline_candidates = squeezer.offline_candidates();
  plan.online_candidates = squeezer.online_candidates();
  plan.cluster = cluster;
  plan.balance.state = state;
  const Instance minimum = reference_instance(cluster.policy.standard, options.minimal_resources);
  plan.cause = find_full_node(cluster, state, minimum);
  if (plan.cause) {
    expand(plan, squeezer, minimum);
    if (!plan.is_enough && !find_stranded(plan.cluster, plan.balance.state))
      plan.enough_for = largest_factor(plan.cluster, plan.balance.state, options.minimal_resources);
  } else {
    squeeze(plan, squeezer, reference_instance(cluster.policy.standard, options.target_resources));
  }
  return plan;
}

}  // namespace ballast::ganeti
