// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/mend/mend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "ballast/ganeti/rules/placement_rules.hpp"
#include "ballast/ganeti/rules/prices.hpp"
#include "ballast/ganeti/score/metrics.hpp"
#include "ballast/ganeti/search/balance/joint_move.hpp"

namespace ballast::ganeti {
namespace {

constexpr double kRounding = 1e-9;
// Moves that are tried while another one makes way for them, in one plan.
constexpr std::size_t kMostTrials = 10'000;

struct Choice {
  InstanceId instance;
  Move move;
  Deficit left;
  double price = 0;  ///< by how much breaches of priced rules cost more
  std::int64_t mib = 0;
  double score = 0;
};

bool is_before(const Choice& a, const Choice& b) {
  if (is_less(a.left, b.left)) return true;
  if (is_less(b.left, a.left)) return false;
  return std::tie(a.price, a.mib, a.score) < std::tie(b.price, b.mib, b.score);
}

std::span<const MoveEffect::Changed> changed_of(const MoveEffect& effect) {
  return std::span(effect.nodes).first(static_cast<std::size_t>(effect.count));
}

Deficit total_of(const Goal& goal, const Part& part, const State& state) {
  Deficit total = goal.of_whole(state);
  for (const NodeId node : part.nodes) total += goal.of_node(node, state[node]);
  return total;
}

class Mender {
 public:
  Mender(const Cluster& cluster, const State& state, const Part& part,
         const BalanceOptions& options, const Goal& goal)
      : cluster_(cluster),
        part_(part),
        options_(options),
        goal_(goal),
        work_(cluster, state, part, options) {
    total_ = total_of(goal, part, state);
  }

  [[nodiscard]] Deficit total() const { return total_; }
  [[nodiscard]] const WorkState& work() const { return work_; }

  void run(std::vector<BalanceStep>& steps) {
    while (total_.count > 0 && !is_full(steps, 1)) {
      if (const auto choice = best_single(total_)) {
        take(*choice, steps);
      } else if (!take_set(steps) && (is_full(steps, 2) || !take_pair(steps))) {
        return;
      }
    }
  }

 private:
  [[nodiscard]] bool is_full(const std::vector<BalanceStep>& steps, std::size_t more) const {
    return options_.max_length >= 0 &&
           static_cast<std::int64_t>(steps.size() + more) > options_.max_length;
  }

  /// Whether the instance may be of any help: it, or a node of it, has a deficit, or its companions
  /// are elsewhere.
  [[nodiscard]] bool is_concerned(InstanceId id) const {
    const State& state = work_.state();
    const Placement& now = state[id];
    if (goal_.of_instance(id, state, now).count > 0) return true;
    for (const NodeId node : {now.primary, now.secondary}) {
      if (!node.is_none() && goal_.of_node(node, state[node]).count > 0) return true;
    }
    return false;
  }

  template <class Visit>
  void each_move(InstanceId id, Visit visit) const {
    for_each_move(work_.kinds(id), work_.state()[id], work_.targets(), visit);
  }

  /// The deficit that the effect leaves; none where it makes a node or the instance worse.
  [[nodiscard]] std::optional<Deficit> after(InstanceId id, const MoveEffect& effect) const {
    const State& state = work_.state();
    Deficit left = total_;
    const auto replace = [&](const Deficit& before, const Deficit& now) {
      left.count += now.count - before.count;
      left.amount += now.amount - before.amount;
      return !is_less(before, now);
    };
    for (const MoveEffect::Changed& changed : changed_of(effect)) {
      if (!replace(goal_.of_node(changed.node, state[changed.node]),
                   goal_.of_node(changed.node, changed.state)))
        return std::nullopt;
    }
    // What an instance has to do with others can only be told of all of them together.
    replace(goal_.of_instance(id, state, state[id]),
            goal_.of_instance(id, state, effect.placement));
    return left;
  }

  [[nodiscard]] double price_of(InstanceId id, const MoveEffect& effect) const {
    if (!cluster_.rules.has_prices()) return 0;
    const State& state = work_.state();
    return price_change(cluster_, {id, &cluster_[id], state[id], effect.placement}, view_of(state));
  }

  /// How much is wrong with the instance and the nodes that it changes.
  [[nodiscard]] double wrongness(InstanceId id, const MoveEffect& effect) const {
    Deficit sum = goal_.of_instance(id, work_.state(), effect.placement);
    for (const MoveEffect::Changed& changed : changed_of(effect))
      sum += goal_.of_node(changed.node, changed.state);
    return static_cast<double>(sum.count);
  }

  [[nodiscard]] std::optional<Choice> best_of(InstanceId id, const Deficit& limit) const {
    return best_of(id, limit, {});
  }

