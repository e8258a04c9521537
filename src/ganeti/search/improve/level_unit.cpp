// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/improve/level_unit.hpp"
#include "ballast/ganeti/moves/ends.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "ballast/ganeti/score/node_values.hpp"
#include "ballast/ganeti/score/sheet.hpp"
#include "ballast/ganeti/search/balance/candidates.hpp"
#include "ballast/ganeti/search/planning/builder.hpp"
#include "order.hpp"

namespace ballast::ganeti {

namespace {

constexpr double kLeastGain = 0.001;

/// One unit's free fractions, kept as sums.
class Fractions {
 public:
  Fractions(const Cluster& cluster, const State& state, const std::vector<NodeId>& nodes,
            StorageKeyId unit)
      : cluster_(cluster), unit_(unit), values_(cluster.nodes.size(), kNone) {
    for (const NodeId node : nodes) {
      values_[node.index()] = read(node, state[node]);
      if (values_[node.index()] == kNone) continue;
      count_ += 1;
      add(values_[node.index()], 1);
    }
  }

  [[nodiscard]] double on(NodeId node) const { return values_[node.index()]; }
  [[nodiscard]] double deviation() const { return deviation_of(sum_, squares_); }
  [[nodiscard]] double with(std::span<const MoveEffect::Changed> changed) const {
    double sum = sum_;
    double squares = squares_;
    for (const MoveEffect::Changed& one : changed) {
      const double old = values_[one.node.index()];
      if (old == kNone) continue;
      const double now = read(one.node, one.state);
      sum += now - old;
      squares += now * now - old * old;
    }
    return deviation_of(sum, squares);
  }
  void update(NodeId node, const NodeState& state) {
    double& value = values_[node.index()];
    if (value == kNone) return;
    add(value, -1);
    value = read(node, state);
    add(value, 1);
  }

 private:
  static constexpr double kNone = -1;  // an offline node, or one without the unit

  [[nodiscard]] double read(NodeId node, const NodeState& state) const {
    const auto fraction = unit_fraction(cluster_, cluster_[node], state, unit_);
    return fraction ? fraction->now : kNone;
  }
  void add(double value, double sign) {
    sum_ += sign * value;
    squares_ += sign * value * value;
  }
  [[nodiscard]] double deviation_of(double sum, double squares) const {
    if (count_ == 0) return 0;
    const double mean = sum / count_;
    return std::sqrt(std::max(0.0, squares / count_ - mean * mean));
  }

  const Cluster& cluster_;
  StorageKeyId unit_;
  std::vector<double> values_;  ///< by NodeId
  double count_ = 0;
  double sum_ = 0;
  double squares_ = 0;
};

bool uses(const Instance& instance, StorageKeyId unit) {
  return has_secondary(instance.disk_template) &&
         std::any_of(instance.disks.begin(), instance.disks.end(),
                     [&](const Disk& disk) { return disk.unit == unit; });
}

/// The node whose copy a move of this kind gives up.
NodeId left_by(const Placement& placement, MoveKind kind) {
  const MoveEnds ends = ends_of(kind);
  const bool keeps_primary = ends.primary == MoveEnd::Primary || ends.secondary == MoveEnd::Primary;
  return keeps_primary ? placement.secondary : placement.primary;
}

class Leveller {
 public:
  Leveller(const Cluster& cluster, const State& state, const Part& part,
           const BalanceOptions& options, StorageKeyId unit)
      : cluster_(cluster),
        part_(part),
        options_(options),
        unit_(unit),
        targets_(target_nodes(cluster, part)),
        fractions_(cluster, state, targets_, unit),
        state_(state),
        sheet_(cluster, state_, part.nodes) {}

  LevelResult run() {
    LevelResult result;
    result.plan.score_before = result.plan.score_after = sheet_.total();
    result.plan.lower_bound = score_lower_bound(cluster_, state_, part_.nodes);
    result.deviation_before = result.deviation_after = fractions_.deviation();
    while (!is_full(result.plan)) {
      const auto best = best_move(result.deviation_after);
      if (!best) break;
      take(*best, result);
    }
    result.plan.state = state_;
    return result;
  }

