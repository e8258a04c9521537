// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/plan_check.hpp"

#include "ballast/core/decimal.hpp"
#include "ballast/core/version.hpp"
#include "ballast/ganeti/cli/allocator_source.hpp"
#include "ballast/ganeti/cli/load.hpp"
#include "ballast/ganeti/model/fingerprint.hpp"
#include "ballast/ganeti/score/metrics.hpp"
#include "ballast/ganeti/search/planning/node_step.hpp"
#include "ballast/ganeti/search/planning/builder.hpp"
#include "ballast/ganeti/search/planning/replay.hpp"
#include "ballast/plan/drift.hpp"
#include "ballast/plan/replay.hpp"
#include "ballast/plan/select.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::ganeti::cli {
namespace {

PlanState state_of(const PlanScene& scene, const plan::Plan& plan) {
  return {scene.snapshot.cluster, scene.snapshot.state, scene.part.nodes, scene.force, plan};
}

/// With the same snapshot the score after each step must be the one that the plan tells.
std::optional<plan::Problem> score_problem(const plan::Step& step, double score) {
  const Value* told = step.system.find("score_after");
  const auto* number = told == nullptr ? nullptr : told->get<double>();
  if (number == nullptr || *number == score) return std::nullopt;
  return plan::Problem{
      plan::ProblemKind::BrokenRule,
      fmt::format("gives the score {}, the plan says {}", shown(score), shown(*number))};
}

/// Looks at the score between the steps.
class ScoredState final : public plan::ReplayState {
 public:
  ScoredState(PlanState& state, const PlanScene& scene) : state_(state), scene_(scene) {}
  std::optional<plan::Problem> apply(const plan::Step& step) override {
    auto problem = state_.apply(step);
    // From a step that was left out on, the states are not those of the plan.
    if (problem) is_on_track_ = false;
    if (!is_on_track_ || step.subject.kind != "instance") return problem;
    return score_problem(step, full_score(state_.cluster(), state_.state(), scene_.part.nodes));
  }
  [[nodiscard]] std::vector<plan::Margin> margins() const override { return state_.margins(); }

 private:
  PlanState& state_;
  const PlanScene& scene_;
  bool is_on_track_ = true;
};

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

}  // namespace

namespace {

/// A plan of hail and its document: read as hail reads it, each instance attached once. (As a
/// source of the other tools, documents keep the reference's double attachment.)
OrExit<Snapshot> read_as_answered(const Settings& settings, Output& output) {
  const LoadSettings& load = settings.load;
  if (load.utilisation_file || load.monitoring || load.monitoring_file ||
      !load.exclusion_prefixes.empty()) {
    return tl::unexpected(
        output.fail("hplan: -I with a plan of hail takes no --dynu-file, --mond, --mond-data or "
                    "--exclusion-tags\n"));
  }
  auto document = read_request_file(*settings.source.allocator_file, load, false, output);
  if (!document) return tl::unexpected(document.error());
  return std::move(document->snapshot);
}

OrExit<Snapshot> read_snapshot(const plan::Plan& plan, const Settings& settings, Output& output) {
  const SourceSettings& source = settings.source;
  const bool is_only_document = source.allocator_file && !source.text_file && !source.luxi_socket &&
                                source.rapi_address.empty();
  const bool is_answer = plan.options.find("request") != nullptr;
  return is_only_document && is_answer ? read_as_answered(settings, output)
                                       : load_snapshot(settings, output);
}

}  // namespace

OrExit<PlanScene> load_scene(const plan::Plan& plan, const Settings& settings, Output& output) {
  auto snapshot = read_snapshot(plan, settings, output);
  if (!snapshot) return tl::unexpected(snapshot.error());
  if (const auto limited = apply_limits(*snapshot, settings.limits, output); !limited)
    return tl::unexpected(limited.error());
  std::optional<std::string> group = settings.tool.group;
  const Value* planned_group = plan.cluster.find("group");
  if (!group && planned_group != nullptr && planned_group->is_string())
    group = *planned_group->get<std::string>();
  Part part = whole_part(snapshot->cluster);
  if (group) {
    const auto chosen = choose_group(*snapshot, group, output);
    if (!chosen) return tl::unexpected(chosen.error());
    part = *chosen;
  }
  const Value* forced = plan.options.find("ignore-soft-errors");
  const bool force =
      settings.balance.ignore_soft_errors || (forced != nullptr && *forced == Value(true));
  std::string mark = fingerprint(snapshot->cluster, snapshot->state);
  return PlanScene{std::move(*snapshot), std::move(part), std::move(mark), force};
}

report::PlanCheck check_plan(const plan::Plan& plan, const PlanScene& scene) {
  const Snapshot& snapshot = scene.snapshot;
  PlanState state = state_of(scene, plan);
  ScoredState scored(state, scene);
  const bool is_same = plan.fingerprint == scene.fingerprint;
  plan::ReplayReport replayed = is_same ? plan::replay(plan, scored) : plan::replay(plan, state);
  report::PlanCheck check;
  check.fingerprint = scene.fingerprint;
  check.drifts =
      plan::find_drift(plan.before, node_summary(snapshot.cluster, snapshot.state, scene.part));
  check.problems = std::move(replayed.problems);
  check.weakest = plan::weakest_moments(plan, std::move(replayed.weakest));
  return check;
}

PlanOrProblems remaining_plan(const plan::Plan& plan, const PlanScene& scene, int made) {
  PlanProgress progress = progress_of(scene.snapshot.cluster, scene.snapshot.state, plan, made);
  if (!progress.problems.empty()) return tl::unexpected(std::move(progress.problems));
  plan::Plan rest = plan;
  std::vector<int> numbers;
  std::vector<std::string> done;
  std::vector<bool> keep;
  for (const plan::Step& step : plan.steps) {
    const bool is_done = progress.is_done[static_cast<std::size_t>(step.n) - 1];
    keep.push_back(!is_done);
    if (is_done) {
      done.push_back(std::to_string(step.n));
    } else {
      numbers.push_back(step.n);
    }
  }
  plan::keep_steps(rest, keep);
  rest.headline.clear();
  rest.notes.push_back(
      {"RESUMED", done.empty() ? "no step is made yet"
                               : fmt::format("steps made already: {}", fmt::join(done, ", "))});
  auto problems =
      complete(rest, scene, {scene.snapshot.cluster, scene.snapshot.state}, scene.force);
  if (!problems.empty()) return tl::unexpected(renamed(std::move(problems), numbers));
  // Scores told by steps were those of the whole plan.
  if (!done.empty()) {
    for (plan::Step& step : rest.steps) {
      if (auto* facts = step.system.get<ValueMap>())
        std::erase_if(*facts, [](const auto& fact) { return fact.first == "score_after"; });
    }
  }
  return rest;
}

PlanOrProblems plan_back(const plan::Plan& plan, const PlanScene& scene, int made_steps) {
  const Cluster& cluster = scene.snapshot.cluster;
  PlanProgress progress = progress_of(cluster, scene.snapshot.state, plan, made_steps);
  if (!progress.problems.empty()) return tl::unexpected(std::move(progress.problems));
  const bool is_untouched = std::ranges::none_of(progress.is_done, [](bool done) { return done; });
  Start start{cluster, scene.snapshot.state};
  plan::Plan made = plan;
  if (is_untouched) {
    PlanState state = state_of(scene, plan);
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

}  // namespace ballast::ganeti::cli
