// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/kube/documents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "ballast/core/file.hpp"
#include "ballast/kube/object.hpp"

namespace ballast::kube {
namespace {

using doc::Tree;

bool is_list_object(const Tree& document) {
  const Tree* items = document.find("items");
  if (items == nullptr || !items->is_list()) return false;
  const Tree* kind = document.find("kind");
  return kind == nullptr || kind->text().ends_with("List");
}

/// metadata.name and metadata.namespace of the object, and of the items where it is a list.
Status check_object_names(const Tree& document) {
  for (const std::string_view key : {"name", "namespace"}) {
    const Tree* name = document.at({"metadata", key});
    if (name == nullptr || !name->is_scalar() || name->is_null() || name->text().empty()) continue;
    if (is_object_name(name->text())) continue;
    return fail(fmt::format("metadata.{}: {}: expected lower case letters, digits, \"-\" and \".\"",
                            key, quoted(name->text())),
                name->place());
  }
  const Tree* items = document.find("items");
  if (items == nullptr || !items->is_list()) return {};
  for (const Tree& item : items->items()) {
    if (Status status = check_object_names(item); !status) return status;
  }
  return {};
}

}  // namespace

Result<std::vector<Tree>> parse_documents(std::string_view text, const std::string& file) {
  auto documents = doc::parse_documents(text, file);
  if (!documents) return documents;
  for (const Tree& document : *documents) {
    if (Status status = check_object_names(document); !status) return fail(status.error());
  }
  return documents;
}

Result<std::vector<Tree>> load_documents(const std::string& path) {
  auto text = read_file(path);
  if (!text) return fail(text.error());
  return parse_documents(*text, path == "-" ? "standard input" : path);
}

std::vector<Tree> flatten_lists(std::vector<Tree> documents) {
  std::vector<Tree> objects;
  for (Tree& document : documents) {
    if (!is_list_object(document)) {
      objects.push_back(std::move(document));
      continue;
    }
    std::vector<Tree> inner = flatten_lists(std::move(document.find("items")->items()));
    std::ranges::move(inner, std::back_inserter(objects));
  }
  return objects;
}

}  // namespace ballast::kube
