// SPDX-License-Identifier: BSD-2-Clause
// Plans that come from another: what is left of it, and the way back.
#include "ballast/core/decimal.hpp"
#include "ballast/core/version.hpp"
#include "ballast/core/words.hpp"
#include "ballast/ganeti/cli/delivery/plan_check.hpp"
#include "ballast/ganeti/score/metrics.hpp"
#include "ballast/ganeti/search/planning/builder.hpp"
#include "ballast/ganeti/search/planning/node_step.hpp"
#include "ballast/ganeti/search/planning/replay.hpp"
#include "ballast/plan/replay.hpp"
#include "ballast/plan/select.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::ganeti::cli {
namespace {

/// Where a derived plan begins.
struct Start {
  Cluster cluster;
  State state;
};

/// Everything in a plan that depends on where it begins. Problems carry the new plan's numbers.
std::vector<plan::StepProblem> complete(plan::Plan& plan, const PlanScene& scene,
                                        const Start& start, bool force) {
  PlanState state(start.cluster, start.state, scene.part.nodes, force, plan);
  plan::ReplayReport report = plan::replay(plan, state);
  if (!report.problems.empty()) return report.problems;
  plan.tool = "hplan";
  plan.tool_version = kVersion;
  plan.fingerprint = scene.fingerprint;
  plan.now.clear();
  count_reboots(plan);
  plan.result = plan.steps.empty() ? plan::Outcome::NoChange : plan::Outcome::Changes;
  plan.objects = inventory(start.cluster, start.state, scene.part);
  plan.before = node_summary(start.cluster, start.state, scene.part);
  plan.after = node_summary(state.cluster(), state.state(), scene.part);
  if (plan.score) {
    plan.score =
        plan_score(start.cluster, score_detail(start.cluster, start.state, scene.part.nodes),
                   score_detail(state.cluster(), state.state(), scene.part.nodes),
                   score_lower_bound(start.cluster, start.state, scene.part.nodes));
  }
  plan.weakest = plan::weakest_moments(plan, std::move(report.weakest));
  return {};
}

/// Problems of a derived plan, told with the numbers of the plan that it comes from.
std::vector<plan::StepProblem> renamed(std::vector<plan::StepProblem> problems,
                                       const std::vector<int>& numbers) {
  for (plan::StepProblem& problem : problems)
    problem.step = numbers[static_cast<std::size_t>(problem.step) - 1];
  return problems;
}

/// The steps that are not made, with the numbers that they have in the plan.
struct Rest {
  plan::Plan plan;
  std::vector<int> numbers;
  std::vector<int> done;
};

Rest rest_after(const plan::Plan& plan, const std::vector<bool>& is_done) {
  Rest rest{plan, {}, {}};
  std::vector<bool> keep;
  for (const plan::Step& step : plan.steps) {
    const bool is_made = is_done[static_cast<std::size_t>(step.n) - 1];
    keep.push_back(!is_made);
    (is_made ? rest.done : rest.numbers).push_back(step.n);
  }
  plan::keep_steps(rest.plan, keep);
  rest.plan.headline.clear();
  rest.plan.notes.push_back(
      {"RESUMED", rest.done.empty()
                      ? "no step is made yet"
                      : fmt::format("steps made already: {}", fmt::join(rest.done, ", "))});
  return rest;
}

/// Leaves out the steps that do not hold, each with its reason, until all others do.
std::vector<plan::StepProblem> leave_out_what_fails(Rest& rest, const PlanScene& scene) {
  std::vector<plan::StepProblem> left_out;
  for (;;) {
    PlanState state(scene.snapshot.cluster, scene.snapshot.state, scene.part.nodes, scene.force,
                    rest.plan);
    const auto problems = plan::replay(rest.plan, state).problems;
    if (problems.empty()) return left_out;
    std::vector<bool> keep(rest.plan.steps.size(), true);
    for (const plan::StepProblem& problem : problems) {
      const auto index = static_cast<std::size_t>(problem.step) - 1;
      if (!keep[index]) continue;
      keep[index] = false;
      left_out.push_back({rest.numbers[index], problem.problem});
    }
    std::vector<int> numbers;
    for (std::size_t i = 0; i < keep.size(); ++i) {
      if (keep[i]) numbers.push_back(rest.numbers[i]);
    }
    rest.numbers = std::move(numbers);
    plan::keep_steps(rest.plan, keep);
  }
}

/// Score and N+1 after each step, as they are from here.
class Worth {
 public:
  Worth(const PlanScene& scene, plan::Plan& plan)
      : scene_(scene),
        state_(scene.snapshot.cluster, scene.snapshot.state, scene.part.nodes, scene.force, plan) {
    for (plan::Step& step : plan.steps) {
      const double before = score();
      if (state_.apply(step)) continue;
      if (step.subject.kind != "instance" || step.to.is_null()) continue;
      const double after = score();
      const std::vector<std::string> failing = failing_nodes();
      if (!step.system.is_map()) step.system = Value::map();
      step.system.set("score_after", after).set("n_plus_one", failing.empty());
      step.detail =
          fmt::format("score {} -> {}; {}", fixed(before, 8), fixed(after, 8),
                      failing.empty() ? std::string("N+1 holds on all nodes")
                                      : fmt::format("N+1 fails on {}", fmt::join(failing, ", ")));
    }
  }

