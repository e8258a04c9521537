// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/search/steps/plan_steps.hpp"

#include "ballast/tidb/search/engine/engine.hpp"
#include "ballast/tidb/search/groups/groups.hpp"

namespace ballast::tidb {

Outcome plan_steps(const Input& input) {
  return input.options.profile == Profile::V2 ? plan_groups(input) : Engine(input).run();
}

}  // namespace ballast::tidb
