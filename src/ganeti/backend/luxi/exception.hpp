// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>

#include "ballast/ganeti/backend/json/json.hpp"

namespace ballast::ganeti {

inline constexpr std::string_view kUndecodable =
    "Failed to decode UTF-8, detected replacement char after decoding";

/// What a failed answer's ["Name", [arguments]] says, in the reference's words.
std::string exception_text(json::Value result);

}  // namespace ballast::ganeti
