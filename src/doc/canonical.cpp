// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/doc/canonical.hpp"

#include <algorithm>
#include <cstddef>

namespace ballast::doc {
namespace {

class Canoniser {
 public:
  explicit Canoniser(const Canonical& rules) : rules_(rules) {}

  [[nodiscard]] Tree of(const Tree& tree, bool is_amount) const {
    if (tree.is_map()) return of_map(tree, is_amount);
    if (tree.is_list()) return of_list(tree, is_amount);
    return is_amount && !tree.is_null() ? Tree::string(rules_.amount(tree.text())) : tree;
  }

 private:
  [[nodiscard]] Tree of_map(const Tree& tree, bool is_amount) const {
    Tree map = Tree::map();
    for (const auto& [key, value] : tree.entries()) {
      Tree kept = of(value, is_amount || (rules_.amount != nullptr && key == rules_.amounts_below));
      if (!kept.is_null()) map.entries().emplace_back(key, std::move(kept));
    }
    std::ranges::sort(map.entries(), {}, &Tree::Entry::first);
    return rules_.drops_empty && map.entries().empty() ? Tree::null() : map;
  }

  /// What counts as null keeps its place in a list.
  [[nodiscard]] Tree of_list(const Tree& tree, bool is_amount) const {
    Tree list = Tree::list();
    for (const Tree& item : tree.items()) list.items().push_back(of(item, is_amount));
    return rules_.drops_empty && list.items().empty() ? Tree::null() : list;
  }

  const Canonical& rules_;
};

std::string element_key(const Tree& item, std::size_t i, bool by_name) {
  const Tree* name = by_name && item.is_map() ? item.find("name") : nullptr;
  const bool has_name = name != nullptr && name->is_scalar();
  return "[" + (has_name ? name->text() : std::to_string(i)) + "]";
}

}  // namespace

Tree canonical(const Tree& tree, const Canonical& rules) {
  return Canoniser(rules).of(tree, false);
}

void each_leaf(const Tree& tree, const std::string& path, bool by_name,
               const std::function<void(const std::string&, const Tree&)>& take) {
  for (const auto& [key, value] : tree.entries())
    each_leaf(value, path.empty() ? key : path + "." + key, by_name, take);
  for (std::size_t i = 0; i < tree.items().size(); ++i)
    each_leaf(tree.items()[i], path + element_key(tree.items()[i], i, by_name), by_name, take);
  const bool is_leaf = tree.entries().empty() && tree.items().empty() && !tree.is_null();
  if (is_leaf) take(path, tree);
}

}  // namespace ballast::doc
