// SPDX-License-Identifier: BSD-2-Clause
// Small readers of option values, for the catalogue's tables.
#pragma once

#include "ballast/core/strings.hpp"
#include "ballast/ganeti/backend/json/number.hpp"
#include "ballast/ganeti/cli/options/catalogue.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ballast::ganeti::cli {

using MaybeText = std::optional<std::string_view>;
using ballast::cli::Takes;

/// The parser guarantees a value where an option needs one.
inline std::string text_of_value(MaybeText value) { return std::string(value.value_or("")); }

inline std::vector<std::string> comma_list(MaybeText value) {
  std::vector<std::string> items;
  for (const std::string_view item : split(value.value_or(""), ',')) items.emplace_back(item);
  return items;
}

inline Status set_double(double& target, std::string_view label, MaybeText value) {
  const auto number = parse_double(label, value.value_or(""));
  if (!number) return fail(number.error());
  target = *number;
  return {};
}

inline Status set_int(std::int64_t& target, std::string_view label, MaybeText value) {
  const auto number = parse_int(label, value.value_or(""));
  if (!number) return fail(number.error());
  target = *number;
  return {};
}

/// "yes", "no"; no value: yes.
inline Status set_choice(bool& target, MaybeText value) {
  if (value && *value != "yes" && *value != "no") {
    return fail(fmt::format("Invalid choice '{}', pass one of 'yes' or 'no'", *value));
  }
  target = value != std::optional<std::string_view>("no");
  return {};
}

}  // namespace ballast::ganeti::cli
