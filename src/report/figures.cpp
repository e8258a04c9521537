// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/report/figures.hpp"
#include "ballast/core/words.hpp"

#include "ballast/report/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace ballast::report {
namespace {

constexpr std::string_view kBytes = "_bytes";

class Collector {
 public:
  std::vector<FigureSection> run(const plan::Plan& plan) {
    collect(plan.before, &FigureRow::before);
    collect(plan.after, &FigureRow::after);
    for (FigureSection& section : sections_) section.is_gauge = has_only_gauges(section);
    return std::move(sections_);
  }

 private:
  static bool has_only_gauges(const FigureSection& section) {
    return std::ranges::all_of(section.rows, [](const FigureRow& row) {
      return (row.before.is_null() || gauge_of(row.before)) &&
             (row.after.is_null() || gauge_of(row.after));
    });
  }

  void collect(const Value& summary, Value FigureRow::*side) {
    const auto* names = summary.get<ValueMap>();
    if (names == nullptr) return;
    for (const auto& [name, figures] : *names) flatten(name, {}, figures, side);
  }

  /// The words that lead to a value below its name.
  struct Path {
    std::string figure;
    std::string unit;
    bool is_bytes = false;
  };

  void flatten(const std::string& name, const Path& path, const Value& value,
               Value FigureRow::*side) {
    const auto* map = value.get<ValueMap>();
    if (map == nullptr || gauge_of(value)) {
      row(path, name).*side = value;
      return;
    }
    for (const auto& [key, item] : *map) {
      const bool is_key_bytes = key.ends_with(kBytes);
      std::string word = key.substr(0, key.size() - (is_key_bytes ? kBytes.size() : 0));
      Path below = path;
      below.is_bytes |= is_key_bytes;
      if (path.figure.empty()) {
        // Only our own keys have underscores for blanks; below them stand names of units.
        below.figure = key_in_words(word);
      } else {
        below.unit += (path.unit.empty() ? "" : " ") + word;
      }
      flatten(name, below, item, side);
    }
  }

  FigureRow& row(const Path& path, const std::string& name) {
    const std::string figure = path.figure.empty() ? std::string(kPlainFigure) : path.figure;
    const std::string title = path.unit.empty() ? figure : figure + " " + path.unit;
    const auto [section, is_new] = section_of_.try_emplace(title, sections_.size());
    if (is_new) {
      sections_.push_back({title, figure, path.unit, path.is_bytes, false, {}});
      rows_of_.emplace_back();
    }
    auto& rows = sections_[section->second].rows;
    const auto [at, is_new_row] = rows_of_[section->second].try_emplace(name, rows.size());
    if (is_new_row) rows.push_back({name, {}, {}});
    return rows[at->second];
  }

  std::vector<FigureSection> sections_;
  std::unordered_map<std::string, std::size_t> section_of_;
  std::vector<std::unordered_map<std::string, std::size_t>> rows_of_;
};

}  // namespace

std::optional<Gauge> gauge_of(const Value& value) {
  const Value* used = value.find("used");
  const Value* total = value.find("total");
  if (used == nullptr || total == nullptr) return std::nullopt;
  const auto* used_number = used->get<std::int64_t>();
  const auto* total_number = total->get<std::int64_t>();
  if (used_number == nullptr || total_number == nullptr) return std::nullopt;
  return Gauge{*used_number, *total_number};
}

std::vector<FigureSection> figure_sections(const plan::Plan& plan) { return Collector().run(plan); }

std::string figure_text(bool is_bytes, const Value& value) {
  const auto number = [&](std::int64_t n) { return is_bytes ? size_text(n) : std::to_string(n); };
  if (value.is_null()) return "-";
  if (const auto gauge = gauge_of(value)) {
    std::string used = number(gauge->used);
    const std::string total = number(gauge->total);
    // "60.0 of 64.0 GiB": the unit once, where it is the same.
    if (is_bytes && used.substr(used.size() - 4) == total.substr(total.size() - 4))
      used.resize(used.size() - 4);
    return fmt::format("{} of {}", used, total);
  }
  const auto* integer = value.get<std::int64_t>();
  return integer != nullptr ? number(*integer) : value_text(value);
}

}  // namespace ballast::report
