// SPDX-License-Identifier: BSD-2-Clause
// Conflicts of exclusion tags: of the instances with one tag in one place, each beyond the first. A
// place is a node, or all nodes with one location tag.
#pragma once

#include <algorithm>
#include <cstdint>

#include "ballast/ganeti/model/node.hpp"

namespace ballast::ganeti {

constexpr std::int64_t conflicts_of(std::int64_t times) { return times > 1 ? times - 1 : 0; }

/// What `by` more instances (below 0: less) change where there are `times`.
constexpr std::int64_t conflict_change(std::int64_t times, std::int64_t by) {
  return conflicts_of(std::max<std::int64_t>(0, times + by)) - conflicts_of(times);
}

/// How many of the node's primaries, forthcoming ones included, have the tag.
std::int64_t primaries_with(const NodeState& state, TagId tag);

}  // namespace ballast::ganeti
