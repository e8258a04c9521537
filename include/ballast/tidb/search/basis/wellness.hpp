// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/tidb/search/basis/input.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace ballast::tidb {

/// The leaders of a store that led fewer are not waited for after its restart.
inline constexpr std::int64_t kFewLeaders = 200;

/// Why a restarted pod that is not well will not become so by itself: its waiting reason, no node,
/// or longer than --stuck-after (`since`: when it was last well). Empty: it may still come.
std::string stuck_because(const LivePod& pod, std::optional<Time> since,
                          const PlanOptions& options);

/// It runs, and nothing is known against it.
void make_pod_well(LivePod& pod);

/// Whether PD is known not to have a majority of healthy members.
bool has_lost_majority(const Live& live);

/// What there is once PD has a majority again: as many of the sick members as it takes are well
/// with their pods, in the order of their names.
void regain_majority(Live& live);

}  // namespace ballast::tidb
