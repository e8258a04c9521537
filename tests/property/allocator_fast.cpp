// SPDX-License-Identifier: BSD-2-Clause
// allocator_fast [SEEDS] [FIRST_SEED]: pairs scored in flat loops give the choice, score and counts
// of pairs looked at one by one, the capacity test's sums say what its steps say, and screened
// evacuations end where those end that look at every candidate. On a failure the seed and the
// snapshot are printed.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "../../src/ganeti/search/allocate/pairs.hpp"
#include "ballast/ganeti/backend/text/text.hpp"
#include "ballast/ganeti/loading/pipeline.hpp"
#include "ballast/ganeti/search/allocate/evacuate.hpp"
#include "ballast/ganeti/search/allocate/singles.hpp"
#include "ballast/ganeti/search/redundancy/emptying_check.hpp"
#include "support/random_cluster.hpp"

namespace {

using namespace ballast;
using namespace ballast::ganeti;
namespace alloc = ballast::ganeti::alloc;

alloc::ScopedCluster scope_of(const Snapshot& snapshot) {
  alloc::ScopedCluster scope;
  scope.cluster = &snapshot.cluster;
  for (std::size_t i = 0; i < snapshot.cluster.nodes.size(); ++i) {
    scope.nodes.emplace_back(i);
    scope.states.push_back(&snapshot.state.nodes[i]);
  }
  for (std::size_t i = 0; i < snapshot.cluster.instances.size(); ++i) {
    const InstanceId id(i);
    scope.instances.set(id.value(),
                        {id, &snapshot.cluster.instances[i], snapshot.state.placements[i], false});
  }
  return scope;
}

Instance wanted_instance(Random& random, const Cluster& cluster) {
  Instance wanted;
  wanted.name = "new";
  wanted.disk_template = random.chance(80)   ? DiskTemplate::Drbd
                         : random.chance(50) ? DiskTemplate::Plain
                                             : DiskTemplate::Ext;
  wanted.memory_mib = std::int64_t{256} << random.between(0, 4);
  wanted.disk_mib = std::int64_t{1024} << random.between(0, 4);
  wanted.vcpus = random.between(1, 2);
  Disk disk;
  disk.size_mib = disk.taken_mib = wanted.disk_mib;
  if (!cluster.storage_keys.empty())
    disk.unit = StorageKeyId(random.below(cluster.storage_keys.size()));
  wanted.disks.push_back(disk);
  if (!cluster.symbols.empty() && random.chance(40))
    wanted.exclusion_tags = {TagId(random.below(cluster.symbols.size()))};
  wanted.is_forthcoming = random.chance(10);
  return wanted;
}

std::string text_of_solution(const Cluster& cluster, const alloc::Solution& solution) {
  std::string text = alloc::describe(cluster, solution);
  char exact[64];
  std::snprintf(exact, sizeof exact, " %a", solution.chosen ? solution.chosen->metric.score : 0.0);
  return text + exact;
}

template <class Run>
std::string outcome(Run run) {
  try {
    return run();
  } catch (const alloc::ReferenceDies&) {
    return "dies";
  }
}

/// All instances go, one after the other, mode and force by chance.
std::string evacuate_all(const Snapshot& snapshot, Random random, bool one_by_one) {
  const Cluster& cluster = snapshot.cluster;
  alloc::ScopedCluster scope = scope_of(snapshot);
  alloc::StateStore store;
  alloc::Evacuator evacuation(scope, store);
  std::string text;
  for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
    const Placement& at = snapshot.state.placements[i];
    alloc::Evacuator::Plan plan;
    plan.mode = static_cast<EvacuateMode>(random.below(3));
    plan.force = random.chance(30);
    plan.one_by_one = one_by_one;
    const bool leaves_group = random.chance(15);
    plan.group =
        leaves_group ? GroupId(random.below(cluster.groups.size())) : cluster[at.primary].group;
    const bool keeps_secondary = random.chance(10);
    for (const NodeId node : scope.nodes) {
      const bool is_own = node == at.primary || (node == at.secondary && !keeps_secondary);
      if (cluster[node].group == plan.group && !cluster[node].is_offline && !is_own)
        plan.targets.push_back(node);
    }
    text += outcome([&] {
      evacuation.evacuate(InstanceId(i), plan);
      return std::string();
    });
  }
  for (const MovedInstance& one : evacuation.result().moved) {
    text += cluster[one.instance].name;
    for (const NodeId node : one.nodes) text += ' ' + cluster[node].name;
    text += '\n';
  }
  for (const FailedInstance& one : evacuation.result().failed)
    text += one.name + ": " + one.text + '\n';
  return text;
}

/// Empty: all is well.
std::string problem_of(const Snapshot& snapshot, Random& random) {
  const std::string screened = evacuate_all(snapshot, random, false);
  const std::string exact = evacuate_all(snapshot, random, true);
  if (screened != exact) return "evacuation: screened\n" + screened + "one by one\n" + exact;
  const alloc::ScopedCluster scope = scope_of(snapshot);
  const Instance wanted = wanted_instance(random, snapshot.cluster);
  const alloc::Record record{InstanceId(), &wanted, Placement{}, true};
  alloc::EngineOptions options;
  options.force = random.chance(20);
  options.capacity_checks = random.chance(70);
  const auto candidates = alloc::candidates_of(scope, scope.nodes, 2, options);
  if (!candidates) return {};
  const auto describe_all = [&](auto search) {
    return outcome([&] {
      return text_of_solution(snapshot.cluster, search(scope, record, *candidates, options));
    });
  };
  const std::string fast = describe_all(alloc::search_pairs);
  const std::string plain = describe_all(alloc::search_pairs_one_by_one);
  if (fast != plain) return "pairs: fast " + fast + "\n       plain " + plain;
  const alloc::CapacityTest capacity(scope);
  for (const NodeId node : candidates->primaries) {
    alloc::Record placed = record;
    NodeState state;
    if (alloc::place_primary(scope, placed, node, NodeId(), true, state)) continue;
    const ChangedNode change{node, &state};
    const alloc::Candidate candidate{std::span(&change, 1), &placed};
    const std::string sums =
        outcome([&] { return std::string(capacity.holds(candidate) ? "holds" : "fails"); });
    const std::string steps =
        outcome([&] { return std::string(capacity.first_stuck(candidate) ? "fails" : "holds"); });
    if (sums != steps)
      return "capacity of " + snapshot.cluster[node].name + ": sums " + sums + ", steps " + steps;
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  const bool is_long = std::getenv("BALLAST_LONG") != nullptr;  // NOLINT(concurrency-mt-unsafe)
  const std::uint64_t seeds = argc > 1  ? std::strtoull(argv[1], nullptr, 10)
                              : is_long ? 20000
                                        : 500;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  int failures = 0;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    const test::RandomCluster cluster = test::ClusterGenerator(seed).make();
    auto snapshot = read_text(cluster.text(), "generated", {});
    if (!snapshot || !run_pipeline(*snapshot, {})) continue;
    Random random(seed);
    const std::string problem = problem_of(*snapshot, random);
    if (problem.empty()) continue;
    ++failures;
    std::printf("seed %llu: %s\n%s\n", static_cast<unsigned long long>(seed), problem.c_str(),
                cluster.text().c_str());
    if (failures >= 3) break;
  }
  std::printf("%llu seeds, %d failures\n", static_cast<unsigned long long>(seeds), failures);
  return failures == 0 ? 0 : 1;
}
