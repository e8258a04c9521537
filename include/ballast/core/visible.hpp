// SPDX-License-Identifier: BSD-2-Clause
// Text from snapshots, shown so that nothing in it acts on a terminal, an editor or a reader's eye.
#pragma once

#include <string>
#include <string_view>

namespace ballast {

/// A code point that is acted on instead of shown: control characters (C0, DEL, C1, U+0085 and
/// U+009B among them), line and paragraph separators, marks and overrides of the direction of
/// writing, characters without width.
bool is_hidden(char32_t code);

/// Some code point of the text is hidden, or some byte is no UTF-8.
bool has_hidden(std::string_view text);

/// Each of them as \uXXXX (\xXX for a byte that is no UTF-8); any other text stays as it is.
std::string visible(std::string_view text);

}  // namespace ballast
