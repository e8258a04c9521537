// SPDX-License-Identifier: BSD-2-Clause
#include "dedicated.hpp"

#include <algorithm>

#include "ballast/ganeti/search/allocate/new_on_shared.hpp"
#include "ballast/ganeti/search/allocate/singles.hpp"
#include "pairs.hpp"

namespace ballast::ganeti::alloc {
namespace {

using Vector = std::vector<std::int64_t>;

/// The smallest instance of each range of a policy, largest disk first.
std::vector<Instance> test_instances(const InstancePolicy& policy) {
  std::vector<InstanceSpec> specs;
  for (const SpecRange& range : policy.ranges) specs.push_back(range.min);
  std::stable_sort(specs.begin(), specs.end(), [](const InstanceSpec& a, const InstanceSpec& b) {
    return a.disk_mib > b.disk_mib;
  });
  std::vector<Instance> tests;
  for (const InstanceSpec& spec : specs) {
    Instance test;
    test.memory_mib = spec.memory_mib;
    test.disk_mib = spec.disk_mib;
    test.vcpus = spec.cpu_count;
    test.spindle_use = spec.spindle_use;
    test.disk_template = DiskTemplate::Plain;
    test.auto_balance = false;
    tests.push_back(std::move(test));
  }
  return tests;
}

bool uses_nothing(const Instance& test) {
  return test.memory_mib <= 0 && test.disk_mib <= 0 && test.vcpus <= 0 && test.spindle_use <= 0;
}

/// How often each test instance fits, one kind at a time.
Vector allocation_vector(const Cluster& cluster, NodeId node, const NodeState& start,
                         const std::vector<Instance>& tests) {
  Vector counts;
  for (const Instance& test : tests) {
    std::int64_t count = 0;
    NodeState state = start;
    // One that uses nothing fits for ever; the reference does not end.
    while (!uses_nothing(test)) {
      const InstanceRef ref{InstanceId(), &test, Placement{}, false};
      if (add_primary(cluster, node, state, ref, false)) break;
      ++count;
    }
    counts.push_back(count);
  }
  return counts;
}

void add_difference(Vector& lost, const Vector& before, const Vector& after) {
  for (std::size_t i = 0; i < lost.size(); ++i) lost[i] += before[i] - after[i];
}

class DedicatedRun {
 public:
  DedicatedRun(const ScopedCluster& scope, const Record& wanted, const EngineOptions& options)
      : scope_(scope), wanted_(wanted), options_(options) {}

  Solution run(NodeId primary, NodeId secondary) const {
    Solution solution;
    Chosen chosen;
    chosen.record = wanted_;
    NodeState first;
    NodeState second;
    // A pair's location score does not count here.
    MaybeRefusal no =
        place_primary(scope_, chosen.record, primary, NodeId(), options_.force, first);
    if (!no && !secondary.is_none()) {
      chosen.record.placement.secondary = secondary;
      no = place_secondary(scope_, chosen.record, primary, secondary, options_.force_secondary,
                           second);
    }
    if (no) {
      ++solution.failures[static_cast<std::size_t>(no->reason)];
      return solution;
    }
    const Cluster& cluster = *scope_.cluster;
    const auto tests = test_instances(cluster[cluster[primary].group].policy);
    chosen.metric.is_dedicated = true;
    chosen.metric.lost.assign(tests.size(), 0);
    chosen.metric.price = price_of_change(scope_, wanted_, {}, {primary, secondary, 0});
    const auto count = [&](NodeId node, NodeState&& state) {
      add_difference(chosen.metric.lost, allocation_vector(cluster, node, scope_[node], tests),
                     allocation_vector(cluster, node, state, tests));
      chosen.metric.free_disk += state.free_disk;
      chosen.nodes.push_back(node);
      chosen.states.emplace_back(node, std::move(state));
    };
    count(primary, std::move(first));
    if (!secondary.is_none()) count(secondary, std::move(second));
    solution.successes = 1;
    solution.chosen = std::move(chosen);
    return solution;
  }

 private:
  const ScopedCluster& scope_;
  const Record& wanted_;
  const EngineOptions& options_;
};

}  // namespace

Solution search_dedicated(const ScopedCluster& scope, const Record& wanted,
                          const Candidates& candidates, const EngineOptions& options) {
  const DedicatedRun run(scope, wanted, options);
  Solution solution;
  for (const NodeId primary : candidates.primaries) {
    if (!candidates.is_pair) {
      fold(solution, run.run(primary, NodeId()));
      continue;
    }
    Solution of_primary;
    for (const NodeId secondary : candidates.secondaries) {
      if (secondary != primary) fold(of_primary, run.run(primary, secondary));
    }
    fold(solution, std::move(of_primary));
  }
  if (solution.chosen) {
    const NewOnShared pool(scope, wanted);
    pool.add_others(solution.chosen->nodes.front(), solution.chosen->states);
  }
  return solution;
}

}  // namespace ballast::ganeti::alloc
