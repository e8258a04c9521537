// SPDX-License-Identifier: BSD-2-Clause
// The one place that knows the version; CMakeLists.txt reads it from here.
#pragma once

#include <string_view>

namespace ballast {

inline constexpr std::string_view kVersion = "0.1.0";
/// The release of Ganeti htools whose answers the Ganeti tools give.
inline constexpr std::string_view kReferenceVersion = "3.0.2-3";

}  // namespace ballast
