// SPDX-License-Identifier: BSD-2-Clause
#include <doctest/doctest.h>

#include <array>

#include "ballast/core/random.hpp"
#include "ballast/doc/tree.hpp"

using namespace ballast;
using doc::Tree;

namespace {

Tree yaml(std::string_view text) {
  const auto documents = doc::parse_yaml(text, "f");
  REQUIRE_MESSAGE(documents.has_value(), (documents ? "" : to_string(documents.error())), "\n",
                  text);
  return documents->empty() ? Tree() : documents->front();
}

}  // namespace

TEST_CASE("emit_yaml writes block style as kubectl does") {
  CHECK(
      doc::emit_yaml(yaml(
          "{a: {b: [1, {c: x, d: []}, [2, 3]], e: {}}, f: null, g: \"1\", h: yes, i: \"a: b\"}")) ==
      "a:\n  b:\n  - 1\n  - c: x\n    d: []\n  - - 2\n    - 3\n  e: {}\nf: null\ng: \"1\"\nh: "
      "\"yes\"\ni: \"a: b\"\n");
  CHECK(doc::emit_yaml(Tree::map(
            {{"t", Tree::string("x\n  y\n\nz\n")}, {"u", Tree::list({Tree::string("a\nb")})}})) ==
        "t: |\n  x\n    y\n\n  z\nu:\n- |-\n  a\n  b\n");
}

TEST_CASE("emit_yaml quotes what some reader takes for something else") {
  for (const char* text : {"",
                           "~",
                           "null",
                           "No",
                           "on",
                           "y",
                           "1",
                           "-1",
                           ".5",
                           "1e3",
                           "0x1f",
                           "0b11",
                           "2026-03-01",
                           "12:30:45",
                           "1_000",
                           "- a",
                           "? a",
                           "a: b",
                           "a #b",
                           "#a",
                           "*a",
                           "&a",
                           "!a",
                           "%a",
                           "@a",
                           "`a",
                           "|",
                           ">",
                           "{a",
                           "[a",
                           "a ",
                           " a",
                           "a:",
                           "'a'",
                           "\"a\"",
                           "<<",
                           "=",
                           "---",
                           "...",
                           "a\tb",
                           "\n",
                           "a\n\n",
                           " a\nb",
                           "\ta\nb",
                           "x\ry",
                           "\xEF\xBB\xBF"
                           "a"}) {
    const Tree node = Tree::map({{"k", Tree::string(text)}, {text, Tree::integer(1)}});
    CAPTURE(text);
    CHECK(yaml(doc::emit_yaml(node)) == node);
  }
  for (const char* plain : {"a", "storage-1", "1Gi", "500m", "a/b", "7.3.69", "10.1.0.1", "7zone",
                            "x y", "a:1@b,c", "a[1]", "a-b_c.d", "k=v"}) {
    CHECK(doc::emit_yaml(Tree::map({{"k", Tree::string(plain)}})) ==
          "k: " + std::string(plain) + "\n");
  }
}

TEST_CASE("emit_json is one line of valid JSON") {
  CHECK(doc::emit_json(yaml("{a: [1, 1.50, .5, .inf, true, null], \"b\\n\\x01\": \"\\\"\\\\\"}")) ==
        R"({"a":[1,1.50,0.5,".inf",true,null],"b\n\u0001":"\"\\"})");
}

namespace {

Tree random_node(Random& random, int depth) {
  constexpr std::array<std::string_view, 24> kPieces{
      "a", "b", " ", "\n", ":", "#", "-", "\"",   "'", "\\", "\t", "1", ".", "é", "\xE2\x80\xA8",
      "{", "]", ",", "&",  "*", "!", "|", "\x01", "\r"};
  const auto text = [&] {
    std::string result;
    for (auto n = random.below(8); n > 0; --n) result += kPieces[random.below(kPieces.size())];
    return result;
  };
  switch (random.below(depth > 0 ? 7U : 5U)) {
    case 0:
      return Tree::null();
    case 1:
      return Tree::boolean(random.below(2) == 1);
    case 2:
      return Tree::integer(static_cast<std::int64_t>(random.below(1000)) - 500);
    case 3:
      return Tree::floating(random.below(2) == 0 ? "1.5" : "-2e9");
    case 4:
      return Tree::string(text());
    case 5: {
      Tree list = Tree::list();
      for (auto n = random.below(4); n > 0; --n)
        list.items().push_back(random_node(random, depth - 1));
      return list;
    }
    default: {
      Tree map = Tree::map();
      for (auto n = random.below(4); n > 0; --n) map.set(text(), random_node(random, depth - 1));
      return map;
    }
  }
}

}  // namespace

TEST_CASE("what is emitted reads back equal") {
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    Random random(seed);
    const Tree node = random_node(random, 4);
    CAPTURE(seed);
    const std::string text = doc::emit_yaml(node);
    CAPTURE(text);
    CHECK(yaml(text) == node);
    CHECK(doc::emit_yaml(yaml(text)) == text);
    if (node.is_null()) continue;
    const auto documents = doc::parse_json(doc::emit_json(node), "f");
    REQUIRE(documents.has_value());
    CHECK(documents->front() == node);
  }
}
