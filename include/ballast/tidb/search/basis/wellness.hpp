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

}  // namespace ballast::tidb
