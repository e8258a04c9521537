// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "names.hpp"

#include <string>

namespace ballast::report {

/// The steps on lanes (nodes; for operators the groups of what they touch) from left to right, as
/// wide as they take: seconds where the plan knows them, else bytes. Waits are gaps, spans without
/// redundancy are marked. Empty for a plan of fewer than two steps.
std::string html_timeline(const PageView& page);

}  // namespace ballast::report
