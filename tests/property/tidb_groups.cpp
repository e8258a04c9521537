// SPDX-License-Identifier: BSD-2-Clause
// Random pairs of groups of operator v2: every plan holds on replay, is well-formed and the same
// twice, and there is nothing to do for the wished side against itself.
#include "ballast/plan/shape.hpp"
#include "ballast/tidb/cli/to_plan.hpp"
#include "support/seeds.hpp"
#include "support/tidb_cluster.hpp"
#include "support/tidb_pairs.hpp"

#include "ballast/tidb/search/replay/replay.hpp"

#include <string>

namespace {

using namespace ballast::tidb;
using namespace ballast::tidb::test;
using ballast::Random;

/// Names of instances, as they would be given out.
std::array<std::vector<std::string>, 2> instances_of(const Groups& groups) {
  std::array<std::vector<std::string>, 2> names;
  for (std::size_t c = 0; c < 2; ++c) {
    for (const GroupText& group : groups[c]) {
      for (std::int64_t i = 0; i < group.replicas; ++i)
        names[c].push_back(fmt::format("{}-{}-aaaa{:02}", group.name, kComponentNames[c], i));
    }
  }
  return names;
}

std::vector<SourceText> pods_of_groups(Random& random, const Groups& groups) {
  std::vector<std::string> items;
  for (std::size_t c = 0; c < 3; ++c) {
    for (const GroupText& group : groups[c]) {
      for (std::int64_t i = 0; i < group.replicas; ++i) {
        items.push_back(pod_json(random,
                                 fmt::format("{}-{}-aaaa{:02}", group.name, kComponentNames[c], i),
                                 "pingcap.com/instance-revision-hash", "r1"));
      }
    }
  }
  return {{"pods.json", R"({"kind":"List","items":[)" + joined(items) + "]}"}};
}

std::string problem_of(std::uint64_t seed, std::int64_t size, std::string& pair) {
  Random random(seed);
  const Groups before = random_groups(random, size);
  const Groups after = changed(random, before, size);
  const bool constrained = random.chance(70);
  LoadRequest request = request_for(groups_of(before, constrained), groups_of(after, constrained));
  request.pd = pd_of(random, instances_of(before));
  if (random.chance(50)) request.kube = pods_of_groups(random, before);
  if (random.chance(40)) {
    request.nodes = {{"nodes.yaml",
                      "nodes:\n- {name: a, allocatable: {cpu: 12, memory: 60Gi}}\n"
                      "- {name: b, allocatable: {cpu: 20, memory: 60Gi}}\n"}};
  }
  PlanOptions options;
  options.now = 1000000;
  options.allow_unsafe = random.chance(20);
  pair = request.current[0].text + "======\n" + request.desired[0].text;
  for (const SourceText& text : request.pd) pair += "--- " + text.text + "\n";
  const std::string errors = errors_of(request);
  if (!errors.empty()) return "refused: " + errors;
  const Input input = input_from(request, options);
  const Outcome outcome = plan_cluster(input);
  const std::string text = brief(outcome);
  const auto replayed = replay(input, outcome);
  for (const std::string& line : lines_of(replayed)) return line + "\n" + text;
  if (brief(plan_cluster(input)) != text) return "two plans of one input differ";
  const ballast::plan::Plan plan = to_plan(input, outcome, replayed.weakest, {});
  if (const auto flaws = ballast::plan::find_flaws(plan); !flaws.empty())
    return flaws.front().key + ": " + flaws.front().text + "\n" + text;
  const LoadRequest settled =
      request_for(groups_of(after, constrained), groups_of(after, constrained));
  if (const std::string again = brief(plan_steps(input_from(settled, options))); !again.empty())
    return "wished against wished:\n" + again;
  return "";
}

}  // namespace

int main(int argc, char** argv) { return for_seeds(argc, argv, 400, problem_of); }
