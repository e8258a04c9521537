// SPDX-License-Identifier: BSD-2-Clause
// Gates that are read from what a system says of itself.
#pragma once

#include "ballast/plan/plan.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ballast::plan {

/// `source` prints one JSON document; `filter` is a jq program that says true of it. Where the
/// source fails or prints nothing, the gate does not hold.
Gate json_gate(std::string text, std::string_view source, std::string_view filter);

/// `source` prints nothing (and succeeds): what it would list is gone.
Gate gone_gate(std::string text, std::string_view source);

/// A text, and a list of texts, as a jq program writes them.
std::string jq_text(std::string_view text);
std::string jq_list(const std::vector<std::string>& texts);

}  // namespace ballast::plan
