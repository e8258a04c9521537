// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/glob.hpp"

#include <doctest/doctest.h>

using namespace ballast;

TEST_CASE("a glob matches the whole text") {
  CHECK(matches_glob("web1", "web1"));
  CHECK_FALSE(matches_glob("web", "web1"));
  CHECK(matches_glob("web*", "web1"));
  CHECK(matches_glob("web*", "web"));
  CHECK(matches_glob("*", ""));
  CHECK(matches_glob("w?b*1", "wob-21"));
  CHECK_FALSE(matches_glob("w?b", "wb"));
  CHECK(matches_glob("*a*b", "xaxbxb"));
  CHECK_FALSE(matches_glob("*a*b", "xaxbx"));
  CHECK_FALSE(matches_glob("", "x"));
}

TEST_CASE("many stars take linear time in practice") {
  CHECK_FALSE(
      matches_glob("*a*a*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
}
