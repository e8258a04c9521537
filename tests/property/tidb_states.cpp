// SPDX-License-Identifier: BSD-2-Clause
// Every state that a plan passes through is a snapshot like any other: planning again from it holds
// on replay, is blocked by nothing that the first plan did not name, and comes to the same end; and
// so does planning from the files that --write-state writes. Blocks may be new in two cases. A
// store is Offline: the first plan takes its pod as well after the restart, a state in the middle
// shows that PD is not done with it. And a failover ends in the middle: its pods go, which the
// first plan could not know. In the middle of a phase of groups one group is ahead of the others,
// and what they do next may fall together. A failure prints its seed and a smaller pair.
#include "ballast/tidb/cli/write_state.hpp"
#include "ballast/tidb/search/replay/after_steps.hpp"
#include "ballast/tidb/search/replay/replay.hpp"
#include "support/seeds.hpp"
#include "support/tidb_cluster.hpp"
#include "support/tidb_pairs.hpp"

#include <set>
#include <string>

namespace {

using namespace ballast::tidb;
using namespace ballast::tidb::test;
using ballast::Random;

std::set<std::string> blocks_of(const Outcome& outcome) {
  std::set<std::string> codes;
  for (const Line& step : outcome.steps) {
    if (step.action == Action::Blocked) codes.insert(step.code);
  }
  return codes;
}

/// The end of planning on until nothing is left to do: a failover that ends leaves more to do.
std::string settled_end(Input state) {
  for (int round = 0; round < 5; ++round) {
    const Outcome outcome = plan_steps(state);
    if (outcome.steps.empty()) break;
    state = after_steps(state, outcome, outcome.steps.size());
  }
  return end_of(state);
}

/// What the first plan said.
struct First {
  std::set<std::string> known;  // its blocks
  std::string end;
  bool inside_a_phase = false;  // whether the state is one
};

/// What is wrong with planning on from `state`.
std::string problem_of_state(const Input& state, const First& first) {
  const std::set<std::string>& known = first.known;
  const std::string& end = first.end;
  const Outcome outcome = plan_steps(state);
  const std::string steps = "\n" + brief(outcome);
  for (const std::string& line : lines_of(replay(state, outcome))) return line + steps;
  const std::set<std::string> blocks = blocks_of(outcome);
  const bool leaves = std::ranges::any_of(
      state.live.stores, [](const Store& store) { return store.state == StoreState::Offline; });
  const bool ends = std::ranges::any_of(
      outcome.steps, [](const Line& step) { return step.action == Action::FailoverClear; });
  // What other groups do at the same time may have been the block: what came after it shows now.
  const bool was_together = state.options.profile == Profile::V2 && known.contains("U-PD-QUORUM") &&
                            !blocks.contains("U-PD-QUORUM");
  const bool falls_together = first.inside_a_phase && blocks.contains("U-PD-QUORUM");
  if (was_together || falls_together) return "";
  for (const std::string& code : blocks) {
    if ((leaves && code == "B-UPGRADED-NOT-WELL") || (!known.contains(code) && ends)) return "";
    // A PD that is down is named by what waits for it, or by itself where nothing waits any longer.
    const bool same = code == "B-PD-NO-QUORUM" && known.contains("B-COMPONENT-DOWN");
    if (!known.contains(code) && !same) return code + " is new" + steps;
  }
  // With what changed before it in the past, a template goes along with a failure record; behind a
  // block that shows in the end.
  const bool marks = std::ranges::any_of(
      outcome.steps, [](const Line& step) { return step.action == Action::FailoverMark; });
  if (marks && !blocks.empty()) return "";
  if (blocks != known) return "";
  const std::string other = settled_end(state);
  return other == end ? "" : "it ends otherwise:\n" + other + "and not\n" + end + steps;
}

LoadRequest request_of(Random& random, std::int64_t size, PlanOptions& options) {
  const std::int64_t kind = random.between(0, 2);
  LoadRequest request;
  if (kind == 2) {
    const Groups before = random_groups(random, size);
    const bool constrained = random.chance(70);
    return request_for(groups_of(before, constrained),
                       groups_of(changed(random, before, size), constrained));
  }
  const Cluster before = random_cluster(random, size);
  const Cluster after = changed(random, before, size);
  if (kind == 1) {
    const ObjectStyle style{random.chance(50), random.between(0, 3), random.chance(30)};
    request =
        request_for(object_of(before, style) + status_of(random, before), object_of(after, style));
    options.auto_failover = random.chance(85);
    if (random.chance(30)) request.pd = pd_of(random, pods_of(before));
  } else {
    request = request_for(values_of(before), values_of(after));
    request.pd = pd_of(random, pods_of(before));
    options.set_order = random.chance(30);
    options.ramp = random.chance(30);
  }
  if (random.chance(50)) request.kube = kube_of(random, before);
  request.profile = random.chance(70) ? Profile::V16 : Profile::V10;
  return request;
}

/// The same from the files of a state.
std::string problem_of_files(const LoadRequest& request, const Input& state,
                             const PlanOptions& options, const First& first, std::string& shown) {
  const auto loaded = load(request);
  const auto files =
      state_files(state, loaded->current_documents, loaded->desired_documents, request);
  if (!files) return "its files: " + to_string(files.error().front());
  LoadRequest again;
  again.profile = request.profile;
  again.profile_given = request.profile_given;
  again.nodes = request.nodes;
  for (const auto& [name, text] : *files) {
    shown += "--- " + name + "\n" + text;
    auto& into = name == "current.yaml"   ? again.current
                 : name == "desired.yaml" ? again.desired
                 : name == "kube.json"    ? again.kube
                                          : again.pd;
    into.push_back({name, text});
  }
  if (const std::string errors = errors_of(again); !errors.empty())
    return "its files are refused: " + errors;
  const Input read = input_from(again, options);
  if (const std::string there = end_of(read); there != end_of(state))
    return "its files say\n" + there + "and not\n" + end_of(state);
  const std::string steps = brief(plan_steps(state));
  if (const std::string from_files = brief(plan_steps(read)); from_files != steps)
    return "its files lead to\n" + from_files + "and not to\n" + steps;
  return problem_of_state(read, first);
}

std::string problem_of(std::uint64_t seed, std::int64_t size, std::string& pair) {
  Random random(seed);
  PlanOptions options;
  options.now = 1000000;
  const LoadRequest request = request_of(random, size, options);
  options.allow_unsafe = random.chance(20);
  pair = request.current[0].text + "======\n" + request.desired[0].text;
  for (const auto* texts : {&request.pd, &request.kube}) {
    for (const SourceText& text : *texts) pair += "--- " + text.text + "\n";
  }
  if (const std::string errors = errors_of(request); !errors.empty()) return "refused: " + errors;
  const Input input = input_from(request, options);
  const Outcome outcome = plan_steps(input);
  First first{blocks_of(outcome), settled_end(input), false};
  const std::size_t with_files = outcome.steps.empty() ? 0 : random.below(outcome.steps.size() + 1);
  for (std::size_t n = 0; n <= outcome.steps.size(); ++n) {
    const Input state = after_steps(input, outcome, n);
    first.inside_a_phase = n > 0 && n < outcome.steps.size() && outcome.steps[n].phase > 0 &&
                           outcome.steps[n - 1].phase == outcome.steps[n].phase;
    std::string problem = problem_of_state(state, first);
    std::string files;
    if (problem.empty() && n == with_files)
      problem = problem_of_files(request, state, options, first, files);
    if (problem.empty()) continue;
    pair += files;
    return fmt::format("after {} lines: {}\nof\n{}", n, problem, brief(outcome));
  }
  return "";
}

}  // namespace

int main(int argc, char** argv) { return for_seeds(argc, argv, 300, problem_of); }
