// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/kube/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>

namespace ballast::kube {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr Wide kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t kMostWholeDigits = 30;
constexpr std::size_t kMostFractionDigits = 18;
constexpr int kMostExponent = 60;

struct Suffix {
  std::string_view text;
  int decimal = 0;  ///< power of ten
  int binary = 0;   ///< power of two
};

constexpr std::array<Suffix, 15> kSuffixes{{{"n", -9, 0},
                                            {"u", -6, 0},
                                            {"m", -3, 0},
                                            {"k", 3, 0},
                                            {"M", 6, 0},
                                            {"G", 9, 0},
                                            {"T", 12, 0},
                                            {"P", 15, 0},
                                            {"E", 18, 0},
                                            {"Ki", 0, 10},
                                            {"Mi", 0, 20},
                                            {"Gi", 0, 30},
                                            {"Ti", 0, 40},
                                            {"Pi", 0, 50},
                                            {"Ei", 0, 60}}};

std::optional<Suffix> read_suffix(std::string_view text) {
  if (text.empty()) return Suffix{};
  const auto* const known = std::ranges::find(kSuffixes, text, &Suffix::text);
  if (known != kSuffixes.end()) return *known;
  if (text.front() != 'e' && text.front() != 'E') return std::nullopt;
  text.remove_prefix(1);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  int exponent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) return std::nullopt;
  if (error != std::errc{}) exponent = text.starts_with('-') ? -kMostExponent : kMostExponent;
  return Suffix{"", std::clamp(exponent, -kMostExponent, kMostExponent), 0};
}

std::string_view take_digits(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view digits = text.substr(0, end);
  text.remove_prefix(end);
  return digits;
}

/// `digits` x 10^-`scale` x 2^`binary`, rounded up; none beyond the range. `is_cut` says that
/// digits behind were left out.
std::optional<std::int64_t> scaled(Wide digits, int scale, int binary, bool is_cut) {
  for (; scale < 0; ++scale) {
    if (digits > kMost) return std::nullopt;
    digits *= 10;
  }
  Wide divisor = 1;
  for (; scale > 0; --scale) {
    if (divisor > digits && binary == 0) {
      is_cut = is_cut || digits != 0;
      digits = 0;
      break;
    }
    divisor *= 10;
  }
  const Wide whole = digits / divisor;
  if (whole > (kMost >> static_cast<unsigned>(binary))) return std::nullopt;
  const Wide rest = (digits % divisor) << static_cast<unsigned>(binary);
  Wide result = (whole << static_cast<unsigned>(binary)) + rest / divisor;
  if (rest % divisor != 0 || is_cut) ++result;
  if (result > kMost) return std::nullopt;
  return static_cast<std::int64_t>(result);
}

}  // namespace

std::int64_t Quantity::value() const {
  return milli >= 0 ? milli / 1000 + (milli % 1000 != 0 ? 1 : 0)
                    : milli / 1000 - (milli % 1000 != 0 ? 1 : 0);
}

Result<Quantity> parse_quantity(std::string_view text, const Place& place) {
  std::string_view rest = text;
  const bool is_negative = rest.starts_with('-');
  if (is_negative || rest.starts_with('+')) rest.remove_prefix(1);
  std::string_view whole = take_digits(rest);
  std::string_view fraction;
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    fraction = take_digits(rest);
  }
  const auto suffix = read_suffix(rest);
  if ((whole.empty() && fraction.empty()) || !suffix) {
    return fail(fmt::format("{}: expected a quantity such as 500m, 2 or 16Gi", quoted(text)),
                place);
  }
  whole.remove_prefix(std::min(whole.find_first_not_of('0'), whole.size()));
  const std::string_view kept = fraction.substr(0, kMostFractionDigits);
  const bool is_cut = fraction.find_first_not_of('0', kept.size()) != std::string_view::npos;
  std::optional<std::int64_t> milli;
  if (whole.size() <= kMostWholeDigits - kept.size() + kMostFractionDigits &&
      whole.size() + kept.size() <= 38) {
    Wide digits = 0;
    for (const std::string_view part : {whole, kept}) {
      for (const char c : part) digits = digits * 10 + static_cast<unsigned>(c - '0');
    }
    const int scale = static_cast<int>(kept.size()) - 3 - suffix->decimal;
    milli = digits == 0 && !is_cut ? 0 : scaled(digits, scale, suffix->binary, is_cut);
  }
  if (!milli)
    return fail(fmt::format("{}: expected a quantity of at most 8Pi", quoted(text)), place);
  return Quantity{is_negative ? -*milli : *milli};
}

std::string format_bytes(std::int64_t bytes) {
  std::string_view suffix;
  for (const Suffix& candidate : kSuffixes) {
    if (candidate.binary != 0 && bytes != 0 && bytes % (std::int64_t{1} << candidate.binary) == 0) {
      suffix = candidate.text;
    }
  }
  const auto* const unit = std::ranges::find(kSuffixes, suffix, &Suffix::text);
  return unit == kSuffixes.end()
             ? fmt::format("{}", bytes)
             : fmt::format("{}{}", bytes / (std::int64_t{1} << unit->binary), suffix);
}

std::string format_cpu(std::int64_t milli) {
  return milli % 1000 == 0 ? fmt::format("{}", milli / 1000) : fmt::format("{}m", milli);
}

}  // namespace ballast::kube
