// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/options/catalogue.hpp"

#include "ballast/ganeti/cli/options/options.hpp"
#include "ballast/ganeti/cli/options/output.hpp"
#include "ballast/ganeti/cli/tables/listing.hpp"
#include "ballast/ganeti/cli/tables/steps.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <set>
#include <string>

namespace ballast::ganeti::cli {
namespace {

/// Applies one option to fresh settings; the error's message, or an empty text.
std::string apply(std::string_view name, std::optional<std::string_view> value,
                  Settings& settings) {
  const std::string_view names[] = {name};
  const auto options = options_of(names, settings);
  const Status status = options.front().apply(value);
  return status ? "" : status.error().message;
}

TEST_CASE("catalogue names are unique and values have a name and a completion") {
  std::set<std::string_view> names;
  for (const auto rows : {input_rows(), output_rows(), search_rows()}) {
    for (const CatalogueRow& row : rows) {
      CHECK(names.insert(row.name).second);
      CHECK(row.value_name.empty() == (row.takes == ballast::cli::Takes::Nothing));
      CHECK_FALSE(row.completion.empty());
      CHECK_FALSE(row.help.empty());
      CHECK(find_row(row.name) == &row);
    }
  }
  CHECK(find_row("no-such-option") == nullptr);
}

TEST_CASE("reserve reads unit and size") {
  Settings settings;
  CHECK(apply("reserve", "100", settings) == "");
  CHECK(apply("reserve", "drbd/a=b=200", settings) == "");
  CHECK(apply("reserve", "lvm-vg/x=largest", settings) == "");
  const auto& reserves = settings.limits.reserves;
  REQUIRE(reserves.size() == 3);
  CHECK_FALSE(reserves[0].unit);
  CHECK(reserves[0].size_mib == 100);
  CHECK(reserves[1].unit == StorageKey{"drbd8", "a=b"});
  CHECK(reserves[1].size_mib == 200);
  CHECK_FALSE(reserves[2].size_mib);
  CHECK(apply("reserve", "160g", settings) == "");
  CHECK(reserves.back().size_mib == 160 * 1024);
  CHECK(apply("reserve", "2TiB", settings) == "");
  CHECK(reserves.back().size_mib == 2 * 1024 * 1024);
  CHECK(apply("reserve", "160G", settings) == "");
  CHECK(reserves.back().size_mib == 152587);
  for (const std::string_view wrong : {"", "x", "G", "5P", "9999999999999999G", "1.5G", "-5",
                                       "ssd=5", "/a=5", "drbd8/a=", "drbd8/a=5x"}) {
    CHECK_FALSE(apply("reserve", wrong, settings).empty());
  }
}

TEST_CASE("default storage reads the alias drbd") {
  Settings settings;
  CHECK(apply("default-storage", "drbd=ssd", settings) == "");
  CHECK(settings.load.default_storage.front() == StorageKey{"drbd8", "ssd"});
  CHECK_FALSE(apply("default-storage", "ssd", settings).empty());
  CHECK_FALSE(apply("default-storage", "=ssd", settings).empty());
}

TEST_CASE("max-cpu must be positive, but NaN passes as in the reference") {
  Settings settings;
  CHECK(apply("max-cpu", "0", settings) == "Invalid value of the max-cpu ratio, expected >0");
  CHECK(apply("max-cpu", "NaN", settings) == "");
}

TEST_CASE("node fields") {
  CHECK(node_fields_of(std::nullopt) == default_node_fields());
  CHECK(node_fields_of("") == default_node_fields());
  CHECK(node_fields_of("a,,b") == std::vector<std::string>{"a", "", "b"});
  auto more = default_node_fields();
  more.emplace_back("idx");
  CHECK(node_fields_of("+idx") == more);
}

TEST_CASE("operating system errors in the reference's words") {
  CHECK(file_error_text("f", {ENOENT, false}) ==
        "f: openFile: does not exist (No such file or directory)");
  CHECK(file_error_text("f", {EACCES, false}) ==
        "f: openFile: permission denied (Permission denied)");
  CHECK(file_error_text("f", {EISDIR, true}) == "f: openFile: inappropriate type (is a directory)");
}

TEST_CASE("command lists for people leave out the checks, scripts keep them") {
  const std::vector<std::string> lines{"", "echo jobset 1, 1 jobs", "  echo job 1/1", "  check",
                                       "  gnt-instance migrate -f a"};
  CHECK(commands_for_people(lines) ==
        "  \n  echo jobset 1, 1 jobs\n    echo job 1/1\n    gnt-instance migrate -f a\n");
  const std::string script = commands_script(lines);
  CHECK(script.starts_with("#!/bin/sh\n"));
  CHECK(script.ends_with(
      "}\n\n\necho jobset 1, 1 jobs\n  echo job 1/1\n  check\n  gnt-instance migrate -f a\n"));
}

}  // namespace
}  // namespace ballast::ganeti::cli
