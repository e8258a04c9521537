// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/core/value.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ballast::plan {

/// One figure of one node (domain, set) that is not as the plan says. A null side: not there.
struct Drift {
  std::string kind;  ///< of an object ("instance", "pod"); empty for a line of the summary
  std::string name;
  std::string figure;  ///< keys down to it, joined by '.'; empty: the whole node
  Value planned;
  Value found;
  friend bool operator==(const Drift&, const Drift&) = default;
};

/// What such a difference is.
enum class DriftChange { Came, Went, Moved, Changed };
DriftChange change_of(const Drift& drift);
std::string_view to_string(DriftChange change);

/// How two inventories (Plan::objects) differ: what came and went as a whole, what moved, what has
/// another size.
std::vector<Drift> find_object_drift(const Value& planned, const Value& found);

/// How two summaries (Plan::before, and one of the same kind) differ, in the order of the first,
/// then what is only in the second.
std::vector<Drift> find_drift(const Value& planned, const Value& found);

}  // namespace ballast::plan
