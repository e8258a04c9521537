// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/model/unit_rules.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace ballast::ganeti;

namespace {

Capacity unit(std::int64_t free, std::int64_t forth_free, std::int64_t low_water,
              std::int64_t reserve) {
  Capacity capacity;
  capacity.total_mib = 1000;
  capacity.free_mib = free;
  capacity.forth_free_mib = forth_free;
  capacity.low_water_mib = low_water;
  capacity.reserve_mib = reserve;
  return capacity;
}

}  // namespace

TEST_CASE("a rule is found by both of its names, others are none of a unit's figures") {
  std::set<Rule> names;
  for (const UnitRule& rule : kUnitRules) {
    CHECK(unit_rule(rule.rule) == &rule);
    CHECK(unit_rule(rule.forthcoming) == &rule);
    names.insert({rule.rule, rule.forthcoming});
  }
  CHECK(names.size() == 5);
  CHECK(unit_rule(Rule::UnitMissing) == nullptr);
  CHECK(unit_rule(Rule::DiskLowWater) == nullptr);
}

TEST_CASE("what may be taken is what the strictest rule leaves") {
  CHECK(most_to_take(unit(500, 500, 0, 0), false) == 500);
  CHECK(most_to_take(unit(500, 400, 0, 0), false) == 400);
  CHECK(most_to_take(unit(500, 400, 100, 0), false) == 300);
  CHECK(most_to_take(unit(500, 500, 100, 300), false) == 200);
}

TEST_CASE("force lifts the low-water mark and forthcoming instances, never the reserve") {
  CHECK(most_to_take(unit(500, 100, 200, 0), true) == 500);
  CHECK(most_to_take(unit(500, 100, 200, 300), true) == 200);
}

TEST_CASE("which of the marks asks for most, and whether a step alone can break one") {
  CHECK(most_kept(unit(500, 500, 0, 0)) == 0);
  CHECK(most_kept(unit(500, 500, 70, 50)) == 70);
  CHECK(most_kept(unit(500, 500, 70, 90)) == 90);
  CHECK_FALSE(is_asked_by_step(unit(500, 500, 70, 0)));
  CHECK(is_asked_by_step(unit(500, 500, 0, 1)));
}

TEST_CASE("each rule has a name of its own") {
  std::set<std::string_view> names;
  for (int rule = 0; rule <= static_cast<int>(Rule::Internal); ++rule)
    names.insert(name_of(static_cast<Rule>(rule)));
  CHECK(names.size() == static_cast<std::size_t>(Rule::Internal) + 1);
  CHECK(name_of(Rule::UnitReserve) == "unit_reserve");
}
