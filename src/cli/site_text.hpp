// SPDX-License-Identifier: BSD-2-Clause
// The lines of a site's file: where its sections and keys stand, and what no reader of TOML may
// take for something else.
#pragma once

#include "ballast/core/result.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ballast::cli {

class SiteText {
 public:
  SiteText(std::string_view text, std::string file);

  /// The text as the parser takes it: without a mark of byte order, without comments behind
  /// sections.
  [[nodiscard]] const std::string& text() const { return text_; }
  /// A section without its end, a value without its end or its name, a key that stands twice.
  [[nodiscard]] Status check() const;
  /// Where a key stands first; the section itself where the key is empty.
  [[nodiscard]] Place place_of(std::string_view section, std::string_view key) const;

 private:
  struct Row {
    std::string section;
    std::string key;    ///< empty: the section begins here
    std::string value;  ///< of the line
    std::size_t line = 0;
    std::size_t column = 0;
    bool is_closed = true;     ///< the section's bracket
    bool is_nameless = false;  ///< a value without a key
  };
  void read_section(std::string_view words, Row row);
  void read_setting(std::string_view words, Row row);
  void add(Row row);
  [[nodiscard]] Place at(const Row& row) const { return {file_, row.line, row.column}; }

  std::string file_;
  std::string text_;
  std::vector<Row> rows_;
  /// Section and key -> the row where they stand first.
  std::map<std::pair<std::string, std::string>, std::size_t> first_;
};

}  // namespace ballast::cli
