// SPDX-License-Identifier: BSD-2-Clause
// What hcheck says about the groups, for people and for scripts.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/search/redundancy/group_health.hpp"

namespace ballast::ganeti::cli {

/// Before or after the simulated rebalancing.
enum class Stage { Initial, Final };

/// "N1_FAIL", "Nodes not N+1 happy"
struct HealthCheckWords {
  std::string_view key;
  std::string_view label;
};
const HealthCheckWords& words_of(HealthCheck check);

/// The blocks of all groups. They end in the middle of the first group that is incomplete, before
/// the line that cannot be told.
std::string group_blocks(const Cluster& cluster, std::span<const GroupHealth> groups, Stage stage);
/// The sums and the verdict, which is the initial one at both stages, as in the reference.
std::string cluster_block(std::span<const GroupHealth> groups, bool needs_rebalancing, Stage stage);

/// The same as lines HCHECK_KEY=VALUE.
std::string group_uuid_lines(const Cluster& cluster);
std::string group_lines(std::span<const GroupHealth> groups, Stage stage);
std::string cluster_lines(std::span<const GroupHealth> groups, bool needs_rebalancing, Stage stage);

/// The first instance of the parts that hcheck cannot judge, since its secondary node is missing or
/// outside its group: our line where the reference dies.
std::string incomplete_line(const Cluster& cluster, const State& state,
                            std::span<const Part> parts);

}  // namespace ballast::ganeti::cli
