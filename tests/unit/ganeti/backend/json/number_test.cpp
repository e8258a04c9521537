// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/backend/json/number.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

using namespace ballast;
using namespace ballast::ganeti;

TEST_CASE("parse_int reads what the reference reads") {
  const std::vector<std::pair<std::string, std::int64_t>> accepted{
      {"5", 5},
      {"(5)", 5},
      {"((5))", 5},
      {"( 5 )", 5},
      {"-5", -5},
      {"- 5", -5},
      {"(-5)", -5},
      {" 5", 5},
      {"0x1F", 31},
      {"0o17", 15},
      {"007", 7},
      {"0X1f", 31},
      {"\xC2\xA0"
       "5",
       5},
      {"99999999999999999999", 7766279631452241919},
      {"18446744073709551615", -1}};
  for (const auto& one : accepted) {
    const auto& text = one.first;
    CAPTURE(text);
    const auto result = parse_int("n", text);
    REQUIRE(result);
    CHECK(*result == one.second);
  }
}

TEST_CASE("parse_int tells what is left over") {
  const std::vector<std::pair<std::string, std::string>> rests{
      {"5 ", " "},   {"5.", "."}, {"12abc", "abc"}, {"0b11", "b11"}, {"1_0", "_0"},
      {"1 2", " 2"}, {"5)", ")"}, {"0x", "x"},      {"5\r", "\r"}};
  for (const auto& one : rests) {
    const std::string& text = one.first;
    CAPTURE(text);
    const auto result = parse_int("n", text);
    REQUIRE_FALSE(result);
    CHECK(result.error().message ==
          "n: leftover characters when parsing '" + text + "': '" + one.second + "'");
  }
}

TEST_CASE("parse_int refuses what is no integer") {
  for (const std::string text :
       {"1e3", "1.0", "", "-", "--5", "+5", "-(5)", "(5", "NaN", "-.5", "- -5"}) {
    CAPTURE(text);
    const auto result = parse_int("n", text);
    REQUIRE_FALSE(result);
    CHECK(result.error().message == "n: cannot parse string '" + text + "'");
  }
}

TEST_CASE("parse_double reads decimals, other bases and the special names") {
  CHECK(*parse_double("n", "1.5") == 1.5);
  CHECK(*parse_double("n", "1e3") == 1000);
  CHECK(*parse_double("n", "1E-2") == 0.01);
  CHECK(*parse_double("n", "0x1F") == 31);
  CHECK(*parse_double("n", "0o17") == 15);
  CHECK(*parse_double("n", "1e400") == HUGE_VAL);
  CHECK(*parse_double("n", "-1e400") == -HUGE_VAL);
  CHECK(*parse_double("n", "1e-400") == 0);
  CHECK(*parse_double("n", "9007199254740993") == 9007199254740992.0);
  CHECK(*parse_double("n", "0xFFFFFFFFFFFFFFFFFF") == std::ldexp(1.0, 72));
  CHECK(*parse_double("n", "-Infinity") == -HUGE_VAL);
  CHECK(std::isnan(*parse_double("n", "NaN")));
  CHECK(std::signbit(*parse_double("n", "-0")));
}

TEST_CASE("parse_double refuses halves of numbers") {
  CHECK(parse_double("n", "1e").error().message == "n: leftover characters when parsing '1e': 'e'");
  CHECK(parse_double("n", "1e+").error().message ==
        "n: leftover characters when parsing '1e+': 'e+'");
  CHECK(parse_double("n", "1,5").error().message ==
        "n: leftover characters when parsing '1,5': ',5'");
  CHECK(parse_double("n", "1.5.2").error().message ==
        "n: leftover characters when parsing '1.5.2': '.2'");
  for (const std::string text : {".5", "nan", "inf", "NaNx", "Infinity'"}) {
    CAPTURE(text);
    CHECK(parse_double("n", text).error().message == "n: cannot parse string '" + text + "'");
  }
}
