// SPDX-License-Identifier: BSD-2-Clause
// --set PATH=VALUE and the difference of two specs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ballast/doc/tree.hpp"

namespace ballast::doc {

/// Applies `PATH=VALUE` to a document. PATH: keys joined by dots, list elements as [INDEX] or
/// [key=value] (the element whose `key` has that value), a dot, bracket, equals sign or backslash
/// in a key behind a backslash. VALUE is a scalar or a flow value of YAML (so 3 is an integer, "3"
/// a string, {a: 1} a map); null or nothing removes the key or element. Missing maps on the way are
/// made; a list element that does not exist is an error. On errors the document is unchanged; they
/// have no place. Nodes that are set have no place either.
Status set_path(Tree& document, std::string_view assignment);

/// The same with PATH below a fixed prefix (hfdb: "spec", so that --set storageServersPerPod=2 is
/// the everyday form).
Status set_path_below(Tree& document, std::initializer_list<std::string_view> prefix,
                      std::string_view assignment);

struct Difference {
  std::string path;              ///< "spec.processCounts.storage"
  const Tree* before = nullptr;  ///< nullptr: added; pointers into the compared trees
  const Tree* after = nullptr;   ///< nullptr: removed
};

/// Leaves that differ, in the order of `after`, removed ones last in the order of `before`. Lists
/// are compared by index. Where the kinds differ, or a side is an empty map or list, that is one
/// difference. Paths are written as set_path reads them.
std::vector<Difference> differences(const Tree& before, const Tree& after);

}  // namespace ballast::doc
