// SPDX-License-Identifier: BSD-2-Clause
// The fast search takes exactly the steps of the plain one, on random clusters of all kinds; and
// the score that is carried along is the one computed from scratch. A failing cluster is shrunk
// line by line and printed.
#include <cstdlib>
#include <functional>
#include <iostream>

#include "ballast/ganeti/backend/text/text.hpp"
#include "ballast/ganeti/loading/pipeline.hpp"
#include "ballast/ganeti/search/balance/step_finder.hpp"
#include "support/plain_score.hpp"
#include "support/random_cluster.hpp"

using namespace ballast;
using namespace ballast::ganeti;

namespace {

struct Case {
  test::RandomCluster cluster;
  BalanceOptions options;
  double min_disk = 0;
  double max_cpu = 0;  ///< 0: the policy's
};

BalanceOptions random_options(Random& rnd) {
  BalanceOptions options;
  options.max_length = rnd.chance(90) ? 12 : 40;
  if (rnd.chance(10)) options.disk_moves = false;
  if (rnd.chance(10)) options.instance_moves = false;
  if (rnd.chance(10)) options.evacuation = true;
  if (rnd.chance(10)) options.restricted_migration = true;
  if (rnd.chance(15)) options.ignore_soft_errors = true;
  if (rnd.chance(40)) {
    options.min_gain = 0;
    options.min_gain_limit = 0;
  }
  options.threads = rnd.chance(30) ? 3 : 1;
  return options;
}

Case random_case(std::uint64_t seed) {
  Random rnd(seed * 7919 + 1);
  Case result;
  result.cluster = test::ClusterGenerator(seed).make();
  result.options = random_options(rnd);
  if (rnd.chance(10)) result.min_disk = 0.2;
  if (rnd.chance(10)) result.max_cpu = 1.5;
  return result;
}

std::string step_text(const Cluster& cluster, const BalanceStep& step) {
  return cluster[step.instance].name + " kind " + std::to_string(static_cast<int>(step.move.kind)) +
         " to node " + std::to_string(step.move.target.value()) + " score " +
         std::to_string(step.score);
}

// Empty: equal. Clusters that do not load are no case.
std::string difference(const Case& test) {
  auto snapshot = read_text(test.cluster.text(), "case", {});
  if (!snapshot) return "";
  PipelineOptions pipeline;
  if (auto loads = read_utilisation(test.cluster.load_text())) pipeline.utilisation = *loads;
  if (!run_pipeline(*snapshot, pipeline)) return "";
  set_min_disk(*snapshot, test.min_disk);
  if (test.max_cpu > 0) set_max_cpu(*snapshot, test.max_cpu);
  const Cluster& cluster = snapshot->cluster;
  for (const Part& part : parts_of(cluster, snapshot->state)) {
    const BalanceResult fast = balance(cluster, snapshot->state, part, test.options);
    const BalanceResult plain = balance_plainly(cluster, snapshot->state, part, test.options);
    for (std::size_t i = 0; i < std::max(fast.steps.size(), plain.steps.size()); ++i) {
      if (i >= fast.steps.size())
        return "the fast search ends before step " + std::to_string(i + 1) + ": " +
               step_text(cluster, plain.steps[i]);
      if (i >= plain.steps.size())
        return "the plain search ends before step " + std::to_string(i + 1) + ": " +
               step_text(cluster, fast.steps[i]);
      const BalanceStep& a = fast.steps[i];
      const BalanceStep& b = plain.steps[i];
      if (a.instance != b.instance || a.move != b.move || a.score != b.score) {
        return "step " + std::to_string(i + 1) + ": fast " + step_text(cluster, a) + ", plain " +
               step_text(cluster, b);
      }
    }
    if (fast.stop != plain.stop) return "the searches end for different reasons";
    const double scratch = test::plain_score(cluster, fast.state, part.nodes).total;
    if (!(fast.score_after == scratch) && scratch == scratch)
      return "the carried score is not the score from scratch";
    if (!(full_score(cluster, fast.state, part.nodes) == scratch) && scratch == scratch)
      return "the sheet's score is not the score from scratch";
  }
  return "";
}

// Takes away whatever line can go while the difference stays.
void shrink(Case& test) {
  bool progress = true;
  while (progress) {
    progress = false;
    for (auto lines : {&test::RandomCluster::instances, &test::RandomCluster::tags,
                       &test::RandomCluster::loads, &test::RandomCluster::nodes}) {
      for (std::size_t i = 0; i < (test.cluster.*lines).size(); ++i) {
        Case smaller = test;
        auto& list = smaller.cluster.*lines;
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
        if (difference(smaller).empty()) continue;
        test = smaller;
        progress = true;
        --i;
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 150;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    Case test = random_case(seed);
    if (difference(test).empty()) continue;
    shrink(test);
    const BalanceOptions& o = test.options;
    std::cerr << "seed " << seed << ": " << difference(test) << "\noptions: length " << o.max_length
              << " disk moves " << o.disk_moves << " instance moves " << o.instance_moves
              << " evacuation " << o.evacuation << " restricted " << o.restricted_migration
              << " force " << o.ignore_soft_errors << " min gain " << o.min_gain << " min disk "
              << test.min_disk << " max cpu " << test.max_cpu << "\n"
              << test.cluster.text() << "-- loads\n"
              << test.cluster.load_text();
    return 1;
  }
  std::cout << count << " clusters\n";
  return 0;
}
