// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/plan/plan.hpp"
#include "ballast/tidb/search/basis/outcome.hpp"

#include <string>
#include <vector>

namespace ballast::tidb {

/// What people read below the headline: one line per component with its sets, replicas now and
/// wished, and what steps done by hand come to.
std::string text_head(const std::vector<SetSummary>& sets, const plan::Plan& plan);

}  // namespace ballast::tidb
