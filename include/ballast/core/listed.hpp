// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <string>

namespace ballast {

/// "a, b, c and 12 more": at most `shown` of the names.
std::string listed(std::span<const std::string> names, std::size_t shown = 5);

}  // namespace ballast
