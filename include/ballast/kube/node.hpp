// SPDX-License-Identifier: BSD-2-Clause
// What YAML and JSON documents become: a tree that knows where each part stood.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ballast/core/result.hpp"
#include "ballast/core/value.hpp"

namespace ballast::kube {

/// One value of a document. Maps keep their keys in the order of the document; keys are unique (a duplicate is a reading error).
/// Scalars keep their text, so that 2^63+1 or "1Gi" lose nothing.
class Node {
 public:
  enum class Kind { Null, Bool, Integer, Float, String, List, Map };
  using Entry = std::pair<std::string, Node>;

  Node() = default;
  static Node null(Place place = {});
  static Node boolean(bool value, Place place = {});
  static Node integer(std::string text, Place place = {});  ///< decimal digits with an optional minus sign
  static Node integer(std::int64_t value, Place place = {});
  static Node floating(std::string text, Place place = {});
  static Node string(std::string text, Place place = {});
  static Node list(std::vector<Node> items = {}, Place place = {});
  static Node map(std::vector<Entry> entries = {}, Place place = {});

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] bool is_null() const { return kind_ == Kind::Null; }
  [[nodiscard]] bool is_map() const { return kind_ == Kind::Map; }
  [[nodiscard]] bool is_list() const { return kind_ == Kind::List; }
  [[nodiscard]] bool is_scalar() const { return !is_map() && !is_list(); }
  [[nodiscard]] const Place& place() const { return place_; }

  /// Text of a scalar as written ("true", "42", "1Gi"); empty for null, lists and maps.
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const std::vector<Node>& items() const { return items_; }      ///< of a list
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }  ///< of a map
  [[nodiscard]] std::vector<Node>& items() { return items_; }
  [[nodiscard]] std::vector<Entry>& entries() { return entries_; }

  /// The value of `key` of a map; nullptr where this is no map or has no such key.
  [[nodiscard]] const Node* find(std::string_view key) const;
  [[nodiscard]] Node* find(std::string_view key);
  /// Walks map keys; nullptr as soon as one is missing. at({"spec","pd"}).
  [[nodiscard]] const Node* at(std::initializer_list<std::string_view> path) const;
  void set(std::string_view key, Node value);  ///< of a map: replaces or appends
  bool erase(std::string_view key);

  /// Typed reading: none where the node is of another kind or out of range.
  [[nodiscard]] std::optional<std::int64_t> as_int() const;
  [[nodiscard]] std::optional<double> as_double() const;  ///< integers too
  [[nodiscard]] std::optional<bool> as_bool() const;
  [[nodiscard]] std::optional<std::string> as_string() const;  ///< strings only

  [[nodiscard]] Value to_value() const;

  /// Equal content; places do not count.
  friend bool operator==(const Node& a, const Node& b);

 private:
  Kind kind_ = Kind::Null;
  Place place_;
  std::string text_;
  std::vector<Node> items_;
  std::vector<Entry> entries_;
};

std::string_view to_string(Node::Kind kind);

/// All documents of a YAML or JSON text (the first character that is no white space decides: `{` or `[` is JSON, else YAML 1.2 core schema:
/// yes/no/on/off are strings). Empty documents are dropped. Errors: syntax, duplicate keys, tabs in indentation, invalid UTF-8,
/// NUL bytes, nesting deeper than 200, anchors that expand to more than 1,000,000 nodes; each with file:line:column.
Result<std::vector<Node>> parse_documents(std::string_view text, const std::string& file);

/// Reads a file ("-" is standard input) and parses it.
Result<std::vector<Node>> load_documents(const std::string& path);

/// Documents flattened to Kubernetes objects: a List (kind ends with "List", or `items`) gives its items.
std::vector<Node> flatten_lists(std::vector<Node> documents);

/// YAML text of a node, block style, quoting where a plain scalar would be read as something else. parse(emit(x)) == x.
std::string emit_yaml(const Node& node);
std::string emit_json(const Node& node);

}  // namespace ballast::kube
