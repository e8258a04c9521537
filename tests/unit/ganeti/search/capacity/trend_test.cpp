// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/capacity/trend.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace ballast::ganeti;

TEST_CASE("a line through figures that lie on one is that line, without an error") {
  const std::vector<DayFigure> figures{{1, 100}, {2, 90}, {4, 70}, {10, 10}};
  const Trend trend = linear_trend(figures);
  CHECK(trend.per_day == doctest::Approx(-10));
  REQUIRE(trend.error);
  CHECK(*trend.error == doctest::Approx(0).epsilon(1e-6));
}

TEST_CASE("two days give a slope and no idea how sure it is") {
  const std::vector<DayFigure> figures{{3, 5}, {5, 9}};
  const Trend trend = linear_trend(figures);
  CHECK(trend.per_day == doctest::Approx(2));
  CHECK_FALSE(trend.error);
}

TEST_CASE("scatter widens the interval") {
  const std::vector<DayFigure> calm{{0, 10}, {1, 9}, {2, 8.1}, {3, 7}};
  const std::vector<DayFigure> wild{{0, 10}, {1, 4}, {2, 13}, {3, 7}};
  CHECK(*linear_trend(wild).error > *linear_trend(calm).error);
}

TEST_CASE("when what is left is gone") {
  CHECK(days_until_gone(100, 10).value() == doctest::Approx(10));
  CHECK(days_until_gone(0, 10).value() == doctest::Approx(0));
  CHECK(days_until_gone(-5, 0).value() == doctest::Approx(0));
  CHECK_FALSE(days_until_gone(100, 0));
  CHECK_FALSE(days_until_gone(100, -5));
}
