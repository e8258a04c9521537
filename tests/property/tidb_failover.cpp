// SPDX-License-Identifier: BSD-2-Clause
// Random TidbClusters, in single and in list form, with failed peers and failover records in their
// status: every plan holds on replay and is the same twice, no set gets more failover pods than its
// limit, no peer is marked that is not wished or not failed, and nothing is marked where failover
// is off.
#include "ballast/plan/shape.hpp"
#include "ballast/tidb/cli/to_plan.hpp"
#include "ballast/tidb/search/replay/replay.hpp"
#include "support/seeds.hpp"
#include "support/tidb_cluster.hpp"
#include "support/tidb_pairs.hpp"

#include <map>
#include <string>

namespace {

using namespace ballast::tidb;
using namespace ballast::tidb::test;
using ballast::Random;

/// A step that brings a peer into a set for one that failed must stay within the set's own limit.
std::string too_many_records(const Input& input, const Outcome& outcome) {
  std::map<std::pair<Component, std::string>, std::int64_t> records;
  for (const Component c : kComponents) {
    for (const LiveSet& live : input.live.of(c)) {
      records[{c, live.name}] = c == Component::Pd
                                    ? std::ranges::count_if(live.failures, &Failure::member_deleted)
                                    : static_cast<std::int64_t>(live.failures.size());
    }
  }
  for (const Line& step : outcome.steps) {
    if (step.action != Action::FailoverMark && step.action != Action::FailoverClear) continue;
    const Component c = *step.component;
    std::int64_t& count = records[{c, step.set}];
    if (step.action == Action::FailoverClear) {
      count -= step.count;
      continue;
    }
    if (!input.options.auto_failover) return step.object + " is marked, but failover is off";
    const SetSpec* spec = input.desired.find(c, step.set);
    // Failover pods of TiDB that fail get one of their own.
    const bool is_wished = spec != nullptr && step.ordinal < spec->replicas;
    if (spec == nullptr || (!is_wished && c != Component::Tidb))
      return step.object + " is marked, but not wished";
    const Store* store = input.live.store_of(step.object);
    if (c == Component::Tikv && (store == nullptr || store->state != StoreState::Down))
      return step.object + " is marked, but not Down";
    const bool is_limited = input.options.profile == Profile::V16 || c == Component::Tidb;
    if (++count > spec->max_failover && is_limited)
      return fmt::format("{} has {} records, {} at most", step.set, count, spec->max_failover);
  }
  return "";
}

std::string problem_of(std::uint64_t seed, std::int64_t size, std::string& pair) {
  Random random(seed);
  const Cluster before = random_cluster(random, size);
  const Cluster after = random.chance(50) ? before : changed(random, before, size);
  const ObjectStyle style{random.chance(50), random.between(0, 3), random.chance(30)};
  LoadRequest request =
      request_for(object_of(before, style) + status_of(random, before), object_of(after, style));
  if (random.chance(30)) request.pd = pd_of(random, pods_of(before));
  if (random.chance(40)) request.kube = kube_of(random, before);
  request.profile = random.chance(70) ? Profile::V16 : Profile::V10;
  PlanOptions options;
  options.now = 1000000;
  options.auto_failover = random.chance(85);
  options.allow_unsafe = random.chance(20);
  options.assume_healthy = random.chance(20);
  pair = request.current[0].text + "---\n" + request.desired[0].text;
  for (const auto* texts : {&request.pd, &request.kube}) {
    for (const SourceText& text : *texts) pair += "--- " + text.text + "\n";
  }
  if (const std::string errors = errors_of(request); !errors.empty()) return "refused: " + errors;
  const Input input = input_from(request, options);
  const Outcome outcome = plan_cluster(input);
  const std::string text = brief(outcome);
  const auto replayed = replay(input, outcome);
  for (const std::string& line : lines_of(replayed)) return line + "\n" + text;
  if (brief(plan_cluster(input_from(request, options))) != text)
    return "two plans of one input differ";
  const ballast::plan::Plan plan = to_plan(input, outcome, replayed.weakest, {});
  if (const auto flaws = ballast::plan::find_flaws(plan); !flaws.empty())
    return flaws.front().key + ": " + flaws.front().text + "\n" + text;
  if (const std::string together = pods_at_once(plan, request.profile); !together.empty())
    return together + "\n" + brief(outcome);
  const std::string problem = too_many_records(input, outcome);
  return problem.empty() ? "" : problem + "\n" + text;
}

}  // namespace

int main(int argc, char** argv) { return for_seeds(argc, argv, 400, problem_of); }
