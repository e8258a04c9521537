// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/operators/input/map_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "ballast/core/words.hpp"

namespace ballast::operators {
namespace {

std::string shown(const doc::Tree& node) {
  return node.is_scalar() ? quoted(node.text())
                          : std::string("a ") + std::string(to_string(node.kind()));
}

}  // namespace

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size())
    return std::nullopt;
  return value;
}

MapReader::MapReader(const doc::Tree* node, std::string path, const ReadContext& context)
    : node_(node), path_(std::move(path)), context_(context) {
  if (node_ != nullptr && node_->is_null()) node_ = nullptr;
  if (node_ != nullptr && !node_->is_map()) {
    context_.errors->add(std::string(context_.codes.kind), path_,
                         shown(*node_) + ": expected a mapping", node_->place());
    node_ = nullptr;
  }
}

const doc::Tree* MapReader::find(std::string_view key) const {
  const doc::Tree* found = node_ == nullptr ? nullptr : node_->find(key);
  return found == nullptr || found->is_null() ? nullptr : found;
}

const doc::Tree* MapReader::raw(std::string_view key) {
  known_.emplace(key);
  return find(key);
}

MapReader MapReader::map(std::string_view key) { return {raw(key), path_of(key), context_}; }

std::vector<MapReader> MapReader::maps(std::string_view key) {
  std::vector<MapReader> readers;
  const doc::Tree* list = raw(key);
  if (list == nullptr) return readers;
  if (!list->is_list()) {
    complain(context_.codes.kind, *list, key, shown(*list) + ": expected a list");
    return readers;
  }
  for (const doc::Tree& item : list->items()) readers.emplace_back(&item, path_of(key), context_);
  return readers;
}

void MapReader::ignore(std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) known_.emplace(key);
}

void MapReader::integer(std::string_view key, std::int64_t& out, std::int64_t least,
                        std::int64_t most) {
  const doc::Tree* node = raw(key);
  if (node == nullptr) return;
  if (node->kind() != doc::Tree::Kind::Integer) {
    complain(context_.codes.kind, *node, key, shown(*node) + ": expected a whole number");
    return;
  }
  const auto value = node->as_int();
  if (!value || *value < least || *value > most) {
    complain(context_.codes.range, *node, key,
             fmt::format("{}: expected a number from {} to {}", shown(*node), least, most));
    return;
  }
  out = *value;
}

void MapReader::integer(std::string_view key, int& out, std::int64_t least, std::int64_t most) {
  std::int64_t value = out;
  integer(key, value, least, most);
  out = static_cast<int>(value);
}

void MapReader::integer(std::string_view key, std::optional<int>& out, std::int64_t least) {
  if (raw(key) == nullptr) return;
  int value = 0;
  integer(key, value, least);
  out = value;
}

void MapReader::boolean(std::string_view key, bool& out) {
  const doc::Tree* node = raw(key);
  if (node == nullptr) return;
  if (const auto value = node->as_bool()) {
    out = *value;
  } else {
    complain(context_.codes.kind, *node, key, shown(*node) + ": expected true or false");
  }
}

void MapReader::text(std::string_view key, std::string& out) {
  const doc::Tree* node = raw(key);
  if (node == nullptr) return;
  if (const auto value = node->as_string()) {
    out = *value;
  } else {
    complain(context_.codes.kind, *node, key, shown(*node) + ": expected text");
  }
}

void MapReader::any_text(std::string_view key, std::string& out) {
  const doc::Tree* node = raw(key);
  if (node == nullptr) return;
  if (node->is_scalar()) {
    out = node->text();
  } else {
    complain(context_.codes.kind, *node, key, shown(*node) + ": expected text or a number");
  }
}

void MapReader::texts(std::string_view key, std::vector<std::string>& out) {
  const doc::Tree* node = raw(key);
  if (node == nullptr) return;
  if (!node->is_list()) {
    complain(context_.codes.kind, *node, key, shown(*node) + ": expected a list");
    return;
  }
  out.clear();
  for (const doc::Tree& item : node->items()) {
    if (const auto value = item.as_string()) {
      out.push_back(*value);
    } else {
      complain(context_.codes.kind, item, key, shown(item) + ": expected text");
    }
  }
}

std::optional<std::size_t> MapReader::one_of(std::string_view key,
                                             const std::vector<std::string_view>& names) {
  const doc::Tree* node = raw(key);
  if (node == nullptr) return std::nullopt;
  const std::string value = node->is_scalar() ? node->text() : std::string();
  const auto found = std::find(names.begin(), names.end(), value);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  std::string expected;
  for (const std::string_view name : names) {
    expected += expected.empty() ? "" : ", ";
    expected += name.empty() ? std::string_view("\"\"") : name;
  }
  complain(context_.codes.choice, *node, key, shown(*node) + ": expected one of " + expected);
  return std::nullopt;
}

void MapReader::pairs(std::string_view key, Pairs& out) {
  const doc::Tree* node = raw(key);
  if (node == nullptr) return;
  if (!node->is_map()) {
    complain(context_.codes.kind, *node, key, shown(*node) + ": expected a mapping");
    return;
  }
  out.clear();
  for (const auto& [name, value] : node->entries()) {
    if (!value.is_scalar()) {
      complain(context_.codes.kind, value, key, shown(value) + ": expected text");
      continue;
    }
    out.emplace_back(name, value.text());
  }
  std::sort(out.begin(), out.end());
}

void MapReader::finish() {
  if (node_ == nullptr) return;
  for (const auto& [key, value] : node_->entries()) {
    if (known_.contains(key)) continue;
    const std::string path = path_of(key);
    const std::string near = nearest(key);
    if (context_.unknown_keys != nullptr) context_.unknown_keys->push_back({path, near});
    if (context_.notes != nullptr) {
      const std::string hint = near.empty() ? "" : "; the nearest key is " + quoted(near);
      context_.notes->push_back(
          {"unknown-field", path + " is not known and has no effect on the plan" + hint});
    }
  }
}

std::string MapReader::nearest(std::string_view key) const {
  const std::vector<std::string_view> known(known_.begin(), known_.end());
  return std::string(ballast::nearest(key, known).value_or(""));
}

std::string MapReader::path_of(std::string_view key) const {
  if (key.empty()) return path_;
  return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

void MapReader::complain(std::string_view code, const doc::Tree& at, std::string_view key,
                         std::string message) {
  context_.errors->add(std::string(code), path_of(key), std::move(message), at.place());
}

}  // namespace ballast::operators
