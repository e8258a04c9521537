// SPDX-License-Identifier: BSD-2-Clause
#include "names.hpp"

#include "ballast/core/decimal.hpp"

#include "ballast/report/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace ballast::report {
namespace {

std::vector<std::string> names_of(const std::vector<FigureSection>& sections) {
  std::vector<std::string> names;
  for (const FigureSection& section : sections) {
    for (const FigureRow& row : section.rows) names.push_back(row.name);
  }
  return names;
}

}  // namespace

std::string grouped(std::int64_t number) {
  std::string digits = std::to_string(number);
  const std::ptrdiff_t first = number < 0 ? 1 : 0;
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > first; at -= 3)
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  return digits;
}

std::string big_size_text(std::int64_t bytes) {
  constexpr std::array<std::string_view, 5> kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB"};
  if (bytes == 0) return "0";
  double size = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (unit + 1 < kUnits.size() && std::abs(size) >= 1024) {
    size /= 1024;
    ++unit;
  }
  return fmt::format("{} {}", fixed(size, 1), kUnits[unit]);
}

std::string in_larger_units(std::string text) {
  constexpr std::string_view kUnit = " GiB";
  for (std::size_t at = text.find(kUnit); at != std::string::npos; at = text.find(kUnit, at + 1)) {
    std::size_t begin = at;
    while (begin > 0 &&
           (text[begin - 1] == '.' || (text[begin - 1] >= '0' && text[begin - 1] <= '9')))
      --begin;
    const double size = std::strtod(text.substr(begin, at - begin).c_str(), nullptr);
    if (size < 1024 || size > 1e9) continue;
    const auto bytes = static_cast<std::int64_t>(size * 1024 * 1024 * 1024);
    text.replace(begin, at + kUnit.size() - begin, big_size_text(bytes));
    at = begin;
  }
  return text;
}

std::string big_figure_text(bool is_bytes, const Value& value) {
  const auto number = [&](std::int64_t n) { return is_bytes ? big_size_text(n) : grouped(n); };
  if (const auto gauge = gauge_of(value))
    return fmt::format("{} of {}", number(gauge->used), number(gauge->total));
  if (const auto* yes = value.get<bool>()) return *yes ? "yes" : "no";
  const auto* integer = value.get<std::int64_t>();
  return integer != nullptr ? number(*integer) : figure_text(is_bytes, value);
}

double share_of(const Gauge& gauge) {
  if (gauge.total <= 0) return gauge.used > 0 ? 100 : 0;
  return 100 * static_cast<double>(gauge.used) / static_cast<double>(gauge.total);
}

ShortNames::ShortNames(const std::vector<std::string>& names) {
  if (names.size() < 2) return;
  std::string_view common = names.front();
  for (const std::string_view name : names) {
    std::size_t length = 0;
    while (length < common.size() && length < name.size() &&
           common[common.size() - 1 - length] == name[name.size() - 1 - length])
      ++length;
    common.remove_prefix(common.size() - length);
  }
  const std::size_t dot = common.find('.');
  if (dot == std::string_view::npos) return;
  common.remove_prefix(dot);
  // A name that is nothing but the ending keeps it.
  if (std::ranges::any_of(names, [&](const std::string& name) { return name == common; })) return;
  ending_ = common;
}

std::string_view ShortNames::shown(std::string_view name) const {
  if (!ending_.empty() && name.size() > ending_.size() && name.ends_with(ending_))
    name.remove_suffix(ending_.size());
  return name;
}

std::string ShortNames::shorten(std::string text) const {
  if (ending_.empty()) return text;
  const auto goes_on = [&](std::size_t at) {
    const char next = at < text.size() ? text[at] : ' ';
    return next == '.' || next == '-' || (next >= '0' && next <= '9') ||
           (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z');
  };
  for (std::size_t at = text.find(ending_); at != std::string::npos; at = text.find(ending_, at)) {
    if (at == 0 || text[at - 1] == ' ' || goes_on(at + ending_.size())) {
      ++at;
    } else {
      text.erase(at, ending_.size());
    }
  }
  return text;
}

PageView::PageView(const plan::Plan& whole)
    : plan(whole), sections(figure_sections(whole)), names(names_of(sections)) {}

}  // namespace ballast::report
