// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/doc/merge.hpp"

namespace ballast::doc {

Tree merged(const Tree& base, const Tree& over) {
  if (!over.is_map()) return over;
  Tree result = base.is_map() ? base : Tree::map({}, over.place());
  for (const auto& [key, value] : over.entries()) {
    if (value.is_null()) {
      result.erase(key);
      continue;
    }
    const Tree* old = result.find(key);
    result.set(key, merged(old == nullptr ? Tree() : *old, value));
  }
  return result;
}

}  // namespace ballast::doc
