// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>

namespace ballast::report {

/// Safe as text and within double-quoted attributes; invalid UTF-8 becomes U+FFFD, control
/// characters blanks.
std::string html_text(std::string_view text);

}  // namespace ballast::report
