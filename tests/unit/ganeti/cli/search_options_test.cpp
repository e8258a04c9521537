// SPDX-License-Identifier: BSD-2-Clause
#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <utility>

#include "ballast/ganeti/cli/balance/better_plan.hpp"
#include "ballast/ganeti/cli/balance/mending.hpp"

namespace ballast::ganeti::cli {
namespace {

/// Applies one option to the wish; the error's message, or an empty text.
std::string apply(SearchWish& wish, std::string_view name, std::string_view value) {
  for (const ballast::cli::Option& option : search_options(wish)) {
    if (option.name != name) continue;
    const Status status = option.apply(value);
    return status ? "" : status.error().message;
  }
  return "no such option";
}

TEST_CASE("options of the search ask for it, other aims do not") {
  for (const auto& [name, value] :
       {std::pair("search-steps", "5"), std::pair("move-price", "0.5"), std::pair("max-steps", "9"),
        std::pair("max-data", "10g"), std::pair("max-time", "2h"), std::pair("seed", "7")}) {
    SearchWish wish;
    CHECK(apply(wish, name, value) == "");
    CHECK(wish.is_wanted);
    CHECK_FALSE(wish.has_other_aim());
  }
  for (const auto& [name, value] :
       {std::pair("make-room", "memory=1g"), std::pair("repair", ""),
        std::pair("only-above", "cpu=50%"), std::pair("only-storage", "drbd8/fast")}) {
    SearchWish wish;
    CHECK(apply(wish, name, value) == "");
    CHECK_FALSE(wish.is_wanted);
    CHECK(wish.has_other_aim());
  }
}

TEST_CASE("times with and without a unit") {
  SearchWish wish;
  for (const auto& [text, seconds] :
       {std::pair("0", 0), std::pair("7200", 7200), std::pair("90m", 5400), std::pair("1.5h", 5400),
        std::pair("2d", 172800), std::pair("10s", 10)}) {
    CHECK(apply(wish, "max-time", text) == "");
    CHECK(wish.max_seconds == seconds);
  }
  for (const std::string_view wrong : {"", "h", "-1", "-1h", "2w", "1h30", "1e13", "NaN"}) {
    CAPTURE(wrong);
    CHECK(apply(wish, "max-time", wrong).find("expected a time such as 7200, 90m or 2h") !=
          std::string::npos);
  }
}

TEST_CASE("amounts below nothing, shares above all and units without a key are refused") {
  SearchWish wish;
  CHECK(apply(wish, "move-price", "-0.1") == "\"-0.1\" is not 0 or more");
  CHECK(apply(wish, "search-steps", "-1") == "\"-1\" is not 0 or more");
  CHECK(apply(wish, "max-per-node", "-1") == "\"-1\" is not 0 or more");
  CHECK(apply(wish, "stop-at", "101") == "\"101\" is more than 100");
  CHECK(apply(wish, "stop-at", "100") == "");
  for (const std::string_view wrong : {"", "drbd8", "/fast", "drbd8/"})
    CHECK(apply(wish, "only-storage", wrong).find("is not TYPE/KEY") != std::string::npos);
  CHECK(apply(wish, "only-storage", "drbd/a/b") == "");
  CHECK(*wish.only_storage == StorageKey{"drbd8", "a/b"});
}

TEST_CASE("thresholds are told as they are read") {
  for (const std::string_view text : {"memory=80%", "memory=80%,cpu=75%", "disk=0.5%"}) {
    const auto read = parse_thresholds(text);
    REQUIRE(read);
    CHECK(to_string(*read) == text);
  }
  for (const std::string_view wrong :
       {"", "memory", "memory=", "ram=5%", "memory=80%,,", "cpu=-5%"}) {
    CAPTURE(wrong);
    CHECK_FALSE(parse_thresholds(wrong));
  }
}

TEST_CASE("a plan's document holds the options that are not at their defaults") {
  SearchWish wish;
  CHECK(shaping_options(wish) == Value::map());
  apply(wish, "stop-at", "90");
  apply(wish, "since", "old.json");
  CHECK(*shaping_options(wish).find("stop-at") == Value(90.0));
  CHECK(*shaping_options(wish).find("since") == text_list({"old.json"}));
  CHECK(shaping_options(wish).find("search") == nullptr);
  apply(wish, "max-data", "1g");
  CHECK(*shaping_options(wish).find("search") == Value(10.0));
  CHECK(*shaping_options(wish).find("max-data") == Value(1024));
}

}  // namespace
}  // namespace ballast::ganeti::cli
