// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/kube/quantity.hpp"

#include <doctest/doctest.h>

using namespace ballast;
using kube::parse_quantity;

namespace {

std::int64_t milli(std::string_view text) {
  const auto quantity = parse_quantity(text);
  REQUIRE_MESSAGE(quantity.has_value(), text);
  return quantity->milli;
}

}  // namespace

TEST_CASE("quantities are read exactly") {
  CHECK(milli("0") == 0);
  CHECK(milli("500m") == 500);
  CHECK(milli("2") == 2000);
  CHECK(milli("1.5") == 1500);
  CHECK(milli(".5") == 500);
  CHECK(milli("5.") == 5000);
  CHECK(milli("+3") == 3000);
  CHECK(milli("-1.5") == -1500);
  CHECK(milli("2e3") == 2'000'000);
  CHECK(milli("2E-3") == 2);
  CHECK(milli("1k") == 1'000'000);
  CHECK(milli("1Ki") == 1'024'000);
  CHECK(milli("16Gi") == 16LL * 1024 * 1024 * 1024 * 1000);
  CHECK(milli("1.5Gi") == 1536LL * 1024 * 1024 * 1000);
  CHECK(milli("128G") == 128'000'000'000'000);
  CHECK(milli("8Pi") == 9007199254740992000);
  CHECK(milli("0E") == 0);
  CHECK(milli("0e999999999999") == 0);
  CHECK(milli("1000m") == milli("1"));
  CHECK(milli("000000000000000000000000000000000000000000000000001") == 1000);
}

TEST_CASE("what is finer than a thousandth rounds up") {
  CHECK(milli("1n") == 1);
  CHECK(milli("1001u") == 2);
  CHECK(milli("1.0000000000000000000000000000000001") == 1001);
  CHECK(milli("1e-1000") == 1);
  CHECK(milli("0.1Ki") == 102400);
  CHECK(milli("0.0001Ki") == 103);
  CHECK(kube::Quantity{1500}.value() == 2);
  CHECK(kube::Quantity{2000}.value() == 2);
  CHECK(kube::Quantity{-1500}.value() == -2);
}

TEST_CASE("what is no quantity is refused") {
  for (const char* text : {"", "-", ".", "Gi", "1K", "1gi", "1 Gi", "1Gib", "0x1", "1e", "1e+-1",
                           "1e1.5", "--1", "1..2", "m", "1,5", "ten"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_quantity(text).has_value());
  }
  CHECK(to_string(parse_quantity("1gi", Place{"f", 2, 3}).error()) ==
        "f:2:3: \"1gi\": expected a quantity such as 500m, 2 or 16Gi");
}

TEST_CASE("what is out of range is refused") {
  for (const char* text :
       {"1E", "9Pi", "9223372036854776", "1e30", "1e999999999999",
        "1000000000000000000000000000000000000000000000000000n",
        "99999999999999999999999999999999999999", "9999999999999999999.999999999999999999Ei"}) {
    CAPTURE(text);
    const auto quantity = parse_quantity(text);
    REQUIRE_FALSE(quantity.has_value());
    CHECK(quantity.error().message.find("at most 8Pi") != std::string::npos);
  }
  CHECK(milli("9223372036854775.807") == 9223372036854775807);
}

TEST_CASE("amounts are written for people") {
  CHECK(kube::format_bytes(0) == "0");
  CHECK(kube::format_bytes(17179869184) == "16Gi");
  CHECK(kube::format_bytes(1610612736) == "1536Mi");
  CHECK(kube::format_bytes(128000000000) == "125000000Ki");
  CHECK(kube::format_bytes(1001) == "1001");
  CHECK(kube::format_cpu(500) == "500m");
  CHECK(kube::format_cpu(2000) == "2");
}
