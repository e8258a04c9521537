// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/doc/tree.hpp"
#include "ballast/kube/documents.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace ballast;
using doc::Tree;

namespace {

Tree only(const Result<std::vector<Tree>>& documents) {
  REQUIRE_MESSAGE(documents.has_value(), (documents ? "" : to_string(documents.error())));
  REQUIRE(documents->size() == 1);
  return documents->front();
}

Tree yaml(std::string_view text) { return only(doc::parse_yaml(text, "f")); }
Tree json(std::string_view text) { return only(doc::parse_json(text, "f")); }

std::string error_of(const Result<std::vector<Tree>>& documents) {
  return documents ? "" : to_string(documents.error());
}
std::string yaml_error(std::string_view text) { return error_of(doc::parse_yaml(text, "f")); }
std::string json_error(std::string_view text) { return error_of(doc::parse_json(text, "f")); }

std::string place(const Tree* node) { return node == nullptr ? "none" : to_string(node->place()); }

}  // namespace

TEST_CASE("scalars follow the core schema of YAML 1.2") {
  using Kind = Tree::Kind;
  const Tree root = yaml(
      "a: 12\nb: yes\nc: True\nd: ~\ne:\nf: 1.50\ng: '12'\nh: 0x1F\ni: 1Gi\nj: +007\nk: "
      "99999999999999999999\n"
      "l: 2026-03-01\nm: .inf\nn: !!str 5\no: off\np: 1e3\nq: -0\nr: \"\"\ns: 1.\nt: 0o17\nu: "
      "12:30\n");
  const auto kind = [&](const char* key) { return root.find(key)->kind(); };
  const auto text = [&](const char* key) { return root.find(key)->text(); };
  CHECK(kind("a") == Kind::Integer);
  CHECK(kind("b") == Kind::String);
  CHECK(root.find("c")->as_bool() == true);
  CHECK(text("c") == "true");
  CHECK(kind("d") == Kind::Null);
  CHECK(kind("e") == Kind::Null);
  CHECK(kind("f") == Kind::Float);
  CHECK(text("f") == "1.50");
  CHECK(kind("g") == Kind::String);
  CHECK(root.find("h")->as_int() == 31);
  CHECK(kind("i") == Kind::String);
  CHECK(root.find("j")->as_int() == 7);
  CHECK(text("k") == "99999999999999999999");
  CHECK_FALSE(root.find("k")->as_int().has_value());
  CHECK(kind("l") == Kind::String);
  CHECK(std::isinf(*root.find("m")->as_double()));
  CHECK(kind("n") == Kind::String);
  CHECK(kind("o") == Kind::String);
  CHECK(root.find("p")->as_double() == 1000.0);
  CHECK(text("q") == "0");
  CHECK(kind("r") == Kind::String);
  CHECK(root.find("s")->as_double() == 1.0);
  CHECK(root.find("t")->as_int() == 15);
  CHECK(kind("u") == Kind::String);
}

TEST_CASE("every value knows its line and column, and a missing one stands where its key does") {
  const Tree root = yaml("a:\n  b:\n  c: x\nd:\n- 1\n- {e: 2}\n\"k\" :   &q |\n  text\n");
  CHECK(place(root.find("a")) == "f:2:3");
  CHECK(place(root.at({"a", "b"})) == "f:2:3");
  CHECK(place(root.at({"a", "c"})) == "f:3:6");
  CHECK(to_string(root.find("a")->key_place()) == "f:1:1");
  CHECK(place(root.find("d")) == "f:5:1");
  CHECK(place(root.find("d")->items()[1].find("e")) == "f:6:7");
  CHECK(root.find("k")->text() == "text\n");

  const Tree same = json("{\"a\": {\"b\": null,\n \"c\": \"x\"},\n\"d\": [1,\n  {\"e\": 2.5}]}");
  CHECK(place(same.at({"a", "b"})) == "f:1:13");
  CHECK(place(same.at({"a", "c"})) == "f:2:7");
  CHECK(to_string(same.find("d")->key_place()) == "f:3:1");
  CHECK(place(same.find("d")->items()[1].find("e")) == "f:4:9");
}

