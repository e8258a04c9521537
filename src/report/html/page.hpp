// SPDX-License-Identifier: BSD-2-Clause
// What every report page shares: policy, style, script.
#pragma once

#include "ballast/report/html_text.hpp"

#include <string>
#include <string_view>

namespace ballast::report {

/// Everything up to the content of <main>. The page asks for nothing from outside: no network, no
/// fonts, no images. The first link of the page leads to the element `main_part`.
std::string html_head(std::string_view title, std::string_view main_part = "steps",
                      std::string_view skip_words = "to the steps");
std::string html_foot();

}  // namespace ballast::report
