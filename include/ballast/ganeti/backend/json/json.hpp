// SPDX-License-Identifier: BSD-2-Clause
// JSON as the reference reads it, quirks and error texts included, on a flat tape instead of a tree
// of nodes. (A top level must be an object or an array, numbers are exact, duplicate members stay,
// surrogates are not combined.)
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/core/result.hpp"

namespace ballast::ganeti::json {

enum class Kind : std::uint8_t { Null, False, True, Number, String, Array, Object };

/// One token. Containers are followed by their content; an object's content is key, value, key,
/// value, ...
struct Entry {
  std::uint32_t begin = 0;  ///< offset in the text; strings: behind the quote
  std::uint32_t length =
      0;  ///< bytes; strings: without quotes; containers: number of elements or members
  std::uint32_t next = 0;  ///< index behind this value and its content
  Kind kind = Kind::Null;
  bool has_escapes = false;  ///< strings only
};

class Document;

/// A value of a document that must outlive it; cheap to copy.
class Value {
 public:
  Value() = default;
  Value(const Document* document, std::uint32_t at) : document_(document), at_(at) {}

  [[nodiscard]] Kind kind() const;
  [[nodiscard]] bool is(Kind wanted) const { return kind() == wanted; }
  /// Elements or members; 0 for anything else.
  [[nodiscard]] std::uint32_t size() const;
  /// The bytes of the number or string as written (no escapes resolved); empty for anything else.
  [[nodiscard]] std::string_view raw() const;
  /// String with escapes resolved. A surrogate becomes the three bytes of its own code point, which
  /// no valid text contains.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool text_equals(std::string_view other) const;
  /// First member with that key, or nothing (is_missing). Precondition: an object.
  [[nodiscard]] Value member(std::string_view key) const;
  [[nodiscard]] bool is_missing() const { return document_ == nullptr; }
  /// Walk a container: first() is the first element (or key), after() what follows this value on
  /// the same level.
  [[nodiscard]] Value first() const { return {document_, at_ + 1}; }
  [[nodiscard]] Value after() const;

 private:
  const Document* document_ = nullptr;
  std::uint32_t at_ = 0;
};

/// The message for a document that is not UTF-8; the reference dies there with words of its own.
inline constexpr std::string_view kBadBytes =
    "hGetContents: invalid argument (invalid byte sequence)";

class Document {
 public:
  /// Errors in the reference's words, without any prefix. `text` is kept.
  static Result<std::unique_ptr<Document>> parse(std::string text);
  [[nodiscard]] Value root() const { return {this, 0}; }

 private:
  friend class Value;
  std::string text_;
  std::vector<Entry> tape_;
};

/// What a conversion accepts and how it words its refusal is the reference's
/// (man/ballast-iallocator.5).
Result<std::int64_t> to_int(Value value);  ///< rounded half to even, modulo 2^64
Result<double> to_double(Value value);     ///< correctly rounded
Result<bool> to_bool(Value value);
Result<std::string> to_string(Value value);  ///< also an array of one-character strings
Result<std::vector<std::string>> to_strings(Value value);
Result<Value> to_object(Value value);  ///< "Unable to read JSObject"
Result<Value> to_list(Value value);    ///< "Unable to read list"

/// ["a","b"]: the keys of an object in document order, as error texts show them.
std::string shown_keys(Value object);
/// The reference's pretty form, unwrapped: [1, 2], {"a": 1}.
std::string pretty(Value value);
/// The reference's internal notation, which some of its messages show: JSArray [JSRational False (3
/// % 2),JSNull].
std::string internal(Value value);
/// A number as the reference shows it where a whole one is asked for: 3 % 2; none where it is
/// whole.
std::optional<std::string> shown_fraction(Value number);

/// The value of a key: "key 'k' not found, object contains only [...]".
Result<Value> required(Value object, std::string_view key);
/// Missing and null are absent.
Value optional(Value object, std::string_view key);

/// "key 'k': MESSAGE" around a conversion's error.
Error at_key(std::string_view key, Error error);

template <class Convert>
auto required(Value object, std::string_view key, Convert convert) -> decltype(convert(object)) {
  const auto value = required(object, key);
  if (!value) return fail(value.error());
  auto converted = convert(*value);
  if (!converted) return fail(at_key(key, std::move(converted.error())));
  return converted;
}

}  // namespace ballast::ganeti::json
