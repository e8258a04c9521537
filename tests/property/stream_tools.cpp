// SPDX-License-Identifier: BSD-2-Clause
// The plans of hroller, hail and hsqueeze, as stream.cpp has those of hbal: a program that starts
// each step as soon as all that it waits for are done. No two steps that may run at the same time
// touch one node or reboot both nodes of a mirrored instance, each move is legal when its turn
// comes, no node goes off with something on it, and all instances end where the plan says.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "ballast/ganeti/backend/text/text.hpp"
#include "ballast/ganeti/loading/pipeline.hpp"
#include "ballast/ganeti/report/explain/evacuation_plan.hpp"
#include "ballast/ganeti/rules/placement_rules.hpp"
#include "ballast/ganeti/search/planning/replay.hpp"
#include "ballast/ganeti/search/reboot/steps.hpp"
#include "ballast/ganeti/search/squeeze/steps.hpp"
#include "support/each_seed.hpp"
#include "support/random_cluster.hpp"
#include "support/random_rules.hpp"

using namespace ballast;
using namespace ballast::ganeti;

namespace {

struct Streamed {
  plan::Plan plan;
  bool force = false;
};

class Stream {
 public:
  Stream(const Snapshot& snapshot, const Streamed& streamed)
      : cluster_(snapshot.cluster),
        state_(snapshot.state),
        plan_(streamed.plan),
        force_(streamed.force),
        resolver_(cluster_) {
    for (const plan::Step& step : plan_.steps) steps_.push_back(*resolver_.resolve(step));
  }

  std::string run(Random& rnd) {
    while (done_.size() < plan_.steps.size()) {
      const std::vector<std::size_t> ready = ready_steps();
      if (ready.empty()) return "steps wait for each other";
      if (std::string clash = clash_of(ready); !clash.empty()) return clash;
      const std::size_t i = ready[rnd.below(ready.size())];
      if (std::string wrong = make(i); !wrong.empty())
        return "step " + std::to_string(plan_.steps[i].n) + " " + wrong;
      done_.insert(plan_.steps[i].n);
    }
    return "";
  }
  [[nodiscard]] const State& state() const { return state_; }

 private:
  [[nodiscard]] std::vector<std::size_t> ready_steps() const {
    std::vector<std::size_t> ready;
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
      const auto& waits = plan_.steps[i].waits_for;
      const bool is_ready = std::all_of(waits.begin(), waits.end(), [&](const plan::Wait& wait) {
        return !wait.step || done_.contains(*wait.step);
      });
      if (is_ready && !done_.contains(plan_.steps[i].n)) ready.push_back(i);
    }
    return ready;
  }

  [[nodiscard]] std::string clash_of(const std::vector<std::size_t>& ready) const {
    std::map<NodeId, int> busy;
    for (const std::size_t i : ready) {
      for (const NodeId node : touched_nodes(steps_[i])) {
        const auto [other, is_free] = busy.emplace(node, plan_.steps[i].n);
        if (!is_free)
          return "steps " + std::to_string(other->second) + " and " +
                 std::to_string(plan_.steps[i].n) + " may run at the same time on " +
                 cluster_[node].name;
      }
    }
    return reboots_both(ready);
  }

  [[nodiscard]] std::string reboots_both(const std::vector<std::size_t>& ready) const {
    std::set<NodeId> rebooting;
    for (const std::size_t i : ready) {
      if (plan_.steps[i].action == kReboot) rebooting.insert(steps_[i].node);
    }
    for (std::size_t i = 0; i < cluster_.instances.size(); ++i) {
      const Placement& at = state_.placements[i];
      const Instance& one = cluster_.instances[i];
      const bool is_mirrored = has_secondary(one.disk_template) && !one.is_forthcoming;
      if (is_mirrored && !at.secondary.is_none() && rebooting.contains(at.primary) &&
          rebooting.contains(at.secondary))
        return "both nodes of " + cluster_.instances[i].name + " may reboot at the same time";
    }
    return "";
  }

  std::string make(std::size_t i) {
    const ResolvedStep& step = steps_[i];
    const std::string& action = plan_.steps[i].action;
    if (action == kStop) stopped_.insert(step.stays);
    if (action == kStart) stopped_.erase(step.stays);
    if (!step.node.is_none()) return at_node(step.node, action);
    if (step.instance.is_none()) return "";
    const Placement& now = state_[step.instance];
    if (now.primary != step.from.primary || now.secondary != step.from.secondary)
      return "finds its instance elsewhere";
    const bool is_told = goes_against_policy(plan_.steps[i].n);
    auto effect = evaluate(cluster_, state_, step.instance, step.move, force_ || is_told);
    if (!effect) return "is refused when it comes early";
    apply(state_, step.instance, std::move(*effect));
    return "";
  }

  /// The plan says itself which steps go against a soft rule.
  [[nodiscard]] bool goes_against_policy(int n) const {
    return std::ranges::any_of(plan_.warnings, [&](const plan::Warning& warning) {
      return warning.code == "AGAINST_POLICY" && std::ranges::count(warning.steps, n) > 0;
    });
  }

