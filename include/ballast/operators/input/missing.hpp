// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/doc/tree.hpp"
#include "ballast/operators/input/diagnostics.hpp"

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>

namespace ballast::operators {

/// Whether `written` looks like a slip of the pen for the key `meant`.
bool is_slip_for(std::string_view written, std::string_view meant);

/// What is said of a needed key that is absent.
struct Missing {
  std::string code;
  std::string path;       // of the mapping; "-": of the document
  std::string said;       // "replicas is missing"
  std::string otherwise;  // what follows it where no other key looks like a slip for it
};

/// Adds an error. Where a key of `where` looks like a slip of the pen for `key`, it stands at that
/// key and names both. `is_known`: keys that mean something else, however near they are.
void add_missing(Diagnostics& errors, Missing missing, const doc::Tree& where, std::string_view key,
                 const std::function<bool(std::string_view)>& is_known = nullptr);

/// The same for a key in a mapping: of the first of `keys` that is absent on the way.
void add_missing_at(Diagnostics& errors, Missing missing, const doc::Tree& where,
                    std::initializer_list<std::string_view> keys);

}  // namespace ballast::operators
