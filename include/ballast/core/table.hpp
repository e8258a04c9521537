// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ballast {

/// A text table as the reference prints it: each line is prefix, blank, cells padded to their
/// column and joined by one blank, newline. The last column is padded too, so trailing blanks
/// occur. Widths count code points.
struct TextTable {
  enum class Align { Left, Right };
  struct Column {
    std::string header;
    Align align = Align::Left;
  };

  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;  ///< each as long as `columns`

  [[nodiscard]] std::string render(std::string_view prefix = "") const;
};

/// Lines without the padding of their last column.
std::string without_trailing_blanks(std::string_view lines);

}  // namespace ballast
