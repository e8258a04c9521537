// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>

#include "ballast/ganeti/shown/shown.hpp"

namespace ballast::ganeti {
namespace {

constexpr std::string_view kPrefix = "ganeti:watcher:autorepair:";

struct Repair {
  std::string_view tag;
  std::string_view shown;
};
/// The least intrusive first: of several the first here counts.
constexpr std::array<Repair, 4> kRepairs{{{"fix-storage", "ArFixStorage"},
                                          {"migrate", "ArMigrate"},
                                          {"failover", "ArFailover"},
                                          {"reinstall", "ArReinstall"}}};

constexpr std::int64_t kForever = std::numeric_limits<std::int64_t>::max();

/// Seconds since 1970; what has more digits than fit lies at the end of time.
std::optional<std::int64_t> moment_of(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  const bool is_number = !text.empty() && text.find_first_not_of("0123456789") == text.npos;
  if (!is_number) return std::nullopt;
  std::int64_t seconds = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), seconds);
  return read.ec == std::errc() ? seconds : kForever - 1;
}

/// Until when this tag suspends repairs; none where it does not.
std::optional<std::int64_t> suspended_until(std::string_view tag, std::int64_t now) {
  constexpr std::string_view kSuspend = "suspend";
  if (!tag.starts_with(kSuspend)) return std::nullopt;
  tag.remove_prefix(kSuspend.size());
  if (tag.empty() || tag == ":") return kForever;
  if (tag.front() != ':') return std::nullopt;
  const auto moment = moment_of(tag.substr(1));
  return moment && *moment > now ? moment : std::nullopt;
}

/// "Wed Nov 16 09:46:39 UTC 5138", in the proleptic Gregorian calendar.
std::string shown_moment(std::int64_t seconds) {
  constexpr std::array<std::string_view, 7> kDays{"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};
  constexpr std::array<std::string_view, 12> kMonths{"Mar", "Apr", "May", "Jun", "Jul", "Aug",
                                                     "Sep", "Oct", "Nov", "Dec", "Jan", "Feb"};
  constexpr std::int64_t kDay = 24 * 60 * 60;
  constexpr std::int64_t kEra = 146097;           // days of 400 years
  const std::int64_t days = seconds / kDay;       // not negative: moments lie after now
  const std::int64_t from_march = days + 719468;  // since 1 March of the year 0
  const std::int64_t day_of_era = from_march % kEra;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const std::int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t month = (5 * day_of_year + 2) / 153;  // 0 is March
  const std::int64_t day = day_of_year - (153 * month + 2) / 5 + 1;
  const std::int64_t year = year_of_era + from_march / kEra * 400 + (month >= 10 ? 1 : 0);
  const std::int64_t second = seconds % kDay;
  return fmt::format("{} {} {:2} {:02}:{:02}:{:02} UTC {}",
                     kDays[static_cast<std::size_t>(days % 7)],
                     kMonths[static_cast<std::size_t>(month)], day, second / 3600, second / 60 % 60,
                     second % 60, year);
}

std::optional<std::string> policy_of(const std::vector<std::string>& tags, std::int64_t now) {
  std::optional<std::int64_t> until;
  std::size_t repair = kRepairs.size();
  for (const std::string_view tag : tags) {
    if (!tag.starts_with(kPrefix)) continue;
    const std::string_view wish = tag.substr(kPrefix.size());
    if (const auto end = suspended_until(wish, now)) until = std::max(until.value_or(*end), *end);
    for (std::size_t i = 0; i < repair; ++i) {
      if (kRepairs[i].tag == wish) repair = i;
    }
  }
  if (until == kForever) return "ArSuspended Forever";
  if (until) return fmt::format("ArSuspended (Until {})", shown_moment(*until));
  if (repair < kRepairs.size()) return fmt::format("ArEnabled {}", kRepairs[repair].shown);
  return std::nullopt;
}

}  // namespace

std::string shown_auto_repair(const std::vector<const std::vector<std::string>*>& tag_lists,
                              std::int64_t now) {
  for (const auto* tags : tag_lists) {
    if (auto policy = policy_of(*tags, now)) return std::move(*policy);
  }
  return "ArNotEnabled";
}

}  // namespace ballast::ganeti
