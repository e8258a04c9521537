// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/delivery/plan_check.hpp"

#include "ballast/core/decimal.hpp"
#include "ballast/ganeti/cli/sources/allocator_source.hpp"
#include "ballast/ganeti/cli/sources/load.hpp"
#include "ballast/ganeti/model/fingerprint.hpp"
#include "ballast/ganeti/score/metrics.hpp"
#include "ballast/ganeti/search/planning/builder.hpp"
#include "ballast/ganeti/search/planning/replay.hpp"
#include "ballast/plan/drift.hpp"
#include "ballast/plan/replay.hpp"
#include "ballast/plan/select.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

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
  /// Steps with something at stake never reach `apply`: the states are then not those of the plan.
  [[nodiscard]] std::vector<std::string> at_stake(const plan::Step& step) override {
    auto names = state_.at_stake(step);
    if (!names.empty()) is_on_track_ = false;
    return names;
  }
  [[nodiscard]] std::vector<plan::Margin> margins() const override { return state_.margins(); }

 private:
  PlanState& state_;
  const PlanScene& scene_;
  bool is_on_track_ = true;
};

/// Passes over the steps that are made.
class RestState final : public plan::ReplayState {
 public:
  RestState(plan::ReplayState& state, const std::vector<bool>& is_done)
      : state_(state), is_done_(is_done) {}
  std::optional<plan::Problem> apply(const plan::Step& step) override {
    return is_done(step) ? std::nullopt : state_.apply(step);
  }
  [[nodiscard]] std::vector<std::string> at_stake(const plan::Step& step) override {
    return is_done(step) ? std::vector<std::string>{} : state_.at_stake(step);
  }
  [[nodiscard]] std::vector<plan::Margin> margins() const override { return state_.margins(); }

 private:
  [[nodiscard]] bool is_done(const plan::Step& step) const {
    return is_done_[static_cast<std::size_t>(step.n) - 1];
  }

  plan::ReplayState& state_;
  const std::vector<bool>& is_done_;
};

/// The inventory that the made steps leave behind, where nothing else happens.
Value expected_objects(const plan::Plan& plan, const std::vector<bool>& is_done) {
  const Value* known = plan.objects.find("instance");
  std::map<std::string, Value> instances;
  std::vector<std::string> order;
  const auto note = [&](const std::string& name, Value figures) {
    if (instances.insert_or_assign(name, std::move(figures)).second) order.push_back(name);
  };
  if (known != nullptr && known->is_map()) {
    for (const auto& [name, figures] : *known->get<ValueMap>()) note(name, figures);
  }
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const plan::Step& step = plan.steps[i];
    if (step.subject.kind != "instance" || !step.from.is_map() || !step.to.is_map()) continue;
    const auto before = instances.find(step.subject.name);
    if (before == instances.end()) note(step.subject.name, step.from);
    if (!is_done[i]) continue;
    Value& figures = instances.at(step.subject.name);
    for (const auto& [key, node] : *step.to.get<ValueMap>()) figures.set(key, node);
  }
  Value all = Value::map();
  for (const std::string& name : order) all.set(name, instances.at(name));
  return Value::map().set("instance", std::move(all));
}

/// The nodes as they were without the made steps: what differs then from the plan's start, these
/// did not do. As they are where the steps cannot be taken back.
Value summary_without(const plan::Plan& plan, const PlanScene& scene,
                      const std::vector<bool>& is_done) {
  const Snapshot& now = scene.snapshot;
  plan::Plan made = plan;
  plan::keep_steps(made, is_done);
  if (!made.steps.empty()) {
    if (const auto back = reversed_plan(now.cluster, made)) {
      PlanState state(now.cluster, now.state, scene.part.nodes, true, *back);
      if (plan::replay(*back, state).problems.empty())
        return node_summary(state.cluster(), state.state(), scene.part);
    }
  }
  return node_summary(now.cluster, now.state, scene.part);
}

/// A plan without an inventory (an old one) knows only the instances of its steps.
std::vector<plan::Drift> object_drift(const plan::Plan& plan, const PlanScene& scene,
                                      const std::vector<bool>& is_done) {
  const Value found = instance_inventory(scene.snapshot.cluster, scene.snapshot.state, scene.part);
  std::vector<plan::Drift> drifts = plan::find_object_drift(expected_objects(plan, is_done), found);
  const bool has_inventory = plan.objects.find("instance") != nullptr;
  std::erase_if(drifts, [&](const plan::Drift& drift) {
    if (has_inventory) return false;
    return drift.planned.is_null();
  });
  return drifts;
}

/// A plan of hail and its document: read as hail reads it, each instance attached once. (As a
/// source of the other tools, documents keep the reference's double attachment.)
OrExit<Snapshot> read_as_answered(const Settings& settings, Output& output) {
  const LoadSettings& load = settings.load;
  if (load.utilisation_file || load.monitoring || load.monitoring_file ||
      !load.exclusion_prefixes.empty()) {
    return tl::unexpected(
        output.wrong_usage("-I with a plan of hail takes no --dynu-file, --mond, --mond-data or "
                           "--exclusion-tags"));
  }
  auto document = read_request_file(*settings.source.allocator_file, load, {}, output);
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
  if (const auto unique = need_unique_names(*snapshot, output); !unique)
    return tl::unexpected(unique.error());
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
  report::PlanCheck check;
  check.fingerprint = scene.fingerprint;
  const PlanProgress progress = progress_of(snapshot.cluster, snapshot.state, plan);
  check.drifts = plan::find_drift(plan.before, summary_without(plan, scene, progress.is_done));
  check.objects = object_drift(plan, scene, progress.is_done);
  plan::Plan left = plan;
  for (std::size_t i = 0; i < progress.is_done.size(); ++i) {
    if (!progress.is_done[i]) continue;
    check.made.push_back(plan.steps[i].n);
    left.steps[i].unprotected.clear();
  }
  PlanState state = state_of(scene, plan);
  ScoredState scored(state, scene);
  const bool is_same = plan.fingerprint == scene.fingerprint;
  RestState rest(is_same ? static_cast<plan::ReplayState&>(scored) : state, progress.is_done);
  plan::ReplayReport replayed = plan::replay(left, rest);
  check.problems = std::move(replayed.problems);
  check.weakest = plan::weakest_moments(left, std::move(replayed.weakest));
  return check;
}

}  // namespace ballast::ganeti::cli
