// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/model/live.hpp"
#include "ballast/tidb/model/names.hpp"
#include "ballast/tidb/search/basis/versions.hpp"

#include <doctest/doctest.h>

using namespace ballast::tidb;

TEST_CASE("ordinals leave delete slots out and go further for each that counts") {
  using List = std::vector<std::int64_t>;
  CHECK(ordinals(3, {}) == List{0, 1, 2});
  CHECK(ordinals(5, {1}) == List{0, 2, 3, 4, 5});
  CHECK(ordinals(3, {1, 2, 3}) == List{0, 4, 5});
  CHECK(ordinals(2, {7}) == List{0, 1});
  CHECK(ordinals(0, {0}).empty());
}

TEST_CASE("split_pod_name cuts the last hyphen and what follows") {
  const auto split = split_pod_name("demo-tikv-name-1-0");
  REQUIRE(split.has_value());
  CHECK(split->first == "demo-tikv-name-1");
  CHECK(split->second == 0);
  CHECK_FALSE(split_pod_name("demo").has_value());
  CHECK_FALSE(split_pod_name("demo-").has_value());
  CHECK_FALSE(split_pod_name("demo-x1").has_value());
  CHECK_FALSE(split_pod_name("demo--1x").has_value());
}

TEST_CASE("names of a set's objects") {
  CHECK(statefulset_name("demo", Component::Tikv, "default", DefaultName::Plain) == "demo-tikv");
  CHECK(statefulset_name("demo", Component::Tikv, "default", DefaultName::Suffixed) ==
        "demo-tikv-default");
  CHECK(statefulset_name("demo", Component::Tikv, "a", DefaultName::Plain) == "demo-tikv-a");
  CHECK(config_map_name("demo", Component::Tikv, "a", {DefaultName::Plain, ConfigMapName::Short}) ==
        "a-tikv");
  CHECK(claim_name("tikv", "demo-tikv-a-0") == "tikv-demo-tikv-a-0");
}

TEST_CASE("is_dns_label") {
  CHECK(is_dns_label("zone-b"));
  CHECK(is_dns_label("1"));
  CHECK_FALSE(is_dns_label(""));
  CHECK_FALSE(is_dns_label("-a"));
  CHECK_FALSE(is_dns_label("a-"));
  CHECK_FALSE(is_dns_label("Zone"));
  CHECK_FALSE(is_dns_label("a_b"));
  CHECK(is_dns_label(std::string(63, 'a')));
  CHECK_FALSE(is_dns_label(std::string(64, 'a')));
}

TEST_CASE("smooth_upgrade holds between the versions that pause DDL") {
  CHECK(smooth_upgrade("v7.5.1", "v7.5.2"));
  CHECK(smooth_upgrade("v7.1.2", "v7.1.5"));
  CHECK(smooth_upgrade("v7.1.2", "v7.4.0"));
  CHECK_FALSE(smooth_upgrade("v7.1.1", "v7.4.0"));
  CHECK_FALSE(smooth_upgrade("v7.3.0", "v7.5.0"));
  CHECK_FALSE(smooth_upgrade("v7.5.0", "v7.3.0"));
  CHECK_FALSE(smooth_upgrade("latest", "v7.5.0"));
}
