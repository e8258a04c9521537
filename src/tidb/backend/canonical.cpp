// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/backend/canonical.hpp"

#include "ballast/doc/canonical.hpp"
#include "ballast/kube/object.hpp"
#include "ballast/kube/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

namespace ballast::tidb {

namespace {

using doc::Tree;

std::string scalar(const Tree& node) {
  // Long texts must not be cut, so this is no quoted().
  return fmt::format("{}'{}'", node.kind() == Tree::Kind::String ? "s" : "", node.text());
}

std::string compact(const Tree& node) {
  if (node.is_null()) return "";
  if (node.is_scalar()) return scalar(node);
  std::string inside;
  for (const auto& [key, value] : node.entries())
    inside += fmt::format("{}:{},", quoted(key), compact(value));
  for (const Tree& item : node.items()) inside += compact(item) + ",";
  return node.is_map() ? "{" + inside + "}" : "[" + inside + "]";
}

/// Seconds of one unit of a Go duration; 0: no such unit.
double unit_seconds(std::string_view unit) {
  if (unit == "h") return 3600;
  if (unit == "m") return 60;
  if (unit == "s") return 1;
  if (unit == "ms") return 1e-3;
  if (unit == "us") return 1e-6;
  if (unit == "ns") return 1e-9;
  return 0;
}

}  // namespace

std::string canonical(const Tree& node) {
  return compact(doc::canonical(node, {.drops_empty = true}));
}

std::string canonical_quantities(const Tree& node, const std::string& path, std::string_view skip,
                                 Diagnostics& errors) {
  if (!node.is_map()) return canonical(node);
  std::map<std::string, std::string> amounts;
  for (const auto& [key, value] : node.entries()) {
    if (const auto amount = quantity_milli(&value, path + "." + key, errors);
        amount && key != skip) {
      amounts[key] = fmt::format("{}", *amount);
    }
  }
  std::string result;
  for (const auto& [key, amount] : amounts) result += fmt::format("{}={},", key, amount);
  return result;
}

namespace {

void no_quantity(const Tree& node, const std::string& path, Diagnostics& errors) {
  const bool is_shown = node.is_scalar() && node.kind() != Tree::Kind::Bool;
  const std::string shown = is_shown ? node.text() : std::string(doc::to_string(node.kind()));
  errors.add("E009", path, fmt::format("quantity {} cannot be read", quoted(shown)), node.place());
}

}  // namespace

std::optional<std::int64_t> quantity_milli(const Tree* node, const std::string& path,
                                           Diagnostics& errors) {
  if (node == nullptr || node->is_null()) return std::nullopt;
  if (node->is_scalar() && node->kind() != Tree::Kind::Bool) {
    if (const auto quantity = kube::parse_quantity(node->text(), node->place()))
      return quantity->milli;
  }
  no_quantity(*node, path, errors);
  return std::nullopt;
}

kube::Complain amounts_unread(Diagnostics& errors) {
  return [&errors](const kube::Unreadable& part) {
    no_quantity(part.value, part.name + "." + part.path, errors);
  };
}

std::optional<std::int64_t> quantity_units(const Tree* node, const std::string& path,
                                           Diagnostics& errors) {
  const auto milli = quantity_milli(node, path, errors);
  if (!milli) return std::nullopt;
  return kube::Quantity{*milli}.value();
}

std::optional<std::int64_t> duration_seconds(std::string_view text) {
  if (text == "0") return 0;
  if (text.empty()) return std::nullopt;
  double total = 0;
  while (!text.empty()) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
    double number = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + digits, number);
    if (digits == 0 || error != std::errc{} || stop != text.data() + digits) return std::nullopt;
    text.remove_prefix(digits);
    const std::size_t letters = std::min(text.find_first_of("0123456789."), text.size());
    const double unit = unit_seconds(text.substr(0, letters));
    if (unit == 0) return std::nullopt;
    text.remove_prefix(letters);
    total += number * unit;
  }
  if (total > 9e15) return std::nullopt;
  return static_cast<std::int64_t>(total);
}

std::optional<std::int64_t> time_of(const Tree* node) {
  if (node == nullptr || !node->is_scalar()) return std::nullopt;
  if (node->kind() == Tree::Kind::Integer) return node->as_int();
  return kube::parse_time(node->text());
}

std::optional<std::uint64_t> id_of(const Tree* node) {
  if (node == nullptr || !node->is_scalar()) return std::nullopt;
  const std::string& text = node->text();
  std::uint64_t id = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, id);
  if (text.empty() || error != std::errc{} || stop != end) return std::nullopt;
  return id;
}

namespace {

void no_number(const Tree& node, const std::string& path, Diagnostics& errors) {
  errors.add("E015", path,
             fmt::format(
                 "must be a whole number, found {}",
                 node.is_scalar() ? quoted(node.text()) : std::string(doc::to_string(node.kind()))),
             node.place());
}

}  // namespace

void flatten(const Tree& node, const std::string& path, std::map<std::string, std::string>& into) {
  doc::each_leaf(node, path, false, [&](const std::string& leaf_path, const Tree& leaf) {
    if (leaf.is_scalar()) into[leaf_path] = leaf.text();
  });
}

std::optional<std::int64_t> whole_number(const Tree* node, const std::string& path,
                                         Diagnostics& errors) {
  if (node == nullptr || node->is_null()) return std::nullopt;
  const auto number = node->as_int();
  if (!number) no_number(*node, path, errors);
  return number;
}

std::optional<std::uint64_t> known_id(const Tree* node, const std::string& path,
                                      Diagnostics& errors) {
  if (node == nullptr || node->is_null()) return std::nullopt;
  const auto id = id_of(node);
  if (!id) no_number(*node, path, errors);
  return id;
}

}  // namespace ballast::tidb
