// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/plan/plan.hpp"
#include "ballast/tidb/search/basis/input.hpp"
#include "ballast/tidb/search/basis/outcome.hpp"

#include <vector>

namespace ballast::tidb {

/// What shows that the step is made; empty where nothing lasting can be seen from outside.
std::vector<plan::Gate> gates_of(const Input& input, const Line& step);

}  // namespace ballast::tidb
