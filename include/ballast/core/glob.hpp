// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string_view>

namespace ballast {

/// "*" stands for any text, "?" for any one byte; everything else for itself. The whole text must
/// match.
bool matches_glob(std::string_view pattern, std::string_view text);

}  // namespace ballast
