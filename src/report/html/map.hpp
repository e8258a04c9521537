// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "names.hpp"

#include <string>

namespace ballast::report {

/// All nodes at a glance: a cell each, coloured by how full it is, its left half before and its
/// right half after the plan; a choice of what is shown. Groups and locations (Plan::objects,
/// "node") are frames. Empty where the plan has no gauges.
std::string html_map(const PageView& page);

/// How many nodes are how full, before and after, for each gauge. Empty as above.
std::string html_histograms(const PageView& page);

}  // namespace ballast::report