  /// Of the moves that concern one of these nodes; none given: of all.
  [[nodiscard]] std::optional<Choice> best_of(InstanceId id, const Deficit& limit,
                                              const std::vector<NodeId>& only) const {
    std::optional<Choice> best;
    const NodeId secondary = work_.state()[id].secondary;
    each_move(id, [&](Move move) {
      const NodeId enters = move.target.is_none() ? secondary : move.target;
      if (!only.empty() && std::ranges::find(only, enters) == only.end()) return;
      ++trials_;
      const auto effect = work_.effect(id, move);
      if (!effect) return;
      const auto left = after(id, *effect);
      if (!left || !is_less(*left, limit)) return;
      Choice choice{id,
                    move,
                    *left,
                    price_of(id, *effect),
                    copied_mib(cluster_, id, move),
                    work_.score_of(*effect)};
      if (!best || is_before(choice, *best)) best = choice;
    });
    return best;
  }

  [[nodiscard]] std::optional<Choice> best_single(const Deficit& limit) const {
    std::optional<Choice> best;
    for (const InstanceId id : part_.instances) {
      if (!is_concerned(id)) continue;
      const auto choice = best_of(id, limit);
      if (choice && (!best || is_before(*choice, *best))) best = choice;
    }
    return best;
  }

  /// Instances that a rule keeps together go together: the set and the target after which least is
  /// wrong, then with the least data, then by score.
  bool take_set(std::vector<BalanceStep>& steps) {
    std::optional<std::pair<JointMove, Choice>> best;
    std::set<InstanceId> seen;
    for (const InstanceId id : part_.instances) {
      if (seen.contains(id) || cluster_[id].rules.empty() || !is_concerned(id)) continue;
      const std::vector<InstanceId> all = companions_of(cluster_, work_.state(), id);
      seen.insert(all.begin(), all.end());
      if (all.size() < 2 || is_full(steps, all.size())) continue;
      for (const NodeId target : work_.targets()) {
        if (target == work_.state()[id].primary) continue;
        auto joint = joint_move(work_, all, target, [&](InstanceId one, const MoveEffect& effect) {
          return wrongness(one, effect);
        });
        if (!joint) continue;
        const auto left = after_joint(*joint);
        if (!left || !is_less(*left, total_)) continue;
        Choice choice{id, {}, *left, 0, 0, joint->score};
        for (const auto& [one, move] : joint->moves) choice.mib += copied_mib(cluster_, one, move);
        if (!best || is_before(choice, best->second)) best = std::pair(std::move(*joint), choice);
      }
    }
    if (!best) return false;
    for (const auto& [one, move] : best->first.moves) take({one, move, total_, 0, 0, 0}, steps);
    total_ = best->second.left;
    return true;
  }

  /// The deficit after all of its moves; none where a node gets worse.
  [[nodiscard]] std::optional<Deficit> after_joint(const JointMove& joint) {
    const State before = work_.state();
    bool is_made = true;
    for (const auto& [id, move] : joint.moves) is_made = is_made && work_.make(id, move);
    std::optional<Deficit> left;
    const State& now = work_.state();
    const bool is_worse = std::ranges::any_of(part_.nodes, [&](NodeId node) {
      return is_less(goal_.of_node(node, before[node]), goal_.of_node(node, now[node]));
    });
    if (is_made && !is_worse) left = total_of(goal_, part_, now);
    work_.take_back();
    return left;
  }

  /// Some other instance makes way first.
  bool take_pair(std::vector<BalanceStep>& steps) {
    std::vector<InstanceId> stuck;
    std::ranges::copy_if(part_.instances, std::back_inserter(stuck),
                         [&](InstanceId id) { return is_concerned(id); });
    std::optional<std::pair<Choice, Choice>> best;
    const Deficit start = total_;
    for (const InstanceId id : part_.instances) {
      if (trials_ > kMostTrials) break;
      std::vector<Move> moves;
      each_move(id, [&](Move move) { moves.push_back(move); });
      for (const Move move : moves) {
        const auto effect = work_.effect(id, move);
        const auto left = effect ? after(id, *effect) : std::nullopt;
        if (!left || is_less(start, *left)) continue;
        if (trials_ > kMostTrials) break;
        const Choice first{id, move, *left, price_of(id, *effect), copied_mib(cluster_, id, move),
                           0};
        try_pair(first, stuck, start, best);
      }
    }
    if (!best) return false;
    take(best->first, steps);
    take(best->second, steps);
    return true;
  }

