// SPDX-License-Identifier: BSD-2-Clause
// What every report page shares: policy, style, script.
#pragma once

#include "ballast/report/html_text.hpp"

#include <string>
#include <string_view>

namespace ballast::report {

/// Everything up to the content of <main>. The page asks for nothing from outside: no network, no
/// fonts, no images.
std::string html_head(std::string_view title);
std::string html_foot();

}  // namespace ballast::report
