// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/doc/edit.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace ballast;
using doc::Tree;

namespace {

Tree yaml(std::string_view text) {
  const auto documents = doc::parse_yaml(text, "f");
  REQUIRE(documents.has_value());
  return documents->empty() ? Tree() : documents->front();
}

/// The document after the assignment, or the error.
std::string after(std::string_view document, std::string_view assignment) {
  Tree node = yaml(document);
  const Tree before = node;
  if (const Status status = doc::set_path(node, assignment); !status) {
    CHECK(node == before);
    return to_string(status.error());
  }
  return doc::emit_json(node);
}

std::string shown(const Tree& before, const Tree& after) {
  std::string result;
  for (const auto& [path, old, fresh] : doc::differences(before, after)) {
    result += fmt::format("{} {} {}\n", path, old == nullptr ? "-" : doc::emit_json(*old),
                          fresh == nullptr ? "-" : doc::emit_json(*fresh));
  }
  return result;
}

}  // namespace

TEST_CASE("set_path sets values of every kind") {
  CHECK(after("{a: {b: 1}}", "a.b=3") == R"({"a":{"b":3}})");
  CHECK(after("{a: {b: 1}}", "a.b=\"3\"") == R"({"a":{"b":"3"}})");
  CHECK(after("{}", "a.b.c=x y") == R"({"a":{"b":{"c":"x y"}}})");
  CHECK(after("{}", "a={b: [1, 2]}") == R"({"a":{"b":[1,2]}})");
  CHECK(after("{a: null}", "a.b=true") == R"({"a":{"b":true}})");
  CHECK(after("", "a=1") == R"({"a":1})");
  CHECK(after("{a: 1}", "a=http://x/?y=z") == R"({"a":"http://x/?y=z"})");
}

TEST_CASE("set_path reaches list elements by index and by a key's value") {
  CHECK(after("{a: [{n: x, v: 1}, {n: y, v: 2}]}", "a[1].v=3") ==
        R"({"a":[{"n":"x","v":1},{"n":"y","v":3}]})");
  CHECK(after("{a: [{n: x, v: 1}, {n: y, v: 2}]}", "a[n=x].v=3") ==
        R"({"a":[{"n":"x","v":3},{"n":"y","v":2}]})");
  CHECK(after("{a: [[1, 2]]}", "a[0][1]=3") == R"({"a":[[1,3]]})");
  CHECK(after("[1, 2]", "[0]=5") == "[5,2]");
}

TEST_CASE("a backslash takes a character of a key literally") {
  CHECK(after("{}", "metadata.annotations.foundationdb\\.org/x=1") ==
        R"({"metadata":{"annotations":{"foundationdb.org/x":1}}})");
  CHECK(after("{}", "a\\=b=1") == R"({"a=b":1})");
}

TEST_CASE("null and nothing remove") {
  CHECK(after("{a: {b: 1, c: 2}}", "a.b=null") == R"({"a":{"c":2}})");
  CHECK(after("{a: {b: 1, c: 2}}", "a.b=") == R"({"a":{"c":2}})");
  CHECK(after("{a: [1, 2]}", "a[0]=null") == R"({"a":[2]})");
  CHECK(after("{a: 1}", "b.c.d=null") == R"({"a":1})");
}

TEST_CASE("set_path says what it cannot do") {
  CHECK(after("{a: [1]}", "a[1]=2") == "\"a[1]\": expected an element that exists, the list has 1");
  CHECK(after("{a: [{n: x}]}", "a[n=z].v=2") == "\"a[n=z]\": expected an element whose n is \"z\"");
  CHECK(after("{a: 1}", "a.b=2") == "\"a\" is whole number: expected a mapping");
  CHECK(after("{a: {}}", "a[0]=2") == "\"a\" is mapping: expected a list");
  CHECK(after("{}", "b.a[0]=2") == "\"b.a\" is not there: expected a list");
  CHECK(after("{a: null}", "a.b[0]=2") == "\"a.b\" is not there: expected a list");
  CHECK(after("{}", "a") == "\"a\": expected PATH=VALUE");
  CHECK(after("{}", "=1") == "\"=1\": expected PATH=VALUE");
  CHECK(after("{}", "") == "\"\": expected PATH=VALUE");
  CHECK(after("{}", "a..b=1") == "\"a..b=1\": expected a key at \".b=1\"");
  CHECK(after("{}", ".a=1") == "\".a=1\": expected a key at \".a=1\"");
  CHECK(after("{}", "a.=1") == "\"a.=1\": expected a key at \"=1\"");
  CHECK(after("{}", "a[x]=1") == "\"a[x]=1\": expected [INDEX] or [KEY=VALUE] at \"[x]=1\"");
  CHECK(after("{}", "a[1=1") == "\"a[1=1\": expected [INDEX] or [KEY=VALUE] at \"[1=1\"");
  CHECK(after("{}", "a[99999999999999999999]=1").find("expected [INDEX]") != std::string::npos);
  std::string deep;  // as a tree it would be too much for any stack
  for (int i = 0; i < 100000; ++i) deep += "a.";
  CHECK(after("{}", deep + "a=1").ends_with("more than 200 steps"));
  CHECK(after("{}", "a={b: 1").starts_with("value \"{b: 1\": expected"));
  CHECK(after("{}", "a=b: 1") ==
        "value \"b: 1\": expected a scalar, or a mapping or list in flow style");
}

TEST_CASE("set_path_below starts at its prefix, and what is set has no place") {
  Tree node = yaml("{kind: X}");
  REQUIRE(doc::set_path_below(node, {"spec"}, "processCounts.storage=5").has_value());
  CHECK(doc::emit_json(node) == R"({"kind":"X","spec":{"processCounts":{"storage":5}}})");
  CHECK(node.at({"spec", "processCounts", "storage"})->place() == Place{});
}

TEST_CASE("differences name leaves, removed ones last") {
  CHECK(shown(yaml("{a: 1, b: {c: 2, gone: 3}, l: [1, 2], s: 1}"),
              yaml("{b: {c: 5, d: {e: 6}}, l: [1, 3, {x: 4}], s: [1]}")) ==
        "b.c 2 5\nb.d.e - 6\nl[1] 2 3\nl[2].x - 4\ns 1 [1]\nb.gone 3 -\na 1 -\n");
  CHECK(shown(yaml("{a: {}, b: []}"), yaml("{a: {x.y: 1}, b: []}")) == "a.x\\.y - 1\n");
  CHECK(shown(yaml("{a: 1, b: 2}"), yaml("{b: 2, a: 1}")).empty());
  CHECK(shown(yaml("{a: x}"), yaml("{a: x, c: {}}")) == "c - {}\n");
}
