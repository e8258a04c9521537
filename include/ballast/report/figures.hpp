// SPDX-License-Identifier: BSD-2-Clause
// Plan::before and Plan::after, turned round: one section per figure, one row per node (domain,
// set).
#pragma once

#include "ballast/plan/plan.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ballast::report {

struct Gauge {
  std::int64_t used = 0;
  std::int64_t total = 0;
  friend bool operator==(const Gauge&, const Gauge&) = default;
};

/// The gauge that a value is: a map with the integers "used" and "total".
std::optional<Gauge> gauge_of(const Value& value);

struct FigureRow {
  std::string name;
  Value before;  ///< null: not there before
  Value after;   ///< null: not there afterwards
  [[nodiscard]] bool is_changed() const { return before != after; }
};

/// The title of figures that have no word of their own: the name says it all.
constexpr std::string_view kPlainFigure = "value";

struct FigureSection {
  std::string title;   ///< "memory", "storage ssd"
  std::string figure;  ///< our own word of it: "memory", "storage"
  std::string unit;    ///< the cluster's word below it, if any: "ssd"
  bool is_bytes = false;
  bool is_gauge = false;  ///< every value of it is a gauge (or null)
  std::vector<FigureRow> rows;
};

/// In the order of first appearance; rows in the order of `before`, then what is only in `after`.
std::vector<FigureSection> figure_sections(const plan::Plan& plan);

/// "60.0 GiB", "6", "60.0 of 64.0 GiB"; "-" for null.
std::string figure_text(bool is_bytes, const Value& value);

}  // namespace ballast::report
