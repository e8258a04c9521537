// SPDX-License-Identifier: BSD-2-Clause
// What holds for every plan of every system, whatever its steps mean.
#pragma once

#include "ballast/plan/plan.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ballast::plan {

struct Flaw {
  std::optional<std::size_t> step;  ///< index (from 0) in Plan::steps; none: the plan itself
  std::string key;                  ///< of that step or of the plan, as in the JSON form
  std::string text;
  friend bool operator==(const Flaw&, const Flaw&) = default;
};

/// Steps are numbered from 1, phases start at 1 or later and never go back; waits name earlier
/// steps, other references existing ones; actions and subjects have names; totals count the steps;
/// a plan without change has none.
std::vector<Flaw> find_flaws(const Plan& plan);

}  // namespace ballast::plan