 private:
  [[nodiscard]] double score() const {
    return full_score(state_.cluster(), state_.state(), scene_.part.nodes);
  }
  [[nodiscard]] std::vector<std::string> failing_nodes() const {
    std::vector<std::string> names;
    for (const NodeId id : scene_.part.nodes) {
      const Node& node = state_.cluster()[id];
      if (!node.is_offline && state_.state()[id].fails_n1) names.push_back(node.name);
    }
    return names;
  }

  const PlanScene& scene_;
  PlanState state_;
};

void tell_left_out(const plan::Plan& plan, const std::vector<plan::StepProblem>& left_out,
                   plan::Plan& rest) {
  for (const plan::StepProblem& one : left_out) {
    const plan::Step& step = plan.steps[static_cast<std::size_t>(one.step) - 1];
    rest.deferred.push_back({"LEFT_OUT", fmt::format("step {} ({} {}): {}", one.step, step.action,
                                                     step.subject.name, one.problem.text)});
  }
  if (!left_out.empty()) {
    rest.warnings.push_back(
        {"LEFT_OUT",
         plan::Severity::Warning,
         fmt::format("{} cannot be made any more and {} left out", counted(left_out.size(), "step"),
                     of_count(left_out.size(), "is", "are")),
         {},
         {}});
  }
}

/// Is what is left still worth its cost? `promised`: the score that the plan led to.
void tell_worth(std::optional<double> promised, plan::Plan& rest) {
  if (!rest.score || rest.steps.empty()) return;
  const double before = rest.score->before;
  const double after = rest.score->after;
  std::string text =
      fmt::format("score {} now, {} after what is left", fixed(before, 8), fixed(after, 8));
  if (promised) text += fmt::format(" ({} when planned)", fixed(*promised, 8));
  rest.notes.push_back({"WORTH", std::move(text)});
  if (after < before) return;
  rest.warnings.push_back({"NOT_WORTH_IT",
                           plan::Severity::Warning,
                           fmt::format("what is left does not lower the score any more ({} -> {}): "
                                       "plan anew",
                                       fixed(before, 8), fixed(after, 8)),
                           {},
                           {}});
}

}  // namespace

