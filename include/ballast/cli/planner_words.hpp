// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/plan/plan.hpp"

#include <string>
#include <vector>

namespace ballast::cli {

/// The command line with which the planner of an operator is asked again: the profile and the
/// options that the plan was made with, then `given`, of which the last counts. What the plan was
/// made to set (--set) is left out where `given` says what is wished.
std::vector<std::string> planner_words(const plan::Plan& plan,
                                       const std::vector<std::string>& given);

}  // namespace ballast::cli
