// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/plan/replay.hpp"
#include "ballast/tidb/search/basis/input.hpp"
#include "ballast/tidb/search/basis/outcome.hpp"

namespace ballast::tidb {

/// Applies the steps one by one to what runs, apart from the search, and holds every state against
/// the rules: pods come upwards and leave downwards one at a time, PD keeps a healthy majority and
/// TiKV more Up stores than copies (unless unsafe plans are allowed), a set is empty before it is
/// deleted, and a plan that is not blocked ends in the wished state. The first rule that breaks,
/// with its step; and the weakest moments.
plan::ReplayReport replay(const Input& input, const Outcome& outcome);

}  // namespace ballast::tidb
