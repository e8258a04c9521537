// SPDX-License-Identifier: BSD-2-Clause
// What every report page shares: style, script, escaping.
#pragma once

#include <string>
#include <string_view>

namespace ballast::report {

/// Safe as text and within double-quoted attributes; invalid UTF-8 becomes U+FFFD, control
/// characters blanks.
std::string html_text(std::string_view text);

/// Everything up to the content of <main>. The page asks for nothing from outside: no network, no
/// fonts, no images.
std::string html_head(std::string_view title);
std::string html_foot();

}  // namespace ballast::report
