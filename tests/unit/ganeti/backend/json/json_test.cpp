// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/backend/json/json.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace ballast;
using namespace ballast::ganeti;

namespace {

std::string problem(std::string text) {
  const auto document = json::Document::parse(std::move(text));
  return document ? "none" : document.error().message;
}

/// What the conversion makes of the one element of a list.
template <class Convert>
auto converted(const std::string& text, Convert convert) {
  const auto document = json::Document::parse("[" + text + "]");
  REQUIRE(document);
  return convert((*document)->root().first());
}

}  // namespace

TEST_CASE("json syntax errors have the reference's words") {
  CHECK(problem("") == "Invalid JSON: a JSON text a serialized object or array at the top level.");
  CHECK(problem(" {}") ==
        "Invalid JSON: a JSON text a serialized object or array at the top level.");
  CHECK(problem("{} x\"") == "Invalid tokens at end of JSON string: \"x\\\"\"");
  CHECK(problem("[1,]") == "Malformed JSON: invalid token in this context ]");
  CHECK(problem("[01]") == "Unable to parse JSON array: unterminated array: 1]");
  CHECK(problem("[truex]") == "Unable to parse JSON array: unterminated array: x]");
  CHECK(problem("[tru]") == "Unable to parse JSON Bool: tru]");
  CHECK(problem("{\"a\" 1}") == "Malformed JSON labelled field:  1}");
  CHECK(problem("{a:1}") == "Malformed JSON: expecting string: a:1}");
  CHECK(problem("[\"\\u12g4\"]") == "Unable to parse JSON String: invalid hex: [(18,\"g4");
  CHECK(problem("[\"\\q\"]") == "Unable to parse JSON String: invalid escape char: 'q'");
  CHECK(problem("[\"a\tb\"]") == "Illegal unescaped character in string: \tb\"]");
  CHECK(problem("[\"\xff\"]") == json::kBadBytes);
  CHECK(problem(std::string(100000, '['))
            .starts_with("Malformed JSON: invalid token in this context "));
}

TEST_CASE("json integers are rounded half to even, modulo 2^64") {
  const auto integer = [](const std::string& text) { return *converted(text, json::to_int); };
  CHECK(integer("2.5") == 2);
  CHECK(integer("3.5") == 4);
  CHECK(integer("-2.5") == -2);
  CHECK(integer("2.5000001") == 3);
  CHECK(integer("1.5e3") == 1500);
  CHECK(integer("5e-1") == 0);
  CHECK(integer("0.05") == 0);
  CHECK(integer("1.") == 1);
  CHECK(integer("99999999999999999999") == 7766279631452241919);
  CHECK(integer("1e400") == 0);
  CHECK(!converted("\"1\"", json::to_int));
}

TEST_CASE("json doubles") {
  const auto real = [](const std::string& text) { return *converted(text, json::to_double); };
  CHECK(real("1e400") == INFINITY);
  CHECK(real("-1e400") == -INFINITY);
  CHECK(real("1e-400") == 0);
  CHECK(!std::signbit(real("-0")));
  CHECK(real("0.1") == 0.1);
}

TEST_CASE("json members: the first of a name counts, null is absent where a key is optional") {
  const auto document =
      json::Document::parse(R"({"a": 1, "b": null, "a": 2, "c\u0041": [1, {"x": []}]})");
  REQUIRE(document);
  const json::Value root = (*document)->root();
  CHECK(*json::to_int(root.member("a")) == 1);
  CHECK(json::optional(root, "b").is_missing());
  CHECK(json::shown_keys(root) == R"(["a","b","a","cA"])");
  CHECK(json::pretty(root.member("cA")) == R"([1, {"x": []}])");
  CHECK(json::required(root, "z").error().message ==
        R"(key 'z' not found, object contains only ["a","b","a","cA"])");
}

TEST_CASE("json strings: lists of characters are strings, too") {
  CHECK(*converted(R"(["a","\u00e9"])", json::to_string) == "a\xc3\xa9");
  CHECK(*converted("[]", json::to_string) == "");
  CHECK(converted(R"(["ab"])", json::to_string).error().message == "Unable to read Char");
}
