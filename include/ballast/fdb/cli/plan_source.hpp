// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/plan/plan.hpp"

#include <tl/expected.hpp>

#include <string>
#include <vector>

namespace ballast::fdb {

/// What `hfdb plan WORDS` plans (with --node or --zone: `hfdb drain`), for programs that ask again.
/// Not set: version and options. `is_way_back`: from the end of that plan back to the specification
/// before it; the end is as the planner simulates it. The error: what is wrong, one line each.
tl::expected<plan::Plan, std::vector<std::string>> plan_from_words(
    const std::vector<std::string>& words, bool is_way_back);

/// What the way back does not bring back of a plan's steps.
std::vector<plan::CodedText> lost_for_good(const plan::Plan& plan);

}  // namespace ballast::fdb
