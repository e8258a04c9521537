// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "ballast/ganeti/search/redundancy/spare_nodes.hpp"
#include "ballast/ganeti/search/redundancy/what_if.hpp"

namespace ballast::ganeti {
namespace {

/// Depth first, with the largest set so far as the mark to beat.
class TogetherSearch {
 public:
  TogetherSearch(const Cluster& cluster, const State& state, std::vector<NodeId> nodes,
                 std::size_t most_tries)
      : cluster_(cluster), state_(state), nodes_(std::move(nodes)), tries_left_(most_tries) {}

  DownTogether run(GroupId group) {
    std::erase_if(nodes_, [&](NodeId node) { return !is_harmless({node}); });
    // What touches few others is least in the way of the rest.
    std::stable_sort(nodes_.begin(), nodes_.end(),
                     [&](NodeId a, NodeId b) { return weight(a) < weight(b); });
    std::vector<NodeId> chosen;
    const bool is_done = extend(chosen, 0);
    std::sort(best_.begin(), best_.end());
    return {group, std::move(best_), 0, is_done};
  }

 private:
  [[nodiscard]] std::size_t weight(NodeId node) const {
    return state_[node].primaries.size() + state_[node].secondaries.size();
  }

  bool is_harmless(const std::vector<NodeId>& nodes) {
    if (tries_left_ == 0) return false;
    --tries_left_;
    std::vector<NodeId> sorted = nodes;
    std::sort(sorted.begin(), sorted.end());
    const WhatIf answer = what_if(cluster_, state_, {std::move(sorted), {}});
    return std::none_of(answer.affected.begin(), answer.affected.end(),
                        [](const Affected& one) { return is_down(one.fate); });
  }

  /// False: the tries ran out.
  bool extend(std::vector<NodeId>& chosen, std::size_t from) {
    if (chosen.size() > best_.size()) best_ = chosen;
    for (std::size_t i = from; i < nodes_.size(); ++i) {
      if (chosen.size() + (nodes_.size() - i) <= best_.size()) return true;
      chosen.push_back(nodes_[i]);
      const bool is_open = chosen.size() == 1 || is_harmless(chosen);
      const bool goes_on = tries_left_ > 0 && (!is_open || extend(chosen, i + 1));
      chosen.pop_back();
      if (!goes_on) return false;
    }
    return true;
  }

  const Cluster& cluster_;
  const State& state_;
  std::vector<NodeId> nodes_;
  std::size_t tries_left_;
  std::vector<NodeId> best_;
};

}  // namespace

std::vector<DownTogether> nodes_down_together(const Cluster& cluster, const State& state,
                                              std::size_t most_tries) {
  std::vector<DownTogether> all;
  for (const Part& part : parts_of(cluster, state)) {
    std::vector<NodeId> online = part.nodes;
    std::erase_if(online, [&](NodeId node) { return cluster[node].is_offline; });
    if (online.empty()) continue;
    const std::size_t count = online.size();
    all.push_back(TogetherSearch(cluster, state, std::move(online), most_tries).run(part.group));
    all.back().online = count;
  }
  return all;
}

}  // namespace ballast::ganeti
