// SPDX-License-Identifier: BSD-2-Clause
// Why no plan can bring the score further down.
#pragma once

#include <string>
#include <vector>

#include "ballast/ganeti/search/bound/bound.hpp"

namespace ballast::ganeti {

/// A line for each part of the score that stays, the largest first, then what does not move.
std::vector<std::string> bound_text(const Cluster& cluster, const Bound& bound);

}  // namespace ballast::ganeti
