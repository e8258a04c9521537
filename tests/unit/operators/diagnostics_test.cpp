// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/operators/input/diagnostics.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace ballast;
using operators::Diagnostics;
using Lines = std::vector<std::string>;

TEST_CASE("diagnostics are sorted by file as named, then by place; what has no place comes first") {
  Diagnostics errors;
  errors.rank("b");
  errors.add("E2", "p", "late", {"a", 1, 1});
  errors.add("E2", "p", "second", {"b", 9, 1});
  errors.add("E1", "p", "first", {"b", 2, 7});
  errors.add("E3", "", "of no place");
  CHECK(operators::lines_of(errors.sorted()) == Lines{"-: E3 -: of no place", "b:2:7: E1 p: first",
                                                      "b:9:1: E2 p: second", "a:1:1: E2 p: late"});
}

TEST_CASE("what several parts inherit is told once") {
  Diagnostics errors;
  errors.add("E1", "sets[a].x", "wrong", {"f", 3, 1});
  errors.add("E1", "sets[b].x", "wrong", {"f", 3, 1});
  CHECK(operators::lines_of(errors.sorted()) == Lines{"f:3:1: E1 sets[a].x: wrong"});
}

TEST_CASE("of many diagnostics the rest is counted") {
  Diagnostics errors;
  for (std::size_t i = 1; i <= Diagnostics::kMostTold + 3; ++i)
    errors.add("E1", "", "wrong", {"f", i, 1});
  const auto told = errors.told();
  REQUIRE(told.size() == Diagnostics::kMostTold + 1);
  CHECK(to_string(told.back()) == "-: MORE -: 3 more errors are not listed");
}
