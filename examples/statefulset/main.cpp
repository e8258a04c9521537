// SPDX-License-Identifier: BSD-2-Clause
// A planner for plain StatefulSets on the layer for operators: see docs/adding-an-operator.md.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "ballast/core/words.hpp"
#include "ballast/kube/objects.hpp"
#include "ballast/operators/cli/planner.hpp"
#include "ballast/operators/cli/sides.hpp"
#include "ballast/operators/input/map_reader.hpp"
#include "ballast/operators/plan/kube_gates.hpp"
#include "ballast/operators/plan/pod_state.hpp"
#include "ballast/operators/plan/trace.hpp"
#include "ballast/operators/plan/ways_out.hpp"

namespace ballast::statefulset {
namespace {

using doc::Tree;
using Way = operators::WayOut<struct Input>;

constexpr operators::Program kProgram{"statefulset-plan", "S020", "S015"};

struct Shape {
  std::int64_t replicas = 1, partition = 0, first = 0;  // pods first .. first + replicas - 1
  bool is_parallel = false, on_delete = false, deletes_claims = false;
  Tree pods, claims;  // the two templates

  [[nodiscard]] bool wants(std::int64_t pod) const {
    return pod >= first && pod < first + replicas;
  }
};

struct Pod {
  bool is_new = true;  // made from the wished template
  bool is_ready = true;
};

struct Input {
  std::string name, name_space, revision;
  Shape current, desired;
  std::map<std::int64_t, Pod> pods;
  std::set<std::string> claims;
  std::vector<kube::Budget> budgets;  // of these pods
  std::int64_t lowered = 0;           // by so much, in a trial
  operators::CommonSettings asked;