TEST_CASE("columns count bytes, with CRLF and with a byte order mark") {
  CHECK(place(yaml("\xC3\xA9: x\r\nb:\r\n  c: 2\r\n").at({"b", "c"})) == "f:3:6");
  CHECK(place(only(doc::parse_documents("\xEF\xBB\xBF"
                                        "a: 1\n",
                                        "f"))
                  .find("a")) == "f:1:4");
  CHECK(place(only(doc::parse_documents("\xEF\xBB\xBF{\"a\": 1}", "f")).find("a")) == "f:1:7");
}

TEST_CASE("the first character decides between JSON and YAML") {
  CHECK(only(doc::parse_documents(" \n{\"a\": 1}", "f")).find("a")->as_int() == 1);
  CHECK(only(doc::parse_documents("a: {b: 1}", "f")).at({"a", "b"})->as_int() == 1);
  CHECK(only(doc::parse_documents("{a: 1}", "f")).find("a")->as_int() == 1);
  CHECK(error_of(doc::parse_documents("{\"a\": 1, b: 2}", "f")) ==
        "f:1:10: \"b: 2}\": expected a key in double quotes");
}

TEST_CASE("several documents are read, empty ones dropped") {
  const auto documents =
      doc::parse_yaml("---\n---\na: 1\n...\n# between\n---\nb: 2\n--- text\n", "f");
  REQUIRE(documents.has_value());
  REQUIRE(documents->size() == 3);
  CHECK(place((*documents)[1].find("b")) == "f:7:4");
  CHECK((*documents)[2].text() == "text");
  CHECK(doc::parse_yaml("", "f")->empty());
  CHECK(doc::parse_documents(" \n# nothing\n", "f")->empty());
  CHECK(doc::parse_json("{} [1]\n{}", "f")->size() == 3);
}

TEST_CASE("lists give their items, also lists in lists") {
  auto documents = doc::parse_yaml(
      "kind: PodList\nitems: [{kind: Pod, n: 1}, {kind: List, items: [{n: 2}]}]\n---\nn: 3\nitems: "
      "x\n",
      "f");
  REQUIRE(documents.has_value());
  const auto objects = kube::flatten_lists(std::move(*documents));
  REQUIRE(objects.size() == 3);
  CHECK(objects[1].find("n")->as_int() == 2);
  CHECK(objects[2].find("n")->as_int() == 3);
}

TEST_CASE("aliases and merge keys are followed; keys of the map itself win") {
  const Tree root = yaml(
      "base: &b {x: 1, y: 2}\nuse: *b\nmore:\n  <<: [{y: 3, z: 4}, *b]\n  x: 9\nplain: {\"<<\": "
      "1}\n");
  CHECK(*root.find("use") == *root.find("base"));
  CHECK(*root.find("more") == yaml("{x: 9, y: 3, z: 4}"));
  CHECK(root.at({"plain", "<<"})->as_int() == 1);
  CHECK(yaml("&k one: 1\ntwo: *k\n") == yaml("{one: 1, two: one}"));
  CHECK(yaml("{&k 1: a, b: &v [*k], c: *v}") == yaml("{1: a, b: [1], c: [1]}"));
  CHECK(yaml_error("&a a: *a a: *a") != "");
  CHECK(yaml_error("a:\n  <<: 1\n") ==
        "f:2:3: whole number behind the merge key: expected a mapping or a list of mappings");
}

TEST_CASE("what no document can begin with is an error, wherever it stands") {
  CHECK(yaml_error("a: 1\n...\n,\n") == "f:3:1: \",\": expected a document");
  CHECK(yaml_error("%\n...\n,\n") == "f:3:1: \",\": expected a document");
  CHECK(yaml_error("a: 1\n---\n,\n").starts_with("f:3:1: "));
  CHECK(doc::parse_yaml("a: 1\n---\n---\nb: 2\n...\n...\n---\n", "f")->size() ==
        2);  // empty ones do not count
}

