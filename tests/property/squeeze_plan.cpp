// SPDX-License-Identifier: BSD-2-Clause
// Random clusters on shared storage with standby nodes: the plan that switches nodes on or off
// replays on a fresh model, switched-off nodes are empty before, and its end is the end that the
// search found.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "ballast/core/random.hpp"
#include "ballast/ganeti/search/planning/replay.hpp"
#include "ballast/ganeti/search/squeeze/steps.hpp"
#include "support/ganeti_text.hpp"

namespace {

using namespace ballast;
using namespace ballast::ganeti;

long squeezed = 0;
long expanded = 0;

test::ClusterText random_cluster(Random& random) {
  test::ClusterText text;
  const auto nodes = static_cast<std::size_t>(random.between(2, 7));
  std::vector<std::int64_t> free(nodes, 16000);
  const bool has_storage = random.chance(40);
  const std::int64_t instances = random.between(1, random.chance(50) ? 14 : 60);
  for (std::int64_t i = 0; i < instances; ++i) {
    const std::size_t primary = random.below(1 + random.below(nodes));
    const std::int64_t memory = 512 << random.between(0, 3);
    if (free[primary] < memory + 600) continue;
    free[primary] -= memory;
    text.instances +=
        fmt::format("i{}|{}|1000|1|{}|Y|n{}||{}||1|-|{}\n", i, memory,
                    random.chance(90) ? "running" : "ADMIN_down", primary,
                    random.chance(85) ? "sharedfile" : "plain", random.chance(5) ? "Y" : "N");
  }
  for (std::size_t n = 0; n < nodes; ++n) {
    const bool is_standby = n > 0 && free[n] == 16000 && random.chance(60);
    text.nodes +=
        fmt::format("n{}|16384|384|{}|90000|80000|8|{}|uuid-g|12|{}|N|0|1|1.0{}\n", n, free[n],
                    n == 0       ? "M"
                    : is_standby ? "Y"
                                 : "N",
                    is_standby ? "htools:standby:auto" : "",
                    has_storage && random.chance(85) ? "|5000,9000,sharedfile,pool" : "");
  }
  text.policies =
      "|512,1,1000,1,1,1|128,1,1000,1,1,1;32768,8,1048576,16,8,12|sharedfile,plain|8.0|32.0\n";
  return text;
}

bool is_same_end(const Cluster& cluster, const SqueezePlan& found, const PlanState& end) {
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    if (found.cluster.nodes[n].is_offline != end.cluster().nodes[n].is_offline) return false;
  }
  return std::ranges::equal(found.balance.state.placements, end.state().placements);
}

std::string fault_in(const test::ClusterText& text, const SqueezeOptions& options) {
  const Snapshot snapshot = test::load(text);
  const Cluster& cluster = snapshot.cluster;
  SqueezeOptions careful = options;
  careful.keeps_reserved = true;
  SqueezePlan found = plan_squeeze(cluster, snapshot.state, options);
  if (takes_reserved_places(found, snapshot.state))
    found = plan_squeeze(cluster, snapshot.state, careful);
  const plan::Plan plan = squeeze_plan(cluster, snapshot.state, found);
  PlanState replayed(cluster, snapshot.state, whole_part(cluster).nodes, false, plan);
  const plan::ReplayReport report = plan::replay(plan, replayed);
  if (!report.problems.empty())
    return fmt::format("step {} {}", report.problems.front().step,
                       report.problems.front().problem.text);
  squeezed += found.action == SqueezeAction::Squeeze ? 1 : 0;
  expanded += found.action == SqueezeAction::Expand && !found.nodes.empty() ? 1 : 0;
  if (!is_same_end(cluster, found, replayed)) return "the plan ends elsewhere than the search";
  const std::size_t switched = static_cast<std::size_t>(std::ranges::count(
      plan.steps, "node", [](const plan::Step& step) { return step.subject.kind; }));
  return switched == found.nodes.size() ? "" : "not every node of the answer is switched";
}

}  // namespace

int main(int argc, char** argv) {
  const long seeds = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 300;
  const long first = argc > 2 ? std::strtol(argv[2], nullptr, 10) : 1;
  for (long seed = first; seed < first + seeds; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const test::ClusterText text = random_cluster(random);
    SqueezeOptions options;
    options.minimal_resources = static_cast<double>(random.between(1, 10));
    options.target_resources = static_cast<double>(random.between(1, 8));
    const std::string fault = fault_in(text, options);
    if (fault.empty()) continue;
    std::fprintf(stderr, "seed %ld: %s\n%s", seed, fault.c_str(), text.text().c_str());
    return 1;
  }
  if (squeezed < seeds / 8 || expanded < seeds / 40) {
    std::fprintf(stderr, "only %ld squeezed and %ld expanded: the clusters are too dull\n",
                 squeezed, expanded);
    return 1;
  }
  return 0;
}
