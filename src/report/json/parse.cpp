// SPDX-License-Identifier: BSD-2-Clause
#include "parse.hpp"

#include <fmt/format.h>

#include <charconv>

#include "ballast/core/visible.hpp"
#include "ballast/doc/tree.hpp"

namespace ballast::report {
namespace {

using doc::Tree;

constexpr std::size_t kDeepest = 100;
constexpr std::int64_t kLargestExact = std::int64_t{1} << 53;

Value large_integer_or(const std::string& text) {
  if (text.size() < 16 || text.size() > 20) return {text};
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  const bool is_large = value > kLargestExact || value < -kLargestExact;
  if (error != std::errc() || stop != end || !is_large || std::to_string(value) != text)
    return {text};
  return {value};
}

Result<Value> value_of(const Tree& tree, std::size_t depth) {
  if (!tree.is_scalar() && depth > kDeepest)
    return fail(fmt::format("nested more than {} deep", kDeepest), tree.place());
  switch (tree.kind()) {
    case Tree::Kind::Map: {
      ValueMap map;
      map.reserve(tree.entries().size());
      for (const auto& [key, inner] : tree.entries()) {
        auto value = value_of(inner, depth + 1);
        if (!value) return value;
        map.emplace_back(key, std::move(*value));
      }
      return Value(std::move(map));
    }
    case Tree::Kind::List: {
      ValueList list;
      list.reserve(tree.items().size());
      for (const Tree& inner : tree.items()) {
        auto value = value_of(inner, depth + 1);
        if (!value) return value;
        list.push_back(std::move(*value));
      }
      return Value(std::move(list));
    }
    case Tree::Kind::Integer:
      if (const auto integer = tree.as_int()) return Value(*integer);
      return fail(fmt::format("{}: expected an integer of at most 63 bits and a sign",
                              ballast::quoted(tree.text())),
                  tree.place());
    case Tree::Kind::String:
      return large_integer_or(tree.text());
    default:
      return tree.to_value();
  }
}

Result<Tree> document_of(std::string_view text, const std::string& file) {
  auto documents = doc::parse_json(text, file);
  if (!documents) return fail(documents.error());
  if (documents->empty()) return fail("end of the file: expected a JSON document", {file, 1, 1});
  if (documents->size() > 1)
    return fail("expected the end of the file behind the first value", (*documents)[1].place());
  return std::move(documents->front());
}

}  // namespace

std::string to_string(const Path& path) {
  std::string text;
  for (const PathPart& part : path) {
    if (part.is_index) {
      text += fmt::format("[{}]", part.index);
    } else {
      text += (text.empty() ? "" : ".") + visible(part.key);
    }
  }
  return text.empty() ? "the document" : text;
}

Result<Value> parse_json(std::string_view text, const std::string& file) {
  const auto document = document_of(text, file);
  if (!document) return fail(document.error());
  return value_of(*document, 1);
}

Place locate(std::string_view text, const std::string& file, const Path& path) {
  const auto document = document_of(text, file);
  if (!document) return {file, 1, 1};
  const Tree* at = &*document;
  for (const PathPart& part : path) {
    const Tree* inner = nullptr;
    if (!part.is_index) inner = at->find(part.key);
    if (part.is_index && part.index < at->items().size()) inner = &at->items()[part.index];
    if (inner == nullptr) break;
    at = inner;
  }
  return at->place();
}

}  // namespace ballast::report
