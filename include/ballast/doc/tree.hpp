// SPDX-License-Identifier: BSD-2-Clause
// What YAML and JSON documents become: a tree that knows where each part stood.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "ballast/core/result.hpp"
#include "ballast/core/value.hpp"

namespace ballast::doc {

/// A line and a column, both from 1 (columns count bytes); 0 is "not known".
struct Position {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// The name of a document's file, shared by all its nodes; may be null.
using FileName = std::shared_ptr<const std::string>;

/// One value of a document. Maps keep their keys in the order of the document; keys are unique (a
/// duplicate is a reading error). Scalars keep their digits, so that 2^63+1 or "1Gi" lose nothing.
class Tree {
 public:
  enum class Kind { Null, Bool, Integer, Float, String, List, Map };
  using Entry = std::pair<std::string, Tree>;

  Tree() = default;
  static Tree null(Place place = {});
  static Tree boolean(bool value, Place place = {});
  static Tree integer(std::string text,
                      Place place = {});  ///< decimal digits with an optional minus sign
  static Tree integer(std::int64_t value, Place place = {});
  static Tree floating(std::string text, Place place = {});
  static Tree string(std::string text, Place place = {});
  static Tree list(std::vector<Tree> items = {}, Place place = {});
  static Tree map(std::vector<Entry> entries = {}, Place place = {});

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] bool is_null() const { return kind_ == Kind::Null; }
  [[nodiscard]] bool is_map() const { return kind_ == Kind::Map; }
  [[nodiscard]] bool is_list() const { return kind_ == Kind::List; }
  [[nodiscard]] bool is_scalar() const { return !is_map() && !is_list(); }

  /// Where the value starts: the first character of a scalar, the first key of a map in block
  /// style, its bracket in flow style.
  [[nodiscard]] Place place() const { return place_of(position_); }
  /// Where the key of this value of a map stands; place() where there is no key.
  [[nodiscard]] Place key_place() const { return place_of(key_.line != 0 ? key_ : position_); }
  void set_origin(FileName file, Position value, Position key = {});

  /// Text of a scalar; empty for null, lists and maps. Booleans are "true" or "false" and integers
  /// decimal digits, however they were written (TRUE, 0x1F, +7); floats and strings are as written.
  [[nodiscard]] const std::string& text() const;
  [[nodiscard]] const std::vector<Tree>& items() const;     ///< of a list; else empty
  [[nodiscard]] const std::vector<Entry>& entries() const;  ///< of a map; else empty
  [[nodiscard]] std::vector<Tree>& items();                 ///< precondition: is_list()
  [[nodiscard]] std::vector<Entry>& entries();              ///< precondition: is_map()

  /// The value of `key` of a map; nullptr where this is no map or has no such key.
  [[nodiscard]] const Tree* find(std::string_view key) const;
  [[nodiscard]] Tree* find(std::string_view key);
  /// Walks map keys; nullptr as soon as one is missing. at({"spec","pd"}).
  [[nodiscard]] const Tree* at(std::initializer_list<std::string_view> path) const;
  void set(std::string_view key, Tree value);  ///< of a map: replaces or appends
  bool erase(std::string_view key);

  /// Typed reading: none where the node is of another kind or out of range.
  [[nodiscard]] std::optional<std::int64_t> as_int() const;
  [[nodiscard]] std::optional<double> as_double() const;  ///< integers too
  [[nodiscard]] std::optional<bool> as_bool() const;
  [[nodiscard]] std::optional<std::string> as_string() const;  ///< strings only

  /// Integers beyond 64 bits become doubles.
  [[nodiscard]] Value to_value() const;

  /// Equal content; neither places nor the order of keys count. An integer is never equal to a
  /// float.
  friend bool operator==(const Tree& a, const Tree& b);

 private:
  [[nodiscard]] Place place_of(Position position) const;
  static Tree scalar(Kind kind, std::string text, Place place);
  void set_place(Place place);

  Kind kind_ = Kind::Null;
  Position position_;
  Position key_;
  FileName file_;
  std::variant<std::monostate, std::string, std::vector<Tree>, std::vector<Entry>> content_;
};

/// The text of a scalar; empty for anything else and where there is nothing.
std::string text_of(const Tree* tree);
/// The same of what stands at a path of keys.
std::string text_at(const Tree& tree, std::initializer_list<std::string_view> path);

/// "null", "true or false", "whole number", "number", "text", "list", "mapping": words for
/// messages.
std::string_view to_string(Tree::Kind kind);

/// All documents of a YAML or JSON text (the first character that is no white space decides: `{` or
/// `[` is JSON, else YAML 1.2 core schema: yes/no/on/off are strings; merge keys `<<` are
/// followed). Empty documents are dropped. Errors: syntax, duplicate keys, tabs in indentation,
/// invalid UTF-8, control characters, nesting deeper than kMaxNesting, anchors that expand to more
/// nodes than a file of that size may (100 bytes of text count as one more); each with
/// file:line:column. A missing value stands where its key does.
Result<std::vector<Tree>> parse_documents(std::string_view text, const std::string& file);

/// The same with the format given. JSON may be several values in a row.
Result<std::vector<Tree>> parse_yaml(std::string_view text, const std::string& file);
Result<std::vector<Tree>> parse_json(std::string_view text, const std::string& file);

constexpr std::size_t kMaxNesting = 200;

/// True for the errors of the two limits above (input that is well formed but too much).
bool is_limit_error(const Error& error);

/// YAML text of a node, block style, quoting where a plain scalar would be read as something else,
/// by YAML 1.1 readers too. parse_yaml(emit_yaml(x)) == x for every x but null, which is an empty
/// document.
std::string emit_yaml(const Tree& node);
/// JSON on one line, without a line break at its end. Infinities and NaN, which JSON lacks, become
/// texts.
std::string emit_json(const Tree& node);

}  // namespace ballast::doc
