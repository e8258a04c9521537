// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "ballast/ganeti/search/reboot/reboot.hpp"

namespace ballast::ganeti::cli {

/// Which instances keep their nodes from being emptied, and what stands against each other node.
std::string stuck_text(const Cluster& cluster, const State& state, const RebootPlan& plan);

}  // namespace ballast::ganeti::cli
