// SPDX-License-Identifier: BSD-2-Clause
// The rules of storage units as one table: each says what must stay free of a unit, when that is
// looked at, and whose wish it is. Checks, screens, words and ways out follow from the row.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

#include "ballast/ganeti/model/refusal.hpp"
#include "ballast/ganeti/model/storage.hpp"

namespace ballast::ganeti {

enum class Asked : std::uint8_t {
  Taking,  ///< disk by disk, before it is taken; always
  Taken,   ///< once all disks are taken; force lifts it
  Step,    ///< before and after a whole step: what is broken already may not get worse; always
};

struct UnitRule {
  Rule rule;
  Rule forthcoming;  ///< the same with forthcoming instances counted; often told alike
  Asked asked;
  std::int64_t Capacity::*kept;  ///< MiB that must stay free; null: nothing
  std::string_view wish;         ///< whose wish that is
};

/// In the order in which they refuse.
inline constexpr std::array kUnitRules{
    UnitRule{Rule::UnitFull, Rule::ForthcomingUnitFull, Asked::Taking, nullptr, ""},
    UnitRule{Rule::UnitLowWater, Rule::ForthcomingUnitLowWater, Asked::Taken,
             &Capacity::low_water_mib, "--min-disk"},
    UnitRule{Rule::UnitReserve, Rule::UnitReserve, Asked::Step, &Capacity::reserve_mib, "reserve"},
};

/// The row of a rule; null where it is none about what is free of a unit.
constexpr const UnitRule* unit_rule(Rule rule) {
  const auto place = std::find_if(
      kUnitRules.begin(), kUnitRules.end(),
      [rule](const UnitRule& row) { return row.rule == rule || row.forthcoming == rule; });
  return place == kUnitRules.end() ? nullptr : &*place;
}

inline std::int64_t kept_by(const UnitRule& rule, const Capacity& capacity) {
  return rule.kept == nullptr ? 0 : capacity.*rule.kept;
}
/// The most that any rule keeps free.
inline std::int64_t most_kept(const Capacity& capacity) {
  std::int64_t most = 0;
  for (const UnitRule& rule : kUnitRules) most = std::max(most, kept_by(rule, capacity));
  return most;
}
/// Whether there is a rule that only a whole step can break.
inline bool is_asked_by_step(const Capacity& capacity) {
  return std::any_of(kUnitRules.begin(), kUnitRules.end(), [&](const UnitRule& rule) {
    return rule.asked == Asked::Step && kept_by(rule, capacity) > 0;
  });
}
/// No rule lets an instance take more from a unit that is not shared: a screen.
inline std::int64_t most_to_take(const Capacity& capacity, bool force) {
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
  for (const UnitRule& rule : kUnitRules) {
    const std::int64_t kept = kept_by(rule, capacity);
    if ((force && rule.asked == Asked::Taken) || (rule.asked == Asked::Step && kept <= 0)) continue;
    most = std::min(most, capacity.free_mib - kept);
    if (!force && rule.asked != Asked::Step) most = std::min(most, capacity.forth_free_mib - kept);
  }
  return most;
}

}  // namespace ballast::ganeti
