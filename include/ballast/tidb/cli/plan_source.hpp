// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/plan/plan.hpp"

#include <tl/expected.hpp>

#include <string>
#include <vector>

namespace ballast::tidb {

/// What `htidb plan WORDS` plans, for programs that ask again; without options. `is_way_back`: from
/// the wished side, all of it running well, to the current one. The error: what is wrong, one line
/// each.
tl::expected<plan::Plan, std::vector<std::string>> plan_from_words(
    const std::vector<std::string>& words, bool is_way_back);

/// Whether the plan makes a cluster where there was none: it has no way back but to delete it.
bool makes_cluster(const plan::Plan& plan);

/// What the way back does not bring back of a plan's steps.
std::vector<plan::CodedText> lost_for_good(const plan::Plan& plan);

}  // namespace ballast::tidb
