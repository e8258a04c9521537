// SPDX-License-Identifier: BSD-2-Clause
// Typed reading of a mapping: each key once, every problem recorded, keys that nobody asked for
// reported at the end.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ballast/core/remark.hpp"
#include "ballast/doc/tree.hpp"
#include "ballast/operators/input/diagnostics.hpp"

namespace ballast::operators {

/// A key that nobody knows, and the known one beside it that it may be meant to be.
struct UnknownKey {
  std::string path;
  std::string nearest;  ///< empty: none is near
};

/// The tool's codes of what a reader complains of.
struct ReadCodes {
  std::string_view kind;    ///< another kind of value than expected
  std::string_view range;   ///< a number out of its range
  std::string_view choice;  ///< none of the words
};

/// Where a reader puts what it has to say.
struct ReadContext {
  Diagnostics* errors = nullptr;
  std::vector<Remark>* notes = nullptr;             ///< nullptr: nobody wants them
  std::vector<UnknownKey>* unknown_keys = nullptr;  ///< nullptr: nobody wants them
  ReadCodes codes;
};

using Pairs = std::vector<std::pair<std::string, std::string>>;  ///< sorted by key

/// A whole number in decimal and nothing else.
std::optional<std::int64_t> whole_number(std::string_view text);

class MapReader {
 public:
  /// A node that is absent or null reads as an empty mapping; anything but a mapping
  /// is an error.
  MapReader(const doc::Tree* node, std::string path, const ReadContext& context);

  [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }
  /// The raw node; the key counts as known. Null counts as absent.
  const doc::Tree* raw(std::string_view key);
  MapReader map(std::string_view key);
  /// A list of mappings; anything but a list is an error. Each is to be finished by its user.
  std::vector<MapReader> maps(std::string_view key);
  void ignore(std::initializer_list<std::string_view> keys);

  void integer(std::string_view key, std::int64_t& out,
               std::int64_t least = std::numeric_limits<std::int64_t>::min(),
               std::int64_t most = std::numeric_limits<std::int64_t>::max());
  void integer(std::string_view key, int& out, std::int64_t least = std::numeric_limits<int>::min(),
               std::int64_t most = std::numeric_limits<int>::max());
  void integer(std::string_view key, std::optional<int>& out,
               std::int64_t least = std::numeric_limits<int>::min());
  void boolean(std::string_view key, bool& out);
  void text(std::string_view key, std::string& out);
  /// Scalars of any kind as text (knobs, percent values).
  void any_text(std::string_view key, std::string& out);
  void texts(std::string_view key, std::vector<std::string>& out);
  /// One of `names`; the position; nothing, and an error, otherwise.
  std::optional<std::size_t> one_of(std::string_view key,
                                    const std::vector<std::string_view>& names);
  void pairs(std::string_view key, Pairs& out);

  /// Notes each key that was not asked for.
  void finish();
  [[nodiscard]] std::string path_of(std::string_view key) const;
  [[nodiscard]] const doc::Tree* node() const { return node_; }
  void complain(std::string_view code, const doc::Tree& at, std::string_view key,
                std::string message);
  [[nodiscard]] const ReadContext& context() const { return context_; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  [[nodiscard]] const doc::Tree* find(std::string_view key) const;
  [[nodiscard]] std::string nearest(std::string_view key) const;
  const doc::Tree* node_ = nullptr;
  std::string path_;
  ReadContext context_;
  std::set<std::string, std::less<>> known_;
};

}  // namespace ballast::operators
