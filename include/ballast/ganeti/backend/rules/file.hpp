// SPDX-License-Identifier: BSD-2-Clause
// The rules file of administrators (YAML or JSON; man/ballast-rules.5).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ballast/core/result.hpp"
#include "ballast/ganeti/model/rules.hpp"

namespace ballast::ganeti {

/// The rules in the order of the file. Errors carry file, line and column.
Result<std::vector<RuleSpec>> read_rules(std::string_view text, const std::string& file);

/// TYPE/KEY. The error says what was expected.
Result<StorageKey> parse_unit(std::string_view text);

/// "8g", "4096" (MiB) or "10%" into the spec's memory.
Status parse_memory(std::string_view text, RuleSpec& spec);

}  // namespace ballast::ganeti
