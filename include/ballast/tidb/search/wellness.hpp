// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/tidb/search/input.hpp"

#include <optional>
#include <string>

namespace ballast::tidb {

/// Why a restarted pod that is not well will not become so by itself: its waiting reason, no node,
/// or longer than --stuck-after (`since`: when it was last well). Empty: it may still come.
std::string stuck_because(const LivePod& pod, std::optional<Time> since,
                          const PlanOptions& options);

}  // namespace ballast::tidb
