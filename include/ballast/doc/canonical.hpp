// SPDX-License-Identifier: BSD-2-Clause
// Trees in the one form in which they are compared and hashed.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "ballast/doc/tree.hpp"

namespace ballast::doc {

/// What does not tell two trees apart, besides the order of keys and keys with null.
struct Canonical {
  bool drops_empty = false;             ///< maps and lists without anything in them count as null
  std::string_view amounts_below = {};  ///< the key below which texts are amounts
  std::string (*amount)(std::string_view text) = nullptr;  ///< the one form of an amount
};
Tree canonical(const Tree& tree, const Canonical& rules);

/// Every scalar that is not null, and every map or list with nothing in it, by the path below
/// `path`: "containers[0].image". `by_name`: elements that have a name go by it,
/// "containers[web].image".
void each_leaf(const Tree& tree, const std::string& path, bool by_name,
               const std::function<void(const std::string& path, const Tree& leaf)>& take);

}  // namespace ballast::doc
