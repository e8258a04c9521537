// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/shell.hpp"
#include "ballast/core/visible.hpp"

#include <doctest/doctest.h>

using namespace ballast;

TEST_CASE("ordinary names are words as they are") {
  CHECK(shell_word("web1.example") == "web1.example");
  CHECK(shell_word("n1:n2") == "n1:n2");
  CHECK(shell_operand("web1") == "web1");
}

TEST_CASE("whatever a shell reads stands in quotes") {
  CHECK(shell_word("") == "''");
  CHECK(shell_word("$(touch x)") == "'$(touch x)'");
  CHECK(shell_word("it's") == "'it'\\''s'");
  CHECK(shell_word("a\\") == "'a\\'");
}

TEST_CASE("hidden characters are written in octal") {
  CHECK(shell_word("a\x1b[2J") == "\"$(printf 'a\\033\\1332J')\"");
  CHECK(shell_word("\xc2\x85") == "\"$(printf '\\302\\205')\"");
  CHECK(shell_word("%s\n;") == "\"$(printf '\\045s\\012\\073')\"");
}

TEST_CASE("a name that begins with a hyphen stands behind two") {
  CHECK(shell_operand("-rf") == "-- -rf");
  CHECK(shell_operand("--help me") == "-- '--help me'");
}

TEST_CASE("what is acted on instead of shown is escaped") {
  CHECK(visible("plain \xc3\xa4") == "plain \xc3\xa4");
  CHECK(visible("a\nb") == "a\\u000ab");
  CHECK(visible("\xc2\x9b") == "\\u009b");
  CHECK(visible("\xe2\x80\xa8\xe2\x80\xae") == "\\u2028\\u202e");
  CHECK(visible("a\xff") == "a\\xff");
  CHECK_FALSE(has_hidden("\xe2\x86\x92 \xc3\xa9"));
  CHECK(has_hidden("\xef\xbb\xbf"));
}