TEST_CASE("YAML that is refused, with its place") {
  CHECK(yaml_error("a: 1\nb: 2\na: 3\n") ==
        "f:3:1: key \"a\" is given twice: it stands at line 1 already");
  CHECK(yaml_error("a:\n\tb: 1\n") ==
        "f:2:1: \"\\x09b: 1\": expected blanks for indentation, not a tab");
  CHECK(yaml_error("a:\n  - x\n  \t- y\n").starts_with("f:3:3: \"\\x09- y\": expected blanks"));
  CHECK(yaml_error("a: 1\n\tb: 2\n").starts_with("f:2:1: \"\\x09b: 2\": expected blanks"));
  CHECK(yaml_error(std::string_view("a: \0b", 5)) ==
        "f:1:4: control character \"\\x00\": expected text");
  CHECK(yaml_error("a: b\n\x04\n") == "f:2:1: control character \"\\x04\": expected text");
  CHECK(yaml_error("a: b\nc: \xFF\n") == "f:2:4: byte \"\\xff\": expected UTF-8");
  CHECK(yaml_error("a: b: c\n").starts_with("f:1:5: \": c\": expected no mapping here"));
  CHECK(yaml_error("a: 1\nfoo\n") == "f:2:1: \"foo\": expected a colon behind the key");
  CHECK(yaml_error("a: \"x\nb: 1\n") == "f:1:4: \"\\\"x\": expected a closing quote");
  CHECK(yaml_error("a: 'it''s\n") == "f:1:4: \"'it''s\": expected a closing quote");
  CHECK(yaml_error("a: [1, 2\n") != "");
  CHECK(yaml_error("{a: 1} x\n") == "f:1:8: \"x\": expected the end of the document");
  CHECK(yaml_error("[a]: 1\n") ==
        "f:1:1: \"[a]: 1\": expected a key that is a text (or is a bracket not closed?)");
  CHECK(yaml_error("a: *nope\n") ==
        "f:1:4: \"*nope\": expected an alias to an anchor that stands before it");
  CHECK(yaml_error("a: &x {b: *x}\n") ==
        "f:1:11: \"*x}\": expected an alias to something outside of itself");
  CHECK(yaml_error("a: !thing 1\n") ==
        "f:1:4: \"!thing 1\": expected no tag, or one of the core schema that fits");
  CHECK(yaml_error("a: !!int x\n") != "");
  CHECK(yaml_error("a: @x\n").starts_with("f:1:4: \"@x\": expected a value"));
}

TEST_CASE("a tab is no error in flow style, in a block of text or behind a colon") {
  CHECK(yaml("a: {\n\tb: 1}\n").at({"a", "b"})->as_int() == 1);
  CHECK(yaml("a: |\n  x\n  \ty\n").find("a")->text() == "x\n\ty\n");
  CHECK(yaml("a:\t1\n").find("a")->as_int() == 1);
}

TEST_CASE("JSON that is refused, with its place") {
  CHECK(json_error("{\"a\": 1,\n \"a\": 2}") ==
        "f:2:2: key \"a\" is given twice: it stands at line 1 already");
  CHECK(json_error("{\"a\": 1") == "f:1:8: end of the file: expected a comma or a closing brace");
  CHECK(json_error("{\"a\": 1,}") == "f:1:9: \"}\": expected a key in double quotes");
  CHECK(json_error("[1,]") == "f:1:4: \"]\": expected a value");
  CHECK(json_error("[1 2]") == "f:1:4: \"2]\": expected a comma or a closing bracket");
  CHECK(json_error("[01]") == "f:1:2: \"01]\": expected a value (a text stands in double quotes)");
  CHECK(json_error("[1.]") != "");
  CHECK(json_error("[-]") != "");
  CHECK(json_error("[1e]") != "");
  CHECK(json_error("[yes]") != "");
  CHECK(json_error("[\"a\nb\"]") == "f:1:2: \"\\\"a\": expected a closing quote on the same line");
  CHECK(json_error("[\"\\x\"]") == "f:1:3: \"\\\\x\\\"]\": expected a known escape");
  CHECK(json_error("[\"\\ud800\"]") != "");
  CHECK(json_error("[\"\\u12g4\"]") != "");
  CHECK(json_error("{\"a\" 1}") == "f:1:6: \"1}\": expected a colon");
  CHECK(json_error("[\"") != "");
  CHECK(json_error("[\"\\") != "");
}

