// SPDX-License-Identifier: BSD-2-Clause
// What tags add to the score of an end state: primaries with a common exclusion tag on one node, or
// on nodes with a common location tag. Forthcoming ones count on one node only.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/score/tag_pairs.hpp"

namespace ballast::ganeti {

class EndTags {
 public:
  /// `nodes`: the online ones; their places in it are the indices below.
  EndTags(const Cluster& cluster, const State& start, const std::vector<NodeId>& nodes);

  /// The instance becomes (`sign` 1) or stops being (-1) a primary of the node.
  void shift(const Instance& instance, std::size_t node, int sign);
  [[nodiscard]] double score() const;
  /// Conflicts on one node beyond those that it had at the start: no step may make them.
  [[nodiscard]] std::int64_t new_conflicts() const { return new_conflicts_; }

 private:
  void count(std::size_t node, TagId tag, bool is_forthcoming, int sign);

  struct OnNode {
    std::vector<TagId> locations;
    std::vector<std::pair<TagId, std::int64_t>> counts;
    std::int64_t conflicts = 0;
    std::int64_t conflicts_at_start = 0;
  };
  std::vector<OnNode> nodes_;
  TagPairs pairs_;
  std::int64_t conflicts_ = 0;
  std::int64_t new_conflicts_ = 0;
  std::int64_t pair_conflicts_ = 0;
};

}  // namespace ballast::ganeti
