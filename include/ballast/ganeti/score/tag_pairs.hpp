// SPDX-License-Identifier: BSD-2-Clause
// Exclusion tags that meet in one location, over all nodes.
#pragma once

#include <map>

#include "ballast/ganeti/model/node.hpp"

namespace ballast::ganeti {

/// Pairs of a location tag and an exclusion tag, with how many primaries have them.
class TagPairs {
 public:
  using Pair = std::pair<TagId, TagId>;
  using Times = decltype(NodeState::location_exclusions);

  /// A node has these in place of those, both sorted. Pairs that nobody has any more stay, each a
  /// conflict less than none.
  void change(const Times& before, const Times& after);
  /// So many more have the pair (below 0: less). What that changes in conflicts.
  std::int64_t add(const Pair& pair, std::int64_t by);
  void drop_unused();
  [[nodiscard]] bool empty() const { return times_.empty(); }
  /// Primaries beyond the first of each pair.
  [[nodiscard]] std::int64_t conflicts() const {
    return total_ - static_cast<std::int64_t>(times_.size());
  }
  /// What these changes would change in conflicts.
  [[nodiscard]] std::int64_t change_by(const TagPairs& changes) const;

 private:
  std::map<Pair, std::int64_t> times_;
  std::int64_t total_ = 0;
};

}  // namespace ballast::ganeti
