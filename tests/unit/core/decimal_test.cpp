// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/decimal.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace ballast;

TEST_CASE("fixed rounds half to even on the shortest decimal digits") {
  CHECK(fixed(0.0005, 3) == "0.000");
  CHECK(fixed(0.0015, 3) == "0.002");
  CHECK(fixed(0.0025, 3) == "0.002");
  CHECK(fixed(0.1235, 3) == "0.124");
  CHECK(fixed(0.1245, 3) == "0.124");
  CHECK(fixed(0.1255, 3) == "0.126");
  CHECK(fixed(2.0005, 3) == "2.000");
  CHECK(fixed(-1e-10, 3) == "-0.000");
  CHECK(fixed(0.5, 0) == "0");
  CHECK(fixed(1.5, 0) == "2");
  CHECK(fixed(2.5, 0) == "2");
  CHECK(fixed(5.5, 0) == "6");
  CHECK(fixed(9.9996, 3) == "10.000");
  CHECK(fixed(0.96, 1) == "1.0");
  CHECK(fixed(0.096, 1) == "0.1");
  CHECK(fixed(1e10, 2) == "10000000000.00");
  CHECK(fixed(0.0, 2) == "0.00");
}

TEST_CASE("values that are no numbers are written in words") {
  CHECK(fixed(std::numeric_limits<double>::quiet_NaN(), 2) == "NaN");
  CHECK(fixed(std::numeric_limits<double>::infinity(), 2) == "Infinity");
  CHECK(plain(-std::numeric_limits<double>::infinity()) == "-Infinity");
}

TEST_CASE("plain keeps all digits in fixed notation") {
  CHECK(plain(1) == "1.0");
  CHECK(plain(1e10) == "10000000000.0");
  CHECK(plain(0.05) == "0.05");
  CHECK(plain(0.0005) == "0.0005");
  CHECK(plain(123.25) == "123.25");
}

TEST_CASE("general6 switches to scientific outside 0.1 to 10^7") {
  CHECK(general6(1e-9) == "1.000000e-9");
  CHECK(general6(0.05) == "5.000000e-2");
  CHECK(general6(0.025) == "2.500000e-2");
  CHECK(general6(0.5) == "0.500000");
  CHECK(general6(12345678) == "1.234568e7");
  CHECK(general6(99999999.9) == "1.000000e8");
  CHECK(general6(0) == "0.000000");
}

TEST_CASE("shown keeps all digits") {
  CHECK(shown(4) == "4.0");
  CHECK(shown(0.25) == "0.25");
  CHECK(shown(9999999) == "9999999.0");
  CHECK(shown(0.05) == "5.0e-2");
  CHECK(shown(1e8) == "1.0e8");
  CHECK(shown(0.00125) == "1.25e-3");
}

TEST_CASE("of two shortest texts that are equally near, the upper one") {
  CHECK(shown(71369.0 / 131072) == "0.5445022583007813");  // ...78125: to_chars ends in 2
  CHECK(shown(-71369.0 / 131072) == "-0.5445022583007813");
  CHECK(shown(0.743701171875) == "0.743701171875");  // fewer digits are exact
  CHECK(shown(0.1) == "0.1");
  CHECK(shown(2.0 / 3) == "0.6666666666666666");
}
