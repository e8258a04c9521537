// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/cli/values.hpp"

#include <doctest/doctest.h>

using namespace ballast::cli;

TEST_CASE("parse_integer takes the whole text and keeps the range") {
  CHECK(parse_integer("12", 0, 100) == 12);
  CHECK(parse_integer("-1", -1, 1) == -1);
  for (const char* text : {"", " 1", "1 ", "+1", "101", "1.0", "0x1", "99999999999999999999"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_integer(text, 0, 100));
  }
  CHECK(parse_integer("x", 1, 9).error().message == "\"x\": expected a number from 1 to 9");
}

TEST_CASE("parse_positive takes finite numbers above 0") {
  CHECK(parse_positive("0.5") == 0.5);
  CHECK(parse_positive("1e3") == 1000.0);
  for (const char* text : {"", "0", "-1", "nan", "inf", "1x", "1e999"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_positive(text));
  }
}
