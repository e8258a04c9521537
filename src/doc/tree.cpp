// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/doc/tree.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace ballast::doc {
namespace {

template <class T>
std::optional<T> number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> special_float(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  using Limits = std::numeric_limits<double>;
  if (text == ".inf" || text == ".Inf" || text == ".INF")
    return negative ? -Limits::infinity() : Limits::infinity();
  if (text == ".nan" || text == ".NaN" || text == ".NAN") return Limits::quiet_NaN();
  return std::nullopt;
}

bool same_entries(const std::vector<Tree::Entry>& a, const Tree& b) {
  if (a.size() != b.entries().size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto& other = b.entries()[i];
    const Tree* value = other.first == a[i].first ? &other.second : b.find(a[i].first);
    if (value == nullptr || !(a[i].second == *value)) return false;
  }
  return true;
}

bool same_float(const Tree& a, const Tree& b) {
  return a.text() == b.text() || a.as_double() == b.as_double();
}

Value number_value(const Tree& node) {
  if (const auto value = node.as_int()) return *value;
  if (const auto value = node.as_double()) return *value;
  return node.text();
}

}  // namespace

Tree Tree::scalar(Kind kind, std::string text, Place place) {
  Tree node;
  node.kind_ = kind;
  node.content_ = std::move(text);
  node.set_place(std::move(place));
  return node;
}

Tree Tree::null(Place place) {
  Tree node;
  node.set_place(std::move(place));
  return node;
}

Tree Tree::boolean(bool value, Place place) {
  return scalar(Kind::Bool, value ? "true" : "false", std::move(place));
}

Tree Tree::integer(std::string text, Place place) {
  return scalar(Kind::Integer, std::move(text), std::move(place));
}

Tree Tree::integer(std::int64_t value, Place place) {
  return scalar(Kind::Integer, std::to_string(value), std::move(place));
}

Tree Tree::floating(std::string text, Place place) {
  return scalar(Kind::Float, std::move(text), std::move(place));
}

Tree Tree::string(std::string text, Place place) {
  return scalar(Kind::String, std::move(text), std::move(place));
}

Tree Tree::list(std::vector<Tree> items, Place place) {
  Tree node;
  node.kind_ = Kind::List;
  node.content_ = std::move(items);
  node.set_place(std::move(place));
  return node;
}

Tree Tree::map(std::vector<Entry> entries, Place place) {
  Tree node;
  node.kind_ = Kind::Map;
  node.content_ = std::move(entries);
  node.set_place(std::move(place));
  return node;
}

void Tree::set_place(Place place) {
  if (place == Place{}) return;
  position_ = {static_cast<std::uint32_t>(place.line), static_cast<std::uint32_t>(place.column)};
  file_ = std::make_shared<const std::string>(std::move(place.file));
}

void Tree::set_origin(FileName file, Position value, Position key) {
  file_ = std::move(file);
  position_ = value;
  key_ = key;
}

Place Tree::place_of(Position position) const {
  return {file_ == nullptr ? std::string() : *file_, position.line, position.column};
}

const std::string& Tree::text() const {
  static const std::string kNone;
  const auto* text = std::get_if<std::string>(&content_);
  return text == nullptr ? kNone : *text;
}

const std::vector<Tree>& Tree::items() const {
  static const std::vector<Tree> kNone;
  const auto* items = std::get_if<std::vector<Tree>>(&content_);
  return items == nullptr ? kNone : *items;
}

const std::vector<Tree::Entry>& Tree::entries() const {
  static const std::vector<Entry> kNone;
  const auto* entries = std::get_if<std::vector<Entry>>(&content_);
  return entries == nullptr ? kNone : *entries;
}

std::vector<Tree>& Tree::items() { return std::get<std::vector<Tree>>(content_); }
std::vector<Tree::Entry>& Tree::entries() { return std::get<std::vector<Entry>>(content_); }

const Tree* Tree::find(std::string_view key) const {
  const auto& all = entries();
  const auto it = std::ranges::find(all, key, &Entry::first);
  return it == all.end() ? nullptr : &it->second;
}

Tree* Tree::find(std::string_view key) {
  if (!is_map()) return nullptr;
  const auto it = std::ranges::find(entries(), key, &Entry::first);
  return it == entries().end() ? nullptr : &it->second;
}

const Tree* Tree::at(std::initializer_list<std::string_view> path) const {
  const Tree* node = this;
  for (const std::string_view key : path) {
    node = node->find(key);
    if (node == nullptr) return nullptr;
  }
  return node;
}

void Tree::set(std::string_view key, Tree value) {
  if (Tree* old = find(key); old != nullptr) {
    *old = std::move(value);
  } else {
    entries().emplace_back(std::string(key), std::move(value));
  }
}

bool Tree::erase(std::string_view key) {
  return is_map() &&
         std::erase_if(entries(), [&](const Entry& entry) { return entry.first == key; }) != 0;
}

std::optional<std::int64_t> Tree::as_int() const {
  return kind_ == Kind::Integer ? number<std::int64_t>(text()) : std::nullopt;
}

std::optional<double> Tree::as_double() const {
  if (kind_ != Kind::Integer && kind_ != Kind::Float) return std::nullopt;
  if (const auto special = special_float(text())) return special;
  const std::string_view digits = text();
  return number<double>(digits.starts_with('+') ? digits.substr(1) : digits);
}

std::optional<bool> Tree::as_bool() const {
  return kind_ == Kind::Bool ? std::optional(text() == "true") : std::nullopt;
}

std::optional<std::string> Tree::as_string() const {
  return kind_ == Kind::String ? std::optional(text()) : std::nullopt;
}

Value Tree::to_value() const {
  switch (kind_) {
    case Kind::Null:
      return nullptr;
    case Kind::Bool:
      return text() == "true";
    case Kind::Integer:
    case Kind::Float:
      return number_value(*this);
    case Kind::String:
      return text();
    case Kind::List: {
      ValueList list;
      for (const Tree& item : items()) list.push_back(item.to_value());
      return list;
    }
    case Kind::Map: {
      ValueMap map;
      for (const auto& [key, value] : entries()) map.emplace_back(key, value.to_value());
      return map;
    }
  }
  return nullptr;
}

bool operator==(const Tree& a, const Tree& b) {
  if (a.kind_ != b.kind_) return false;
  switch (a.kind_) {
    case Tree::Kind::List:
      return a.items() == b.items();
    case Tree::Kind::Map:
      return same_entries(a.entries(), b);
    case Tree::Kind::Float:
      return same_float(a, b);
    default:
      return a.text() == b.text();
  }
}

std::string text_of(const Tree* tree) {
  return tree == nullptr || !tree->is_scalar() ? std::string() : tree->text();
}

std::string text_at(const Tree& tree, std::initializer_list<std::string_view> path) {
  return text_of(tree.at(path));
}

std::string_view to_string(Tree::Kind kind) {
  switch (kind) {
    case Tree::Kind::Null:
      return "null";
    case Tree::Kind::Bool:
      return "true or false";
    case Tree::Kind::Integer:
      return "whole number";
    case Tree::Kind::Float:
      return "number";
    case Tree::Kind::String:
      return "text";
    case Tree::Kind::List:
      return "list";
    case Tree::Kind::Map:
      return "mapping";
  }
  return "";
}

}  // namespace ballast::doc
