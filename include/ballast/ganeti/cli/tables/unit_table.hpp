// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ballast/ganeti/model/cluster.hpp"

namespace ballast::ganeti::cli {

/// One storage unit over a set of nodes. Sizes in MiB.
struct UnitSummary {
  StorageKeyId unit;
  std::size_t nodes = 0;  ///< online nodes that have it
  std::int64_t total_mib = 0;
  std::int64_t free_mib = 0;
  std::int64_t smallest_free_mib = 0;
  std::int64_t largest_free_mib = 0;
  double deviation = 0;  ///< its share of the storage metric
};

/// Units that some online node of the set holds, in the order of their keys; empty where storage
/// does not count.
std::vector<UnitSummary> unit_summaries(const Cluster& cluster, const State& state,
                                        std::span<const NodeId> nodes);

/// "Storage units:" and a table; empty where storage does not count. With `after`, the metric after
/// a plan stands beside.
std::string unit_table(const Cluster& cluster, const State& state, std::span<const NodeId> nodes,
                       const State* after = nullptr);

}  // namespace ballast::ganeti::cli
