// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ballast {

/// Pieces between separators, empty ones kept; an empty text has no pieces at all (as the reference
/// splits).
std::vector<std::string_view> split(std::string_view text, char separator);

std::string join(std::span<const std::string> parts, std::string_view separator);

/// As the reference shows a string: in double quotes, with its escapes (\NUL, \233, \SO\&H ...);
/// non-ASCII as code points.
std::string shown_string(std::string_view text);

/// ["a","b"], each element by shown_string.
std::string shown_list(std::span<const std::string> parts);
std::string shown_list(std::span<const std::string_view> parts);

/// Padded with blanks to `width` code points; longer texts stay whole.
std::string pad_left(std::string_view text, std::size_t width);
std::string pad_right(std::string_view text, std::size_t width);

}  // namespace ballast
