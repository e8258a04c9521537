// SPDX-License-Identifier: BSD-2-Clause
// Warnings about what is wished, whatever the steps are. Shared by all profiles.
#pragma once

#include "ballast/tidb/search/basis/input.hpp"
#include "ballast/tidb/search/basis/outcome.hpp"

#include <string>

namespace ballast::tidb {

/// Adds the warning, unless the same code has been said of the same subject.
void add_warning(Outcome& outcome, std::string code, std::string subject, std::string text);

/// What no input tells and is taken as being well: A- lines.
void add_assumptions(const Input& input, Outcome& outcome);

/// W-EVEN-PD, W-PD-SMALL, W-TIKV-BELOW-REPLICAS: totals over all sets, where they change.
void warn_totals(const Input& input, Outcome& outcome);

/// W-DOWNGRADE: a version lower than the running one.
void warn_downgrades(const Input& input, Outcome& outcome);

/// W-NOT-PLANNED: changes of other components.
void warn_not_planned(const Input& input, Outcome& outcome);

}  // namespace ballast::tidb
