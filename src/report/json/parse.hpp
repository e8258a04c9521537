// SPDX-License-Identifier: BSD-2-Clause
// JSON text as a tree of values. A string that holds an integer beyond 2^53 in its shortest form is
// read as that integer, which is how text.hpp writes one.
#pragma once

#include "ballast/core/result.hpp"
#include "ballast/core/value.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ballast::report {

/// One step down a tree: a key of a map or an index (from 0) of a list.
struct PathPart {
  std::string key;
  std::size_t index = 0;
  bool is_index = false;
  friend bool operator==(const PathPart&, const PathPart&) = default;
};
using Path = std::vector<PathPart>;

/// "steps[3].waits_for[0].step"; "the document" for an empty path.
std::string to_string(const Path& path);

/// Errors name line and column: broken JSON, a key twice in one map, nesting beyond 100, integers
/// beyond 64 bits.
Result<Value> parse_json(std::string_view text, const std::string& file);

/// Where the value at `path` begins in a text that parse_json has read; the nearest enclosing value
/// where there is none.
Place locate(std::string_view text, const std::string& file, const Path& path);

}  // namespace ballast::report
