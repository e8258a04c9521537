// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/tidb/search/basis/input.hpp"
#include "ballast/tidb/search/basis/outcome.hpp"

namespace ballast::tidb {

/// The steps that the operator of the profile would take, without remedies: what a remedy is tried
/// with. Pure: the same input gives the same outcome.
Outcome plan_steps(const Input& input);

}  // namespace ballast::tidb