PlanOrProblems remaining_plan(const plan::Plan& plan, const PlanScene& scene, int made,
                              bool is_strict) {
  const Start start{scene.snapshot.cluster, scene.snapshot.state};
  PlanProgress progress = progress_of(start.cluster, start.state, plan, made);
  if (is_strict && !progress.problems.empty()) return tl::unexpected(std::move(progress.problems));
  Rest rest = rest_after(plan, progress.is_done);
  std::vector<plan::StepProblem> left_out;
  if (!is_strict) left_out = leave_out_what_fails(rest, scene);
  if (!left_out.empty() && rest.plan.steps.empty()) return tl::unexpected(std::move(left_out));
  auto problems = complete(rest.plan, scene, start, scene.force);
  if (!problems.empty()) return tl::unexpected(renamed(std::move(problems), rest.numbers));
  std::ranges::stable_sort(left_out, {}, &plan::StepProblem::step);
  tell_left_out(plan, left_out, rest.plan);
  if (rest.plan.score) {
    tell_worth(plan.score ? std::optional(plan.score->after) : std::nullopt, rest.plan);
    Worth(scene, rest.plan);
  }
  return std::move(rest.plan);
}

PlanOrProblems plan_back(const plan::Plan& plan, const PlanScene& scene, int made_steps) {
  const Cluster& cluster = scene.snapshot.cluster;
  PlanProgress progress = progress_of(cluster, scene.snapshot.state, plan, made_steps);
  if (!progress.problems.empty()) return tl::unexpected(std::move(progress.problems));
  const bool is_untouched = std::ranges::none_of(progress.is_done, [](bool done) { return done; });
  Start start{cluster, scene.snapshot.state};
  plan::Plan made = plan;
  if (is_untouched) {
    PlanState state(cluster, scene.snapshot.state, scene.part.nodes, scene.force, plan);
    if (auto report = plan::replay(plan, state); !report.problems.empty())
      return tl::unexpected(std::move(report.problems));
    start = {state.cluster(), state.state()};
  } else {
    plan::keep_steps(made, progress.is_done);
  }
  auto back = reversed_plan(cluster, made);
  if (!back) return back;
  back->options = plan.options;
  back->score = plan.score;
  back->notes.push_back(
      {"UNDO", is_untouched ? "no step is made yet: this is the way back from the end of the plan"
                            : "takes back the steps that are made already"});
  std::vector<int> numbers;
  for (const plan::Step& step : plan.steps) {
    if (is_untouched || progress.is_done[static_cast<std::size_t>(step.n) - 1])
      numbers.insert(numbers.begin(), step.n);
  }
  auto problems = complete(*back, scene, start, scene.force);
  if (problems.empty()) return back;
  // The state that the plan left may have been against policy itself: then so is the way back.
  if (auto hard = complete(*back, scene, start, true); !hard.empty()) {
    return tl::unexpected(renamed(std::move(hard), numbers));
  }
  for (const plan::StepProblem& problem : problems) {
    const plan::Step& step = back->steps[static_cast<std::size_t>(problem.step) - 1];
    back->warnings.push_back({"AGAINST_POLICY",
                              plan::Severity::Warning,
                              "without --ignore-soft-errors this step " + problem.problem.text,
                              {step.n},
                              step.subject});
  }
  return back;
}

tl::expected<Snapshot, std::vector<plan::StepProblem>> snapshot_after(const plan::Plan& plan,
                                                                      const PlanScene& scene,
                                                                      int made) {
  const Snapshot& now = scene.snapshot;
  PlanProgress progress = progress_of(now.cluster, now.state, plan, made);
  if (!progress.problems.empty()) return tl::unexpected(std::move(progress.problems));
  Rest rest = rest_after(plan, progress.is_done);
  PlanState state(now.cluster, now.state, scene.part.nodes, scene.force, rest.plan);
  auto report = plan::replay(rest.plan, state);
  if (!report.problems.empty())
    return tl::unexpected(renamed(std::move(report.problems), rest.numbers));
  Snapshot after = now;
  after.cluster = state.cluster();
  after.state = state.state();
  // What a node reports as free goes with its instances; what its records do not explain stays.
  for (std::size_t n = 0; n < after.cluster.nodes.size(); ++n) {
    after.cluster.nodes[n].free_mem += now.state.nodes[n].inst_mem - after.state.nodes[n].inst_mem;
  }
  return after;
}

}  // namespace ballast::ganeti::cli