  void try_pair(const Choice& first, const std::vector<InstanceId>& stuck, const Deficit& start,
                std::optional<std::pair<Choice, Choice>>& best) {
    const Placement& from = work_.state()[first.instance];
    std::vector<NodeId> freed{from.primary};
    if (!from.secondary.is_none()) freed.push_back(from.secondary);
    if (!work_.make(first.instance, first.move)) return;
    total_ = first.left;
    for (const InstanceId other : stuck) {
      if (other == first.instance) continue;
      auto second = best_of(other, start, freed);
      if (!second) continue;
      second->price += first.price;
      second->mib += first.mib;
      if (!best || is_before(*second, best->second)) best = std::pair(first, *second);
    }
    work_.take_back();
    total_ = start;
  }

  /// Of a step that lowers no deficit itself.
  [[nodiscard]] std::string side_purpose(const Choice& choice) const {
    if (choice.move.joined == 0) return "makes way for a later step";
    for (const RuleId rule : cluster_[choice.instance].rules) {
      const PlacementRule& one = cluster_.rules[rule];
      if (one.kind == RuleKind::Together && !one.price)
        return fmt::format("goes along with what {} keeps together with it", one.name);
    }
    return "goes along with a set that is kept together";
  }

  void take(const Choice& choice, std::vector<BalanceStep>& steps) {
    const Placement before = work_.state()[choice.instance];
    const auto effect = work_.effect(choice.instance, choice.move);
    std::string purpose =
        goal_.purpose(choice.instance, work_.state(), effect ? effect->placement : before);
    if (purpose.empty()) purpose = side_purpose(choice);
    work_.make(choice.instance, choice.move);
    work_.keep();
    total_ = choice.left;
    steps.push_back({choice.instance, choice.move, before, work_.state()[choice.instance],
                     work_.score(), std::move(purpose)});
  }

  const Cluster& cluster_;
  const Part& part_;
  const BalanceOptions& options_;
  const Goal& goal_;
  WorkState work_;
  Deficit total_;
  mutable std::size_t trials_ = 0;  ///< of moves, for the limit of pairs
};

/// The steps made in order; none where one of them is impossible.
std::optional<State> state_after(const Cluster& cluster, const State& start, const Part& part,
                                 const BalanceOptions& options, std::vector<BalanceStep>& steps) {
  State state = start;
  for (BalanceStep& step : steps) {
    step.before = state[step.instance];
    const Move& move = step.move;
    const bool goes_nowhere = !move.target.is_none() && (move.target == step.before.primary ||
                                                         move.target == step.before.secondary);
    if (goes_nowhere) return std::nullopt;
    auto effect = evaluate(cluster, state, step.instance, move, options.ignore_soft_errors);
    if (!effect) return std::nullopt;
    apply(state, step.instance, std::move(*effect));
    step.after = state[step.instance];
    step.score = full_score(cluster, state, part.nodes);
  }
  return state;
}

/// Leaves out each step without which as much is put right.
void prune(const Cluster& cluster, const State& start, const Part& part,
           const BalanceOptions& options, const Goal& goal, MendResult& result) {
  constexpr std::size_t kMostSteps = 200;
  if (result.plan.steps.size() > kMostSteps) return;
  for (std::size_t i = result.plan.steps.size(); i-- > 0;) {
    if (result.plan.steps[i].move.joined > 0) continue;  // a set is made whole or not at all
    std::vector<BalanceStep> fewer = result.plan.steps;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    auto state = state_after(cluster, start, part, options, fewer);
    if (!state || is_less(result.after, total_of(goal, part, *state))) continue;
    result.plan.steps = std::move(fewer);
    result.plan.state = std::move(*state);
  }
}

}  // namespace

Deficit& Deficit::operator+=(const Deficit& other) {
  count += other.count;
  amount += other.amount;
  return *this;
}

bool is_less(const Deficit& a, const Deficit& b) {
  if (a.count != b.count) return a.count < b.count;
  return a.amount < b.amount - kRounding;
}

MendResult mend(const Cluster& cluster, const State& state, const Part& part,
                const BalanceOptions& options, const Goal& goal) {
  MendResult result;
  Mender mender(cluster, state, part, options, goal);
  result.before = mender.total();
  result.plan.score_before = full_score(cluster, state, part.nodes);
  result.plan.lower_bound = score_lower_bound(cluster, state, part.nodes);
  mender.run(result.plan.steps);
  result.plan.state = mender.work().state();
  result.after = total_of(goal, part, result.plan.state);
  prune(cluster, state, part, options, goal, result);
  result.after = total_of(goal, part, result.plan.state);
  result.plan.score_after = full_score(cluster, result.plan.state, part.nodes);
  result.plan.stop = BalanceStop::NoBetterMove;
  return result;
}

}  // namespace ballast::ganeti
