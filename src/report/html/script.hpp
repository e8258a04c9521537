// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string_view>

namespace ballast::report {

/// The page's one script: finds and filters steps, unfolds what a link leads to and what is
/// printed. Without it everything is there all the same.
std::string_view html_script();

}  // namespace ballast::report