  [[nodiscard]] std::int64_t least() const {
    return kube::least_of(budgets, desired.replicas) - lowered;
  }
};

Shape read_shape(const Tree& object, const operators::ReadContext& context) {
  Shape shape;
  operators::MapReader spec(object.find("spec"), "spec", context);
  spec.integer("replicas", shape.replicas, 0, 10'000);
  shape.is_parallel = spec.one_of("podManagementPolicy", {"OrderedReady", "Parallel"}) == 1U;
  auto strategy = spec.map("updateStrategy");
  shape.on_delete = strategy.one_of("type", {"RollingUpdate", "OnDelete"}) == 1U;
  auto rolling = strategy.map("rollingUpdate");
  rolling.integer("partition", shape.partition, 0);
  auto ordinals = spec.map("ordinals");
  ordinals.integer("start", shape.first, 0);
  auto retention = spec.map("persistentVolumeClaimRetentionPolicy");
  shape.deletes_claims = retention.one_of("whenScaled", {"Retain", "Delete"}) == 1U;
  retention.ignore({"whenDeleted"});
  if (const Tree* pods = spec.raw("template")) shape.pods = *pods;
  if (const Tree* claims = spec.raw("volumeClaimTemplates")) shape.claims = *claims;
  spec.ignore({"selector", "serviceName", "revisionHistoryLimit", "minReadySeconds"});
  for (operators::MapReader* part : {&rolling, &strategy, &ordinals, &retention, &spec})
    part->finish();
  return shape;
}

Input read_input(const operators::Sides& sides, const operators::CommonSettings& settings,
                 std::vector<Remark>& notes, operators::Diagnostics& errors) {
  operators::ReadContext context{&errors, &notes, nullptr, {"S004", "S005", "S009"}};
  Input input;
  input.name = text_at(sides.current, {"metadata", "name"});
  input.name_space = text_at(sides.current, {"metadata", "namespace"});
  input.revision = text_at(sides.current, {"status", "updateRevision"});
  input.desired = read_shape(sides.desired, context);
  context.notes = nullptr;  // said once
  input.current = read_shape(sides.current, context);
  input.asked = settings;
  const bool is_same = input.current.pods == input.desired.pods;
  const kube::Objects objects = kube::read_objects(sides.objects, {});
  for (const kube::Pod& pod : objects.pods) {
    const auto number = kube::ordinal_of(pod.meta.name);
    if (pod.owner != input.name || !number) continue;
    const auto revision = pod.meta.labels.find("controller-revision-hash");
    const bool is_newest = revision == pod.meta.labels.end() || revision->second == input.revision;
    input.pods[*number] = {is_same && is_newest, pod.is_ready().value_or(true)};
  }
  for (const kube::Claim& claim : objects.claims) input.claims.insert(claim.meta.name);
  const auto labels = kube::read_texts(input.desired.pods.at({"metadata", "labels"}));
  for (const kube::Budget& budget : objects.budgets) {
    if (budget.covers(labels)) input.budgets.push_back(budget);
  }
  if (!input.pods.empty()) return input;
  notes.push_back({"PODS_ASSUMED", "no pods were given: all are taken for ready"});
  for (std::int64_t i = 0; i < input.current.replicas; ++i)
    input.pods[input.current.first + i] = {is_same, true};
  return input;
}

class Search {
 public:
  explicit Search(Input input) : input_(std::move(input)), gates_(input_.name_space) {}

  plan::Plan run() {
    if (is_allowed()) write_template();
    if (!trace_.is_blocked() && create() && remove()) restart();
    trace_.finish();
    return std::move(plan_);
  }

 private:
  [[nodiscard]] plan::Subject pod(std::int64_t i) const {
    return {"pod", fmt::format("{}-{}", input_.name, i), input_.name};
  }

  [[nodiscard]] plan::Subject set() const { return {"statefulset", input_.name, ""}; }

  bool is_allowed() {
    const bool is_kept = input_.current.claims == input_.desired.claims &&
                         input_.current.is_parallel == input_.desired.is_parallel;
    if (!is_kept)
      trace_.block({"B-IMMUTABLE", set(), "claim templates and podManagementPolicy stay"});
    return is_kept;
  }

  void write_template() {
    if (input_.current.pods == input_.desired.pods) return;
    plan::Step& step =
        trace_.emit("update-template", set(), {"TEMPLATE_CHANGED", "the pod template changes"});
    step.done_when = {gates_.has_new_revision(input_.name, input_.revision)};
    if (input_.desired.on_delete)
      plan_.notes.push_back({"ON_DELETE", "pods take the new template when somebody deletes them"});
  }

  /// Where pods are managed in order, all of them have to be ready before anything happens to one.
  bool is_turn_of(std::int64_t i, bool is_restart) {
    for (auto& [other, state] : input_.pods) {
      const bool holds = input_.desired.is_parallel ? is_restart && state.is_new && other > i
                                                    : other < i || input_.desired.wants(other);
      if (state.is_ready || !holds) continue;
      if (input_.asked.assume_healthy) {
        trace_.wait(fmt::format("{} is Ready", pod(other).name));
        state.is_ready = true;
        continue;
      }
      trace_.block({"B-NOT-READY", pod(other), "Ready, before the next pod", "Ready", "not Ready"});
      return false;
    }
    return true;
  }

  /// The controller does not ask a budget, so the planner does.
  bool has_budget_for(std::int64_t i) {
    const auto left = std::ranges::count_if(
        input_.pods, [i](const auto& one) { return one.first != i && one.second.is_ready; });
    if (left >= input_.least() || !input_.pods[i].is_ready) return true;
    trace_.refuse({"U-BUDGET", pod(i), "the budget's pods are there", input_.least(), left},
                  input_.asked.allow_unsafe);
    return !trace_.is_blocked();
  }

  bool create() {
    for (std::int64_t i = input_.desired.first; input_.desired.wants(i); ++i) {
      if (input_.pods.contains(i)) continue;
      if (!is_turn_of(i, false)) return false;
      const plan::CodedText reason{"SCALE_OUT",
                                   fmt::format("{} replicas", input_.desired.replicas)};
      const bool is_beside = input_.desired.is_parallel && i > input_.desired.first;
      plan::Step& step = trace_.emit("create-pod", pod(i), reason, is_beside);
      step.done_when = {gates_.pod_is_ready(pod(i).name)};
      trace_.wait(fmt::format("{} is Ready", pod(i).name));
      for (const Tree& claim : input_.desired.claims.items()) {
        const std::string name = text_at(claim, {"metadata", "name"}) + "-" + pod(i).name;
        if (input_.claims.contains(name))
          plan_.notes.push_back({"CLAIM_REUSED", name + " is there: the pod starts with its data"});
      }
      input_.pods[i] = {};
    }
    return true;
  }

  bool remove() {
    while (!input_.pods.empty() && !input_.desired.wants(input_.pods.rbegin()->first)) {
      const std::int64_t i = input_.pods.rbegin()->first;
      if (!is_turn_of(i, false) || !has_budget_for(i)) return false;
      plan::Step& step = trace_.emit("delete-pod", pod(i), {"SCALE_IN", "fewer replicas"});
      step.done_when = {gates_.gone("pod", pod(i).name)};
      if (input_.desired.deletes_claims)
        step.risks.push_back({"CLAIMS_DELETED", "its claims go with it, and their data"});
      trace_.wait(fmt::format("{} is gone", pod(i).name));
      input_.pods.erase(i);
    }
    return true;
  }

  void restart() {
    if (input_.desired.on_delete) return;
    for (auto one = input_.pods.rbegin(); one != input_.pods.rend(); ++one) {
      const auto i = one->first;
      if (one->second.is_new || i < input_.desired.partition) continue;
      if (!is_turn_of(i, true) || !has_budget_for(i)) return;
      plan::Step& step = trace_.emit("restart-pod", pod(i), {"TEMPLATE_CHANGED", "older template"});
      step.done_when = {gates_.runs_newest(pod(i).name, input_.name),
                        gates_.pod_is_ready(pod(i).name)};
      step.unprotected.push_back({"pod", pod(i).name, step.n});
      trace_.wait(fmt::format("{} is Ready", pod(i).name));
      one->second = {};
    }
  }

  Input input_;
  operators::KubeGates gates_;
  plan::Plan plan_;
  operators::Trace trace_{plan_};
};

std::vector<Way> ways_out(const Input& input, const plan::Blocked& block) {
  const std::string kubectl = operators::KubeGates(input.name_space).kubectl();
  const std::string& name = block.subject.name;
  const std::int64_t number = kube::ordinal_of(name).value_or(0);
  if (block.code == "B-IMMUTABLE")
    return {{{.text = "delete the StatefulSet without its pods, then apply the wished one",
              .loss = plan::Loss::Effort,
              .commands = {kubectl + "delete statefulset " + input.name + " --cascade=orphan"}},
             [](Input& changed) {
               changed.current.claims = changed.desired.claims;
               changed.current.is_parallel = changed.desired.is_parallel;
             }}};
  if (block.code == "B-NOT-READY")
    return {{{.text = "make " + name + " ready", .commands = {kubectl + "describe pod " + name}},
             [number](Input& changed) { changed.pods[number].is_ready = true; }},
            {{.text = "delete " + name + " by hand: it is made again from the newest template",
              .loss = plan::Loss::Effort,
              .commands = {kubectl + "delete pod " + name}},
             [number](Input& changed) { changed.pods[number] = {}; }}};
  return {{{.text = "one more pod",
            .loss = plan::Loss::Effort,
            .set = {fmt::format("replicas={}", input.desired.replicas + 1)}},
           [](Input& changed) { ++changed.desired.replicas; }},
          {{.text = "a budget of one pod less", .loss = plan::Loss::Redundancy},
           [](Input& changed) { ++changed.lowered; }}};
}

operators::Answer answer(const operators::CommonSettings& settings, cli::Streams& streams) {
  operators::Diagnostics errors;
  const auto sides =
      operators::load_sides(settings, "StatefulSet", {"S001", "S002", "S018"}, errors);
  std::vector<Remark> notes;
  const Input input = read_input(sides, settings, notes, errors);
  if (!errors.empty()) return tl::unexpected(errors.told());
  plan::Plan plan = Search(input).run();
  operators::add_remedies(
      plan, input, [&](const plan::Blocked& block) { return ways_out(input, block); },
      [](const Input& changed) { return Search(changed).run(); });
  operators::fill_head(plan, sides, settings, notes);
  plan.headline = fmt::format("{}: {} to {} pods, {}", input.name, input.pods.size(),
                              input.desired.replicas, counted(plan.totals.steps, "step"));
  std::map<std::string, bool> ready;
  for (const auto& [i, pod] : input.pods) ready[fmt::format("{}-{}", input.name, i)] = pod.is_ready;
  operators::PodState state(std::move(ready), std::max<std::int64_t>(input.least(), 1));
  return operators::replay_and_present(kProgram, settings, std::move(plan), state, streams);
}

}  // namespace

int run(const cli::Invocation& invocation, cli::Streams& streams) {
  operators::CommonSettings settings;
  const operators::Planner planner{
      kProgram,
      {"statefulset-plan",
       "statefulset-plan plan --current FILE [OPTION...]",
       "Plans what the StatefulSet controller does. Reads files, changes nothing.",
       {},
       {{"plan", "every step, with its reason and what it waits for"}}},
      operators::common_options(
          settings,
          {"the StatefulSet as it is, with status", "the StatefulSet as wished, or a patch of it",
           "pods,pvc,poddisruptionbudgets"},
          {"plan"}),
      &settings,
      [&](const std::string&, cli::Streams& to) { return answer(settings, to); }};
  return operators::run(planner, invocation, streams);
}

}  // namespace ballast::statefulset

int main(int argc, char** argv) {
  return ballast::cli::run_main(argc, argv, ballast::statefulset::run);
}
