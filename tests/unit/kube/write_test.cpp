// SPDX-License-Identifier: BSD-2-Clause
#include <doctest/doctest.h>

#include <map>
#include <string>

#include "ballast/kube/write.hpp"

using ballast::doc::emit_json;
using ballast::doc::Tree;
namespace kube = ballast::kube;

TEST_CASE("an object names its namespace where it has one") {
  CHECK(emit_json(kube::object("v1", "Pod", "a", "db")) ==
        R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"db"}})");
  CHECK(emit_json(kube::list_of({kube::object("v1", "Pod", "a", "")})) ==
        R"({"apiVersion":"v1","kind":"List","items":[)"
        R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}]})");
}

TEST_CASE("what there is not is not set") {
  Tree map = Tree::map();
  kube::put(map, "empty", "");
  kube::put(map, "none", std::optional<std::int64_t>());
  kube::put_time(map, "never", std::nullopt);
  CHECK(map.entries().empty());
  kube::put(map, "text", "a");
  kube::put(map, "number", std::optional<std::int64_t>(0));
  kube::put_time(map, "time", 0);
  CHECK(emit_json(map) == R"({"text":"a","number":0,"time":"1970-01-01T00:00:00Z"})");
}

TEST_CASE("requests and texts") {
  CHECK(emit_json(kube::requests({{"cpu", kube::text("1")}})) == R"({"requests":{"cpu":"1"}})");
  CHECK(emit_json(kube::texts(std::map<std::string, std::string>{{"b", "2"}, {"a", "1"}})) ==
        R"({"a":"1","b":"2"})");
}
