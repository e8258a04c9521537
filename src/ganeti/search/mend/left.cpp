// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/mend/left.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ballast/ganeti/search/balance/work_state.hpp"
#include "ballast/ganeti/search/planning/refusal_text.hpp"

namespace ballast::ganeti {
namespace {

class LeftFinder {
 public:
  LeftFinder(const Cluster& cluster, const State& state, const Part& part,
             const BalanceOptions& options, const Goal& goal)
      : cluster_(cluster),
        state_(state),
        part_(part),
        options_(options),
        goal_(goal),
        work_(cluster, state, part, options) {}

  std::vector<LeftOver> run() {
    for (const NodeId node : part_.nodes) {
      if (goal_.of_node(node, state_[node]).count > 0) add_node(node);
    }
    for (const InstanceId id : part_.instances) {
      if (goal_.of_instance(id, state_, state_[id]).count == 0) continue;
      const Why reason = why(id);
      left_.push_back(
          {state_[id].primary, id,
           fmt::format("{} on {} ({}): {}", cluster_[id].alias, cluster_[state_[id].primary].alias,
                       goal_.complaint(id, state_), reason.text),
           reason.refusal});
    }
    return std::move(left_);
  }

 private:
  struct Why {
    std::string text;
    MaybeRefusal refusal;
  };

  void add_node(NodeId node) {
    const std::string what = goal_.describe(node, state_[node]);
    std::vector<InstanceId> here;
    for (const InstanceId id : part_.instances) {
      if (state_[id].primary == node || state_[id].secondary == node) here.push_back(id);
    }
    if (here.empty()) {
      left_.push_back({node, {}, what + ": no instance of this group is there", {}});
      return;
    }
    if (cluster_[node].is_offline) {  // each of them is to leave it
      for (const InstanceId id : here) {
        const Why reason = why(id);
        left_.push_back({node, id, fmt::format("{}: {} {}", what, cluster_[id].alias, reason.text),
                         reason.refusal});
      }
      return;
    }
    // Those that cannot move at all say least; of the others the smallest comes nearest.
    const auto nearest = std::ranges::min_element(here, {}, [&](InstanceId id) {
      const bool is_still = !is_considered(cluster_, state_, options_, id);
      return std::pair(is_still, cluster_[id].memory_mib);
    });
    const Why reason = why(*nearest);
    left_.push_back({node,
                     {},
                     fmt::format("{}: {} {}", what, cluster_[*nearest].alias, reason.text),
                     reason.refusal});
  }

  /// Which rule refuses most of the instance's moves; of equals the first.
  [[nodiscard]] Why why(InstanceId id) const {
    if (!is_considered(cluster_, state_, options_, id)) {
      const bool has_copies = mirroring_of(cluster_[id].disk_template) != Mirroring::None;
      return {has_copies ? "is not to be moved" : "has no copy elsewhere and cannot be moved", {}};
    }
    std::map<Rule, int> counts;
    std::map<Rule, Refusal> first;
    bool is_possible = false;
    const auto look_at = [&](Move move) {
      const auto effect = evaluate(cluster_, state_, id, move, options_.ignore_soft_errors);
      if (effect) {
        is_possible = true;
        return;
      }
      ++counts[effect.error().rule];
      first.try_emplace(effect.error().rule, effect.error());
    };
    for_each_move(work_.kinds(id), state_[id], work_.targets(), look_at);
    if (counts.empty())
      return {is_possible ? "could move, but that makes no less of it" : "has nowhere to go", {}};
    const auto most =
        std::ranges::max_element(counts, {}, [](const auto& one) { return one.second; });
    const Refusal& refusal = first.at(most->first);
    return {"stays: " + refusal_text(cluster_, state_, cluster_[id], refusal) +
                (is_possible ? "; where it may go, it makes no less of it" : ""),
            refusal};
  }

  const Cluster& cluster_;
  const State& state_;
  const Part& part_;
  const BalanceOptions& options_;
  const Goal& goal_;
  WorkState work_;
  std::vector<LeftOver> left_;
};

}  // namespace

std::vector<LeftOver> left_over(const Cluster& cluster, const State& state, const Part& part,
                                const BalanceOptions& options, const Goal& goal) {
  return LeftFinder(cluster, state, part, options, goal).run();
}

}  // namespace ballast::ganeti
