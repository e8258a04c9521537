// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/tidb/search/steps/plan_steps.hpp"

#include <string>

namespace ballast::tidb {

/// The steps that the operator of the profile would take, with blocks, their cycles and remedies.
/// Pure: the same input gives the same outcome.
Outcome plan_cluster(const Input& input);

/// The compact form: number, component/set, object, action, detail, separated by tabs; one line a
/// step.
std::string brief(const Outcome& outcome);

}  // namespace ballast::tidb