  std::string at_node(NodeId node, std::string_view action) {
    const NodeState& now = state_[node];
    if (action == kPowerOn) cluster_.nodes[node.index()].is_offline = false;
    if (action == kPowerOff) {
      cluster_.nodes[node.index()].is_offline = true;
      if (!now.primaries.empty() || !now.secondaries.empty())
        return "switches off a node with something on it";
    }
    if (action != kReboot) return "";
    const bool runs = std::any_of(now.primaries.begin(), now.primaries.end(), [&](InstanceId one) {
      return cluster_[one].is_running() && !stopped_.contains(one);
    });
    return runs ? "reboots a node on which something runs" : "";
  }

  Cluster cluster_;
  State state_;
  const plan::Plan& plan_;
  bool force_;
  StepResolver resolver_;
  std::vector<ResolvedStep> steps_;
  std::set<int> done_;
  std::set<InstanceId> stopped_;
};

std::optional<Streamed> reboots(const Snapshot& snapshot, Random& rnd) {
  RebootOptions options;
  options.offline_maintenance = rnd.chance(20);
  options.ignore_non_redundant = rnd.chance(30);
  options.skip_non_redundant = rnd.chance(20);
  options.full_evacuation = rnd.chance(30);
  options.shared_is_movable = rnd.chance(30);
  const RebootPlan found = plan_reboots(snapshot.cluster, snapshot.state, options);
  if (found.failure) return std::nullopt;
  return Streamed{reboot_plan(snapshot.cluster, snapshot.state, whole_part(snapshot.cluster), found,
                              options, false),
                  true};
}

std::optional<Streamed> evacuation(const Snapshot& snapshot, Random& rnd) {
  const NodeId node(rnd.below(snapshot.cluster.nodes.size()));
  NodeEvacuateRequest request;
  const NodeState& state = snapshot.state[node];
  constexpr std::array kModes{EvacuateMode::Primary, EvacuateMode::Secondary, EvacuateMode::All};
  request.mode = kModes[rnd.below(kModes.size())];
  if (request.mode != EvacuateMode::Secondary) request.instances = state.primaries;
  if (request.mode != EvacuateMode::Primary)
    request.instances.insert(request.instances.end(), state.secondaries.begin(),
                             state.secondaries.end());
  AllocatorOptions options;
  options.evacuate_in_place = rnd.chance(50);
  options.ignore_soft_errors = rnd.chance(20);
  const AllocatorAnswer answer = answer_request(snapshot.cluster, snapshot.state, request, options);
  if (answer.dies_at_key || !answer.success) return std::nullopt;
  return Streamed{evacuation_plan(snapshot.cluster, snapshot.state, request, answer, options),
                  options.ignore_soft_errors};
}

std::optional<Streamed> squeeze(const Snapshot& snapshot) {
  SqueezeOptions options;
  options.keeps_reserved = true;
  SqueezePlan found = plan_squeeze(snapshot.cluster, snapshot.state, options);
  if (found.reference_would_die) return std::nullopt;
  return Streamed{squeeze_plan(snapshot.cluster, snapshot.state, std::move(found)), false};
}

/// The steps and what they wait for, for a failure.
std::string steps_of(const plan::Plan& plan) {
  std::string text;
  for (const plan::Step& step : plan.steps) {
    text += fmt::format("\n  {} {} {} {} after", step.n, step.action, step.subject.name,
                        step.commands.empty() ? "" : step.commands.front().text);
    for (const plan::Wait& wait : step.waits_for) text += fmt::format(" {}", wait.step.value_or(0));
  }
  return text;
}

std::string check_plan(const Snapshot& snapshot, const std::optional<Streamed>& streamed,
                       Random& rnd, std::size_t& steps) {
  if (!streamed || streamed->plan.steps.empty()) return "";
  steps += streamed->plan.steps.size();
  std::optional<State> end;
  for (int round = 0; round < 5; ++round) {
    Stream stream(snapshot, *streamed);
    if (std::string wrong = stream.run(rnd); !wrong.empty())
      return wrong + steps_of(streamed->plan);
    if (end && !(end->placements == stream.state().placements))
      return "the end depends on the order";
    end = stream.state();
  }
  return "";
}

std::string check(std::uint64_t seed, std::size_t& steps) {
  Random rnd(seed * 7919 + 3);
  const test::RandomCluster text = test::ClusterGenerator(seed).make();
  auto snapshot = read_text(text.text(), "case", {});
  if (!snapshot || !run_pipeline(*snapshot, {})) return "";
  if (rnd.chance(50) && !set_rules(*snapshot, test::random_rules(rnd, snapshot->cluster)))
    return "rules are refused";
  const std::string input = "\n" + text.text();
  if (auto wrong = check_plan(*snapshot, reboots(*snapshot, rnd), rnd, steps); !wrong.empty())
    return "hroller: " + wrong + input;
  if (auto wrong = check_plan(*snapshot, evacuation(*snapshot, rnd), rnd, steps); !wrong.empty())
    return "hail: " + wrong + input;
  if (auto wrong = check_plan(*snapshot, squeeze(*snapshot), rnd, steps); !wrong.empty())
    return "hsqueeze: " + wrong + input;
  return "";
}

}  // namespace

int main(int argc, char** argv) { return test::holds_for_some(argc, argv, 300, "steps", check); }
