// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "ballast/ganeti/search/balance/balance.hpp"

namespace ballast::ganeti {

namespace {

// The nodes that a step keeps busy: where the instance goes, and where it was.
std::vector<NodeId> nodes_of(const Cluster& cluster, const BalanceStep& step) {
  std::vector<NodeId> nodes{step.after.primary, step.after.secondary, step.before.primary};
  if (has_secondary(cluster[step.instance].disk_template)) nodes.push_back(step.before.secondary);
  std::erase_if(nodes, [](NodeId node) { return node.is_none(); });
  return nodes;
}

bool overlaps(const std::vector<NodeId>& a, const std::vector<NodeId>& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](NodeId node) { return std::find(b.begin(), b.end(), node) != b.end(); });
}

}  // namespace

std::vector<std::vector<std::size_t>> job_sets(const Cluster& cluster,
                                               const std::vector<BalanceStep>& steps) {
  std::vector<std::vector<std::size_t>>
      sets;  // built backwards: the last set first, each from its last step
  std::vector<NodeId> used;
  for (std::size_t i = steps.size(); i-- > 0;) {
    const std::vector<NodeId> nodes = nodes_of(cluster, steps[i]);
    if (sets.empty() || overlaps(nodes, used)) {
      sets.emplace_back();
      used.clear();
    }
    sets.back().push_back(i);
    used.insert(used.end(), nodes.begin(), nodes.end());
  }
  std::reverse(sets.begin(), sets.end());
  for (auto& set : sets) std::reverse(set.begin(), set.end());
  return sets;
}

}  // namespace ballast::ganeti
