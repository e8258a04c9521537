// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "names.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ballast::report {

/// A table that becomes a list of cards where the screen is narrow: each cell knows its heading.
class HtmlTable {
 public:
  /// Cells of columns in `texts` are words, the others figures; both are HTML.
  HtmlTable(std::vector<std::string> headings, std::vector<bool> is_text);
  /// `look`: a class of the row; an empty cell is left out where it would be a line of its own.
  void add(const std::vector<std::string>& cells, std::string_view look = "");
  [[nodiscard]] std::string text() const;

 private:
  std::vector<std::string> headings_;
  std::vector<bool> is_text_;
  std::string rows_;
};

/// The figures of `sections` that change: names down, figures across, shares of gauges in per cent;
/// or, where most cells would be empty or a figure is no number, a line for each change. Empty
/// where none changes. `most_open`: more names than that are folded away.
std::string html_figure_table(const PageView& page,
                              const std::vector<const FigureSection*>& sections,
                              std::size_t most_open);

}  // namespace ballast::report
