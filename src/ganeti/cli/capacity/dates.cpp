// SPDX-License-Identifier: BSD-2-Clause
#include "dates.hpp"

#include <fmt/format.h>

#include <cctype>
#include <chrono>
#include <cmath>

namespace ballast::ganeti::cli {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// The number of exactly that many digits at the place; none where there are others.
std::optional<int> digits_at(std::string_view text, std::size_t at, std::size_t count) {
  if (at + count > text.size()) return std::nullopt;
  int number = 0;
  for (std::size_t i = at; i < at + count; ++i) {
    if (!is_digit(text[i])) return std::nullopt;
    number = number * 10 + (text[i] - '0');
  }
  return number;
}

struct Found {
  double day = 0;
  std::size_t end = 0;  ///< behind it
};

std::optional<Found> date_at(std::string_view text, std::size_t at) {
  const std::size_t dash = at + 4 < text.size() && text[at + 4] == '-' ? 1 : 0;
  const auto year = digits_at(text, at, 4);
  const auto month = digits_at(text, at + 4 + dash, 2);
  if (dash == 1 && (at + 7 >= text.size() || text[at + 7] != '-')) return std::nullopt;
  const auto day = digits_at(text, at + 6 + 2 * dash, 2);
  if (!year || !month || !day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  const std::size_t end = at + 8 + 2 * dash;
  if (end < text.size() && is_digit(text[end])) return std::nullopt;
  return Found{static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count()), end};
}

/// The share of the day that a time behind a date says; 0 where there is none.
double time_at(std::string_view text, std::size_t at) {
  if (at >= text.size() || (text[at] != 'T' && text[at] != '_' && text[at] != '-')) return 0;
  const std::size_t colon = at + 3 < text.size() && text[at + 3] == ':' ? 1 : 0;
  const auto hour = digits_at(text, at + 1, 2);
  const auto minute = digits_at(text, at + 3 + colon, 2);
  constexpr int kMinutes = 60;
  constexpr int kHours = 24;
  if (!hour || !minute || *hour >= kHours || *minute >= kMinutes) return 0;
  return static_cast<double>(*hour * kMinutes + *minute) / (kHours * kMinutes);
}

}  // namespace

std::optional<double> find_date(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (at > 0 && is_digit(text[at - 1])) continue;
    if (const auto found = date_at(text, at)) return found->day + time_at(text, found->end);
  }
  return std::nullopt;
}

std::string date_text(std::int64_t day) {
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(day))};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

}  // namespace ballast::ganeti::cli
