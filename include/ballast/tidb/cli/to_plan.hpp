// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/plan/plan.hpp"
#include "ballast/tidb/search/basis/input.hpp"
#include "ballast/tidb/search/basis/outcome.hpp"

namespace ballast::tidb {

/// The outcome in the form that all renderers share. `options`: those that shaped the plan,
/// normalised.
plan::Plan to_plan(const Input& input, const Outcome& outcome, std::vector<plan::Weakest> weakest,
                   Value options);

/// SHA-256 of the canonical form of what was planned on: both sides, what runs, and the rules.
std::string fingerprint(const Input& input);

}  // namespace ballast::tidb
