// SPDX-License-Identifier: BSD-2-Clause
// hplan's share that reads what an operator runs: a file, or a folder of files.
#pragma once

#include "ballast/core/result.hpp"
#include "ballast/plan/plan.hpp"

#include <string>
#include <string_view>

namespace ballast::tools {

/// Is `path` a folder, or `text` (of that file) a document of Kubernetes or a values file, and no
/// snapshot of Ganeti?
bool is_operator_state(const std::string& path, std::string_view text);

/// What there is, as a plan that only has system, summary (Plan::before) and Plan::objects. In a
/// folder every file that ends in .yaml, .yml or .json counts, told apart by what is in it; a wish
/// (desired.yaml) is passed over.
Result<plan::Plan> operator_state(const std::string& path);

}  // namespace ballast::tools
