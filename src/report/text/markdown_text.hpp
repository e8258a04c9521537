// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>

namespace ballast::report {

/// One line of CommonMark text that shows exactly `text`.
std::string escaped(std::string_view text);

}  // namespace ballast::report
