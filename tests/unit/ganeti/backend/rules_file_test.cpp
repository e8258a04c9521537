// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/backend/rules/file.hpp"

#include <doctest/doctest.h>

using namespace ballast;
using namespace ballast::ganeti;

TEST_CASE("each kind of rule is read") {
  const auto rules = read_rules(R"(rules:
- name: licences
  pin: ["tag:lic:a", "db*"]
  to: [n1]
  group: default
- apart: {tag: service}
  per: rack
- together: [app, cache]
  price: 0.5
- exclude-nodes: n7
- keep-instances: [a, b]
- forbid-units: [drbd/old]
  on: [n1]
- reserve-memory: 8g
- reserve-memory: 10%
  on: ["small*"]
)",
                                "r.yaml");
  REQUIRE(rules);
  REQUIRE(rules->size() == 8);
  const auto& all = *rules;
  CHECK((all[0].kind == RuleKind::Pin));
  CHECK(all[0].name == "licences");
  CHECK((all[0].instances == Selection{"tag:lic:a", "db*"}));
  CHECK((all[0].nodes == Selection{"n1"}));
  CHECK(all[0].group == "default");
  CHECK((all[1].kind == RuleKind::Apart));
  CHECK(all[1].name == "rule 2");
  CHECK(all[1].tag_prefix == "service:");
  CHECK(all[1].location == "rack");
  CHECK(all[2].price == 0.5);
  CHECK((all[3].nodes == Selection{"n7"}));
  CHECK((all[4].kind == RuleKind::KeepInstances));
  CHECK((all[5].units == std::vector<StorageKey>{{"drbd8", "old"}}));
  CHECK(all[6].memory_mib == 8192);
  CHECK(all[7].memory_share == 0.1);
}

TEST_CASE("errors of a rules file name the place") {
  const auto error_of = [](const char* text) {
    const auto rules = read_rules(text, "r.yaml");
    return rules ? std::string("none") : to_string(rules.error());
  };
  CHECK(error_of("rules:\n- pin: [a]\n").starts_with("r.yaml:2:3: a pin needs the nodes"));
  CHECK(error_of("rules:\n- apart: [a]\n  together: [b]\n").starts_with("r.yaml:3:3: "));
  CHECK(error_of("rules:\n- apart: [a]\n  price: 0\n").starts_with("r.yaml:3:10: price"));
  CHECK(
      error_of("rules:\n- exclude-nodes: [a]\n  price: 1\n").starts_with("r.yaml:3:3: \"price\""));
  CHECK(error_of("other: 1\n").starts_with("r.yaml:1:1: expected \"rules:\""));
  CHECK(error_of("rules:\n- forbid-units: [x]\n").find("TYPE/KEY") != std::string::npos);
  CHECK(error_of("rules:\n- reserve-memory: 110%\n").find("share such as 10%") !=
        std::string::npos);
}