TEST_CASE("JSON texts are decoded") {
  CHECK(json(R"(["\u00e9\ud83d\ude00\n\/\"\u20ac"])").items()[0].text() ==
        "\xC3\xA9\xF0\x9F\x98\x80\n/\"\xE2\x82\xAC");
  CHECK(json("[1.50e+2]").items()[0].text() == "1.50e+2");
  CHECK(json("[-12]").items()[0].as_int() == -12);
}

TEST_CASE("nesting and expansion have limits that can be told from syntax errors") {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  CHECK(doc::parse_json(nested(200), "f").has_value());
  CHECK(doc::parse_yaml(nested(200), "f").has_value());
  CHECK(json_error(nested(201)) == "f:1:201: nested too deep: expected at most 200 levels");
  CHECK(yaml_error(nested(201)) == "f:1:201: nested too deep: expected at most 200 levels");
  CHECK(doc::is_limit_error(doc::parse_json(std::string(100000, '['), "f").error()));
  CHECK_FALSE(doc::parse_yaml(std::string(100000, '['), "f").has_value());
  CHECK_FALSE(doc::is_limit_error(doc::parse_json("[", "f").error()));

  std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 10; ++i) {
    laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int j = 0; j < 10; ++j) laughs += "*a" + std::to_string(i - 1) + (j < 9 ? ", " : "]\n");
  }
  const auto exploded = doc::parse_yaml(laughs, "f");
  REQUIRE_FALSE(exploded.has_value());
  CHECK(doc::is_limit_error(exploded.error()));
  CHECK(exploded.error().message ==
        "anchors and aliases expand too far: expected at most 20285 nodes in a file of this size");
  CHECK(exploded.error().place.line == 4);

  std::string long_text = "a: &a \"" + std::string(1000000, 'x') + "\"\nb: [";
  for (int i = 0; i < 200; ++i) long_text += "*a, ";
  CHECK(doc::is_limit_error(doc::parse_yaml(long_text + "1]\n", "f").error()));
}

TEST_CASE("every escape of YAML is a character") {
  const auto read = doc::parse_yaml(R"(["\N", "\_", "\L", "\P", "\u0085", "a\Nb\_c\xE9"])", "f");
  REQUIRE(read.has_value());
  const std::vector<std::string> expected{"\u0085", "\u00a0", "\u2028",
                                          "\u2029", "\u0085", "a\u0085b\u00a0c\u00e9"};
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK(read->front().items()[i].text() == expected[i]);
  CHECK(doc::parse_yaml(doc::emit_yaml(read->front()), "f")->front() == read->front());
}

TEST_CASE("duplicates are found in large maps too") {
  std::string text = "{";
  for (int i = 0; i < 100; ++i) text += "\"k" + std::to_string(i) + "\": 1, ";
  CHECK(json_error(text + "\"k3\": 1}").find("key \"k3\" is given twice") != std::string::npos);
  CHECK(json(text + "\"x\": 1}").entries().size() == 101);
}

TEST_CASE("maps are looked up, changed and compared without regard to order") {
  Tree node = yaml("a: 1\nb: {c: x}\n");
  CHECK(node.find("z") == nullptr);
  CHECK(node.at({"b", "c", "d"}) == nullptr);
  node.set("a", Tree::integer(2));
  node.set("n", Tree::null());
  CHECK(node == yaml("n: ~\nb: {c: x}\na: 2\n"));
  CHECK(node.erase("n"));
  CHECK_FALSE(node.erase("n"));
  CHECK_FALSE(node == yaml("a: 2.0\nb: {c: x}\n"));
  CHECK(node.to_value() == Value(ValueMap{{"a", 2}, {"b", ValueMap{{"c", "x"}}}}));
}

TEST_CASE("files are loaded; a directory is an error") {
  CHECK(to_string(kube::load_documents("/").error()) == "/: is a directory, not a file");
}
