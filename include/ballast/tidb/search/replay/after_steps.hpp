// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/tidb/search/basis/input.hpp"
#include "ballast/tidb/search/basis/outcome.hpp"

#include <cstddef>
#include <string>

namespace ballast::tidb {

/// What there is once the first `count` lines of the outcome are done and every wait has ended
/// well: an input to plan on like any other, with the same wish. Blocked and deferred lines leave
/// nothing. Instances of groups whose name was not known get one. `count` may be more than there
/// are.
Input after_steps(const Input& input, const Outcome& outcome, std::size_t count);

/// What a plan leaves of a cluster in short: per set its pods, how many are on the newest template,
/// and its failure records. For comparing ends.
std::string end_of(const Input& input);

}  // namespace ballast::tidb
