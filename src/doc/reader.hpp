// SPDX-License-Identifier: BSD-2-Clause
// What the readers of both formats share.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "ballast/doc/tree.hpp"

namespace ballast::doc {

/// The text of a file, without its byte order mark, and what error messages need from it.
class Source {
 public:
  Source(std::string_view text, const std::string& file);

  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] const FileName& file() const { return file_; }

  /// Line and column of a byte offset, found by counting: for errors only.
  [[nodiscard]] Place place_at(std::size_t offset) const;
  [[nodiscard]] Place place(Position position) const {
    return {*file_, position.line, position.column};
  }

  /// "TEXT": message, where TEXT is the rest of the line at the offset; "end of the file" without
  /// quotes at its end.
  [[nodiscard]] Error error_at(std::size_t offset, std::string_view message) const;

 private:
  std::string_view text_;
  FileName file_;
};

/// Lines that no document of Kubernetes has (8 MiB): the YAML parser takes long for them.
Status check_line_lengths(const Source& source);

/// Invalid UTF-8 and characters that neither format may contain (control characters but tab and
/// line breaks).
Status check_characters(const Source& source);

/// Finds duplicate keys as they come, in constant time once a map is large.
class KeySet {
 public:
  /// False where `key` is among `entries`, all of which were announced before.
  bool add(const std::vector<Tree::Entry>& entries, std::string_view key);

 private:
  std::unordered_set<std::string> keys_;
};

Error duplicate_key(const Source& source, std::string_view key, Position second, const Tree& first);
/// How many values a JSON text of that many bytes may hold: memory stays within ten times the text.
constexpr std::size_t max_values(std::size_t bytes) { return 300'000 + bytes / 16; }
/// How many nodes the anchors and aliases of a YAML text of that many bytes may stand for, for the
/// same reason.
constexpr std::size_t max_expansion(std::size_t bytes) { return 20'000 + bytes / 2; }

Error too_deep(Place place);
Error too_large(Place place, std::size_t most);
Error too_many(Place place);

/// Kind and value of a scalar without quotes, by the core schema of YAML 1.2.
Tree resolve_plain(std::string text);

}  // namespace ballast::doc
