// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string_view>

namespace ballast::report {

/// The style of every report page: light, dark and paper, from 390 pixels on.
std::string_view html_style();

}  // namespace ballast::report
