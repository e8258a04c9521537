// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "ballast/ganeti/moves/ends.hpp"
#include "ballast/ganeti/score/sheet.hpp"
#include "order.hpp"

namespace ballast::ganeti {

namespace {

/// Which nodes a step works on, as marks by node.
class Marks {
 public:
  explicit Marks(std::size_t nodes) : is_marked_(nodes, false) {}

  [[nodiscard]] bool meets(const BalanceStep& step) const {
    bool does = false;
    visit(step, [&](NodeId node) { does = does || is_marked_[node.index()]; });
    return does;
  }
  void add(const BalanceStep& step) {
    visit(step, [&](NodeId node) { is_marked_[node.index()] = true; });
  }

 private:
  template <class See>
  static void visit(const BalanceStep& step, See see) {
    for (const NodeId node :
         {step.before.primary, step.before.secondary, step.after.primary, step.after.secondary}) {
      if (!node.is_none()) see(node);
    }
  }
  std::vector<bool> is_marked_;
};

/// Set by set: the first step that is left, then each that shares no node with the set nor with a
/// step that it passes.
std::vector<BalanceStep> gathered(std::size_t nodes, std::vector<BalanceStep> left) {
  std::vector<BalanceStep> order;
  while (!left.empty()) {
    Marks marks(nodes);
    std::vector<BalanceStep> rest;
    for (BalanceStep& step : left) {
      const bool stays = marks.meets(step);
      marks.add(step);
      (stays ? rest : order).push_back(step);
    }
    left = std::move(rest);
  }
  return order;
}

/// Makes the steps in this order and notes the scores; false: one is refused or raises the score
/// where it may not.
bool rescore(const OrderTask& task, std::vector<BalanceStep>& steps, State& state) {
  ScoreSheet sheet(task.cluster, state, task.part.nodes);
  double last = sheet.total();
  for (BalanceStep& step : steps) {
    auto effect =
        evaluate(task.cluster, state, step.instance, step.move, task.options.ignore_soft_errors);
    if (!effect) return false;
    std::vector<NodeId> changed;
    for (const MoveEffect::Changed& one : changed_nodes(*effect)) changed.push_back(one.node);
    apply(state, step.instance, std::move(*effect));
    for (const NodeId node : changed) sheet.update(node);
    step.after = state[step.instance];
    step.score = sheet.total();
    if (task.never_worse && step.score >= last) return false;
    last = step.score;
  }
  return true;
}

}  // namespace

void gather_job_sets(const OrderTask& task, BalanceResult& plan) {
  if (plan.steps.empty()) return;
  std::vector<BalanceStep> steps = gathered(task.cluster.nodes.size(), plan.steps);
  State state = task.start;
  if (!rescore(task, steps, state)) return;
  plan.steps = std::move(steps);
  plan.state = std::move(state);
  plan.score_after = plan.steps.back().score;
}

}  // namespace ballast::ganeti
