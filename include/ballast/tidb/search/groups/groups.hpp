// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/tidb/search/basis/input.hpp"
#include "ballast/tidb/search/basis/outcome.hpp"

namespace ballast::tidb {

/// The plan under profile v2: groups instead of StatefulSets, instances without ordinals. Instances
/// that do not exist yet are called "GROUP-COMPONENT-??????".
Outcome plan_groups(const Input& input);

}  // namespace ballast::tidb
