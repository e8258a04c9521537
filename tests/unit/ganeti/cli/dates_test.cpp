// SPDX-License-Identifier: BSD-2-Clause
#include "../../../../src/ganeti/cli/capacity/dates.hpp"

#include <doctest/doctest.h>

#include <string_view>

namespace ballast::ganeti::cli {
namespace {

TEST_CASE("dates within names of files") {
  CHECK(find_date("1970-01-01") == 0.0);
  CHECK(find_date("cluster-1970-01-02.data") == 1.0);
  CHECK(find_date("19700103") == 2.0);
  CHECK(find_date("/var/2x/backup_20240229_0600.data") == 19782.25);
  CHECK(find_date("node7-2024-02-29T18:00") == 19782.75);
  CHECK(find_date("2024-02-29-1200") == 19782.5);
}

TEST_CASE("a time that is none is not read") {
  CHECK(find_date("2024-02-29T24:00") == 19782.0);
  CHECK(find_date("2024-02-29T12") == 19782.0);
  CHECK(find_date("2024-02-29.data") == 19782.0);
}

TEST_CASE("what is no date") {
  for (const std::string_view text :
       {"", "cluster.data", "2023-02-29", "2024-13-01", "120240229", "202402290", "2024-0229",
        "2024-02-2", "2024-02", "20240", "00000000"}) {
    CAPTURE(text);
    CHECK_FALSE(find_date(text));
  }
}

TEST_CASE("the first date counts") {
  CHECK(find_date("from-1970-01-05-to-1970-01-09") == 4.0);
  CHECK(find_date("99999999-1970-01-05") == 4.0);
}

TEST_CASE("days are told as they are read") {
  for (const std::int64_t day : {0, 1, 58, 59, 19781, 19782, 19783, 30000})
    CHECK(find_date(date_text(day)) == static_cast<double>(day));
}

}  // namespace
}  // namespace ballast::ganeti::cli