 private:
  struct Choice {
    InstanceId instance;
    Move move;
    double deviation;
    double score;
  };

  [[nodiscard]] bool is_full(const BalanceResult& plan) const {
    return options_.max_length >= 0 &&
           static_cast<std::int64_t>(plan.steps.size()) >= options_.max_length;
  }

  [[nodiscard]] std::optional<Choice> best_move(double deviation) const {
    std::optional<Choice> best;
    double limit = deviation - kLeastGain;
    for (const InstanceId id : part_.instances) {
      if (!uses(cluster_[id], unit_) || !is_considered(cluster_, state_, options_, id)) continue;
      MoveKinds kinds = move_kinds(cluster_, state_, options_, id);
      kinds.failover = false;  // it moves no disks
      for_each_move(kinds, state_[id], targets_,
                    [&](Move move) { consider(id, move, limit, best); });
    }
    return best;
  }

  void consider(InstanceId id, Move move, double& limit, std::optional<Choice>& best) const {
    const Placement& placement = state_[id];
    const NodeId from = left_by(placement, move.kind);
    // From a fuller node to an emptier one, or nothing is gained.
    if (!cluster_[from].is_offline && fractions_.on(move.target) <= fractions_.on(from)) return;
    const auto effect = evaluate(cluster_, state_, id, move, options_.ignore_soft_errors);
    if (!effect) return;
    const auto changed = changed_nodes(*effect);
    const double deviation = fractions_.with(changed);
    constexpr double kAlike = 1e-12;
    if (deviation > limit + (best ? kAlike : 0)) return;
    const double score = sheet_.total_with(changed);
    if (best && deviation > best->deviation - kAlike && score >= best->score) return;
    best = Choice{id, move, deviation, score};
    limit = deviation;
  }

  void take(const Choice& choice, LevelResult& result) {
    const Placement before = state_[choice.instance];
    auto effect =
        evaluate(cluster_, state_, choice.instance, choice.move, options_.ignore_soft_errors);
    apply(state_, choice.instance, std::move(*effect));
    for (const NodeId node : {before.primary, before.secondary, choice.move.target}) {
      sheet_.update(node);
      fractions_.update(node, state_[node]);
    }
    result.plan.score_after = choice.score;
    result.plan.steps.push_back(
        {choice.instance, choice.move, before, state_[choice.instance], choice.score});
    result.deviation_after = choice.deviation;
  }

  const Cluster& cluster_;
  const Part& part_;
  const BalanceOptions& options_;
  StorageKeyId unit_;
  std::vector<NodeId> targets_;
  Fractions fractions_;
  State state_;
  ScoreSheet sheet_;
};

/// An instance that moved twice goes there at once where it can: the net moves in a new order,
/// taken where they end alike with fewer steps or less data.
void compose(const Cluster& cluster, const State& start, const Part& part,
             const BalanceOptions& options, BalanceResult& plan) {
  const Cost most{static_cast<std::int64_t>(plan.steps.size()),
                  total_copied_mib(cluster, plan.steps)};
  const OrderTask task{cluster, start, part, options, false, most, {}};
  OrderedPlan ordered = order_steps(task, plan.state.placements);
  const Cost cost{static_cast<std::int64_t>(ordered.plan.steps.size()),
                  total_copied_mib(cluster, ordered.plan.steps)};
  const bool is_cheaper = cost.steps <= most.steps && cost.mib <= most.mib &&
                          (cost.steps < most.steps || cost.mib < most.mib);
  if (ordered.stuck > 0 || !is_cheaper) return;
  gather_job_sets(task, ordered.plan);
  plan = std::move(ordered.plan);
}

}  // namespace

LevelResult level_unit(const Cluster& cluster, const State& state, const Part& part,
                       const BalanceOptions& options, StorageKeyId unit) {
  LevelResult result = Leveller(cluster, state, part, options, unit).run();
  compose(cluster, state, part, options, result.plan);
  return result;
}

}  // namespace ballast::ganeti
