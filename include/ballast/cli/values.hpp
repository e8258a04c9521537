// SPDX-License-Identifier: BSD-2-Clause
// Values of options that the reference lacks. (Its own options read numbers by its own rules,
// ganeti/backend/number.hpp.)
#pragma once

#include "ballast/core/result.hpp"

#include <cstdint>
#include <string_view>

namespace ballast::cli {

/// A decimal integer within [least, most]; the whole text, no sign other than a leading "-". Errors
/// quote the text.
Result<std::int64_t> parse_integer(std::string_view text, std::int64_t least, std::int64_t most);

/// A finite decimal number greater than 0.
Result<double> parse_positive(std::string_view text);

}  // namespace ballast::cli
