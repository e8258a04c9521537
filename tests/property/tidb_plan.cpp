// SPDX-License-Identifier: BSD-2-Clause
// Random pairs of clusters: every plan holds on replay, is the same twice, and leaves nothing to do
// for the wished side against itself; values survive the list form; the last stage means the wished
// file. A failure prints its seed and a smaller pair.
#include "ballast/plan/shape.hpp"
#include "ballast/tidb/backend/list_form.hpp"
#include "ballast/tidb/backend/stages.hpp"
#include "ballast/tidb/cli/to_plan.hpp"
#include "ballast/tidb/search/replay/replay.hpp"
#include "support/seeds.hpp"
#include "support/tidb_cluster.hpp"
#include "support/tidb_pairs.hpp"

#include <string>
#include <vector>

namespace {

using namespace ballast::tidb;
using namespace ballast::tidb::test;
using ballast::Random;

/// What is printed as --set must do what was tried when it is given.
std::string stuck_remedy(const LoadRequest& request, const PlanOptions& options,
                         const Outcome& outcome) {
  for (const Remedy& remedy : outcome.remedies) {
    // What needs a repair or a machine besides cannot be tried by --set alone.
    if (remedy.set.empty() || !remedy.stuck_at.empty() || !remedy.commands.empty()) continue;
    LoadRequest tried = request;
    for (const std::string& set : remedy.set) tried.sets.push_back(set);
    if (const std::string errors = errors_of(tried); !errors.empty())
      return "the remedy is refused: " + errors;
    const Input changed = input_from(tried, options);
    for (const Remark& remark : changed.desired.remarks) {
      if (remark.code == "W-UNKNOWN-KEY") return "it names no field: " + remark.text;
    }
    const Outcome again = plan_steps(changed);
    if (brief(again) == brief(outcome)) return "it is the case already: " + remedy.text;
    const Line* block = again.first_block();
    if (block != nullptr)
      return fmt::format("remedy {} stops at {}\n{}", remedy.text, block->code, brief(again));
  }
  return "";
}

/// What holds of every way out: ordered by what it loses, named with its cost, and never the data
/// of a store.
std::string harmful_remedy(const Input& input, const Outcome& outcome) {
  const Line* block = outcome.first_block();
  if (block == nullptr) return outcome.remedies.empty() ? "" : "a remedy without a block";
  if (!std::ranges::is_sorted(outcome.remedies, {}, &Remedy::loss))
    return "remedies are not in the order of what they lose";
  for (const Remedy& remedy : outcome.remedies) {
    if (remedy.cost.empty() && remedy.loss != ballast::plan::Loss::None &&
        remedy.loss != ballast::plan::Loss::Effort)
      return "no cost is named: " + remedy.text;
    for (const std::string& command : remedy.commands) {
      const bool deletes = command.find(" delete pvc ") != std::string::npos;
      const Store* store = input.live.store_of(block->object);
      const bool is_store = store != nullptr && store->state != StoreState::Tombstone;
      if (deletes && block->component == Component::Tikv && is_store)
        return "it gives away the data of a store: " + command;
    }
    for (const std::string& set : remedy.set) {
      const bool is_alone = remedy.snippet.empty() && remedy.set.size() == 1;  // no set instead
      if (is_alone && set.ends_with("replicas=0") && remedy.loss < ballast::plan::Loss::Redundancy)
        return "it takes all pods away for nothing: " + set;
    }
  }
  return "";
}

/// A set other than the one whose turn it is that a stage changes.
std::string stray_set(const Input& input, const std::pair<Component, std::string>& turn) {
  for (const Line& step : plan_steps(input).steps) {
    const bool aside = step.action == Action::LabelPods || step.action == Action::CreateService ||
                       step.action == Action::DeleteService || step.set.empty();
    if (!aside && std::pair(*step.component, step.set) != turn)
      return fmt::format("{}/{}", name_of(*step.component), step.set);
  }
  return "";
}

/// Each stage against the one before changes its own set alone, and the last is the wished state.
std::string problem_of_stages(const LoadRequest& request, const LoadRequest& settled,
                              const PlanOptions& options, const std::vector<Stage>& stages) {
  std::string before = request.current[0].text;
  LoadRequest staged = settled;
  for (const Stage& stage : stages) {
    staged.desired = {{"stage.yaml", ballast::doc::emit_yaml(stage.document)}};
    staged.current = {{"before.yaml", before}};
    if (const std::string refused = errors_of(staged); !refused.empty())
      return stage.name + " is refused: " + refused;
    const std::string stray = stray_set(input_from(staged, options), {stage.component, stage.set});
    if (!stray.empty()) return stage.name + " changes " + stray;
    before = staged.desired[0].text;
  }
  staged.current = settled.current;
  const std::string text = brief(plan_steps(input_from(staged, options)));
  return text.empty() ? "" : "the last stage is not the wished state:\n" + text;
}

std::string problem_of(std::uint64_t seed, std::int64_t size, std::string& pair) {
  Random random(seed);
  const Cluster before = random_cluster(random, size);
  const Cluster after = changed(random, before, size);
  LoadRequest request = request_for(values_of(before), values_of(after));
  request.pd = pd_of(random, pods_of(before));
  if (random.chance(50)) request.kube = kube_of(random, before);
  request.profile = random.chance(70) ? Profile::V16 : Profile::V10;
  PlanOptions options;
  options.now = 1000000;
  options.set_order = random.chance(30);
  options.ramp = random.chance(30);
  options.allow_unsafe = random.chance(20);
  pair = request.current[0].text + "---\n" + request.desired[0].text;
  for (const auto* texts : {&request.pd, &request.kube}) {
    for (const SourceText& text : *texts) pair += "--- " + text.text + "\n";
  }
  const auto loaded = load(request);
  if (!loaded) return "refused: " + to_string(loaded.error().front());
  const Input input = input_from(request, options);
  const Outcome outcome = plan_cluster(input);
  const auto replayed = replay(input, outcome);
  for (const std::string& line : lines_of(replayed)) return line + "\n" + brief(outcome);
  if (brief(plan_cluster(input)) != brief(outcome)) return "two plans of one input differ";
  const ballast::plan::Plan plan = to_plan(input, outcome, replayed.weakest, {});
  if (const auto flaws = ballast::plan::find_flaws(plan); !flaws.empty())
    return flaws.front().key + ": " + flaws.front().text + "\n" + brief(outcome);

  if (const std::string together = pods_at_once(plan, request.profile); !together.empty())
    return together + "\n" + brief(outcome);
  if (const std::string harm = harmful_remedy(input, outcome); !harm.empty())
    return harm + "\n" + brief(outcome);
  if (const std::string stuck = stuck_remedy(request, options, outcome); !stuck.empty())
    return stuck + "\n" + brief(outcome);

  LoadRequest same = request;
  same.current = {{"current.yaml", values_of(after)}};
  same.pd.clear();
  same.kube.clear();
  if (const std::string errors = errors_of(same); !errors.empty())
    return "the wished side is refused as current side: " + errors;
  if (const std::string text = brief(plan_steps(input_from(same, options))); !text.empty())
    return "wished against wished:\n" + text;

  Diagnostics errors;
  SpecOptions spec_options;
  const ballast::doc::Tree object = list_form(loaded->desired_documents, spec_options, errors);
  LoadRequest listed = same;
  listed.desired = {{"list.yaml", ballast::doc::emit_yaml(object)}};
  if (const std::string refused = errors_of(listed); !refused.empty())
    return "the list form is refused: " + refused;
  if (const std::string text = brief(plan_steps(input_from(listed, options))); !text.empty())
    return "values against their list form:\n" + text;

  std::vector<std::pair<Component, std::string>> order;
  for (const Line& step : outcome.steps) {
    const bool aside = !step.component || step.set.empty() || step.action == Action::LabelPods ||
                       step.action == Action::CreateService;
    if (aside) continue;
    const std::pair key{*step.component, step.set};
    if (std::find(order.begin(), order.end(), key) == order.end()) order.push_back(key);
  }
  const auto stages = make_stages(loaded->current_documents, loaded->desired_documents,
                                  spec_options, order, errors);
  if (const std::string problem = problem_of_stages(request, same, options, stages);
      !problem.empty())
    return problem;
  return errors.empty() ? "" : to_string(errors.sorted().front());
}

}  // namespace

int main(int argc, char** argv) { return for_seeds(argc, argv, 400, problem_of); }
