// SPDX-License-Identifier: BSD-2-Clause
// How the keys of a document read.
#pragma once

#include <string>
#include <string_view>

namespace ballast::report {

/// A key in words, for people: "nodes_not_n1_happy" -> "nodes not N+1 happy". Sizes go without
/// their unit, which is_of_bytes() tells.
std::string key_words(std::string_view key);
bool is_of_bytes(std::string_view key);

}  // namespace ballast::report
