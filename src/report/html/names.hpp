// SPDX-License-Identifier: BSD-2-Clause
// How names and figures read on a report page.
#pragma once

#include "ballast/report/figures.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ballast::report {

/// "1,234,567".
std::string grouped(std::int64_t number);

/// In the largest binary unit that leaves at least 1: "1.5 TiB", "512.0 MiB"; "0" for nothing.
std::string big_size_text(std::int64_t bytes);

/// A text in which sizes of 1024.0 GiB and more are told as above.
std::string in_larger_units(std::string text);

/// A figure, sizes as above, numbers with separators.
std::string big_figure_text(bool is_bytes, const Value& value);

/// Used of total in per cent; a total of 0 counts as full where something is used.
double share_of(const Gauge& gauge);

/// Names without the ending, from a dot on, that all of them have.
class ShortNames {
 public:
  explicit ShortNames(const std::vector<std::string>& names);
  [[nodiscard]] std::string_view shown(std::string_view name) const;
  /// A text in which the ending is left out wherever a name ends.
  [[nodiscard]] std::string shorten(std::string text) const;
  /// ".example.com"; empty: none.
  [[nodiscard]] const std::string& ending() const { return ending_; }

 private:
  std::string ending_;
};

/// What all parts of a page look at, computed once.
struct PageView {
  explicit PageView(const plan::Plan& whole);
  const plan::Plan& plan;
  std::vector<FigureSection> sections;
  ShortNames names;  ///< of all that Plan::before and Plan::after name
};

}  // namespace ballast::report
