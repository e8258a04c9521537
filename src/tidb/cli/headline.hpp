// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/tidb/search/basis/input.hpp"
#include "ballast/tidb/search/basis/outcome.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ballast::tidb {

/// What the steps of a plan come to.
struct Counts {
  std::int64_t created = 0;  // sets
  std::int64_t added = 0;    // pods
  std::int64_t removed = 0;
  std::int64_t restarted = 0;
  std::int64_t deleted = 0;  // sets
  std::int64_t blocked = 0;
  std::int64_t steps = 0;
  std::int64_t bytes = 0;
  std::int64_t seconds = 0;
  bool bytes_known = true;
};
Counts count(const Outcome& outcome);

/// StatefulSets of which the operator leaves a part of the wish undone for ever: storage that
/// cannot change.
std::vector<std::string> never_reached(const Outcome& outcome);

/// The first line: what is done, and what is not well whether or not something is done about it.
/// "No changes" only where nothing is wished and nothing is broken.
std::string headline(const Input& input, const Counts& counts, const Outcome& outcome);

}  // namespace ballast::tidb
