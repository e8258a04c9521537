// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/kube/write.hpp"

#include <string>

#include "ballast/kube/object.hpp"

namespace ballast::kube {

using doc::Tree;

Tree text(std::string_view value) { return Tree::string(std::string(value)); }

Tree time_text(std::int64_t seconds) { return Tree::string(format_time(seconds)); }

void put(Tree& map, std::string_view key, std::string_view value) {
  if (!value.empty()) map.set(key, text(value));
}

void put(Tree& map, std::string_view key, std::optional<std::int64_t> number) {
  if (number) map.set(key, Tree::integer(*number));
}

void put_time(Tree& map, std::string_view key, std::optional<std::int64_t> seconds) {
  if (seconds) map.set(key, time_text(*seconds));
}

Tree object(std::string_view version, std::string_view kind, std::string_view name,
            std::string_view name_space) {
  Tree metadata = Tree::map({{"name", text(name)}});
  put(metadata, "namespace", name_space);
  return Tree::map(
      {{"apiVersion", text(version)}, {"kind", text(kind)}, {"metadata", std::move(metadata)}});
}

Tree list_of(std::vector<Tree> objects) {
  return Tree::map({{"apiVersion", text("v1")},
                    {"kind", text("List")},
                    {"items", Tree::list(std::move(objects))}});
}

Tree requests(std::vector<Tree::Entry> amounts) {
  return Tree::map({{"requests", Tree::map(std::move(amounts))}});
}

}  // namespace ballast::kube
