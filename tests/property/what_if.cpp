// SPDX-License-Identifier: BSD-2-Clause
// What-if questions on random clusters. For one node the answer agrees with the global N+1 check;
// for any loss nothing runs on what is lost, and what is untouched is not mentioned.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "ballast/core/random.hpp"
#include "ballast/ganeti/search/redundancy/nplus1.hpp"
#include "ballast/ganeti/search/redundancy/what_if.hpp"
#include "support/ganeti_text.hpp"
#include "support/random_cluster.hpp"

namespace {

using namespace ballast;
using namespace ballast::ganeti;

bool has_offline_node(const Cluster& cluster) {
  return std::any_of(cluster.nodes.begin(), cluster.nodes.end(),
                     [](const Node& node) { return node.is_offline; });
}

bool finds_no_place(const Affected& one) {
  return one.fate == Fate::Stuck || one.fate == Fate::Lost;
}

/// The N+1 check also sends instances to offline nodes, so clusters with such nodes are left out.
std::string disagreement(const Snapshot& snapshot, std::size_t& asked) {
  const Cluster& cluster = snapshot.cluster;
  if (has_offline_node(cluster)) return "";
  for (const Part& part : parts_of(cluster, snapshot.state)) {
    EvacuationCheck check(cluster, snapshot.state, part.nodes);
    for (const NodeId node : part.nodes) {
      const Evacuation expected = check.can_evacuate(node);
      if (expected == Evacuation::ReferenceWouldDie) continue;
      const WhatIf answer = what_if(cluster, snapshot.state, {{node}, {}});
      const bool is_possible =
          std::none_of(answer.affected.begin(), answer.affected.end(), finds_no_place);
      if (is_possible != (expected == Evacuation::Possible))
        return fmt::format("node {}: the N+1 check says {}", cluster[node].name,
                           expected == Evacuation::Possible);
      ++asked;
    }
  }
  return "";
}

bool is_on(const Placement& place, const Loss& loss) {
  return std::any_of(loss.nodes.begin(), loss.nodes.end(),
                     [&](NodeId node) { return node == place.primary || node == place.secondary; });
}

std::string broken_rule(const Snapshot& snapshot, const Loss& loss) {
  const Cluster& cluster = snapshot.cluster;
  const WhatIf answer = what_if(cluster, snapshot.state, loss);
  std::vector<bool> is_mentioned(cluster.instances.size());
  for (const Affected& one : answer.affected) {
    if (is_mentioned[one.instance.index()]) return cluster[one.instance].name + " twice";
    is_mentioned[one.instance.index()] = true;
    const bool is_lost =
        std::find(loss.nodes.begin(), loss.nodes.end(), one.now) != loss.nodes.end();
    if (is_lost) return cluster[one.instance].name + " runs on a lost node";
    const bool has_moved = one.fate == Fate::FailsOver || one.fate == Fate::Restarts;
    if (has_moved && (one.now == one.before.primary || cluster[one.now].is_offline))
      return cluster[one.instance].name + " did not leave, or went to an offline node";
    if (one.fate == Fate::Stuck && one.refusals.empty() && !loss.units.empty()) continue;
    if (finds_no_place(one) != one.now.is_none())
      return cluster[one.instance].name + " has no fate";
  }
  for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
    const Instance& instance = cluster.instances[i];
    Placement place = snapshot.state.placements[i];
    if (!has_secondary(instance.disk_template)) place.secondary = NodeId();
    const bool is_hit = !instance.is_forthcoming && is_on(place, loss);
    if (loss.units.empty() && is_hit != is_mentioned[i])
      return instance.name + " is forgotten, or untouched";
  }
  for (const Survivor& one : answer.survivors) {
    if (one.arrivals > 0 && one.left_mib < 0 && one.free_mib >= 0)
      return cluster[one.node].name + " is overfull";
  }
  return "";
}

Loss random_loss(Random& random, const Cluster& cluster) {
  Loss loss;
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    if (random.below(3) == 0) loss.nodes.emplace_back(n);
  }
  if (cluster.has_storage && !cluster.storage_keys.empty() && random.below(2) == 0) {
    const StorageKeyId unit(random.below(cluster.storage_keys.size()));
    const bool is_everywhere = random.below(2) == 0;
    loss.units.push_back(
        {unit, is_everywhere ? NodeId() : NodeId(random.below(cluster.nodes.size()))});
  }
  return loss;
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t seeds = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 300;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  std::size_t asked = 0;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    const std::string text = ballast::test::ClusterGenerator(seed).make().text();
    const Snapshot snapshot = ballast::ganeti::test::load(text);
    Random random(seed);
    std::string problem = disagreement(snapshot, asked);
    for (int i = 0; i < 4 && problem.empty(); ++i)
      problem = broken_rule(snapshot, random_loss(random, snapshot.cluster));
    if (problem.empty()) continue;
    std::printf("seed %llu: %s\n%s\n", static_cast<unsigned long long>(seed), problem.c_str(),
                text.c_str());
    return 1;
  }
  std::printf("%llu clusters, %zu nodes agree with the N+1 check\n",
              static_cast<unsigned long long>(seeds), asked);
  return asked > 0 ? 0 : 1;
}
