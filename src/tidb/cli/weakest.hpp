// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/plan/plan.hpp"
#include "ballast/tidb/search/basis/input.hpp"
#include "ballast/tidb/search/basis/outcome.hpp"

namespace ballast::tidb {

/// Sets the weakest moments of the plan: how few healthy PD members, Up stores and Ready TiDB pods
/// there are at worst, of the components that it touches; and with each step what it leaves without
/// a spare meanwhile. The plan has its steps already, in the order of the outcome's.
void add_weakest(const Input& input, const Outcome& outcome, plan::Plan& plan);

}  // namespace ballast::tidb
