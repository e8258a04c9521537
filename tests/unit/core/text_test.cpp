// SPDX-License-Identifier: BSD-2-Clause
#include <doctest/doctest.h>

#include "ballast/core/error.hpp"
#include "ballast/core/sha256.hpp"
#include "ballast/core/strings.hpp"
#include "ballast/core/table.hpp"
#include "ballast/core/utf8.hpp"
#include "ballast/core/words.hpp"

using namespace ballast;

TEST_CASE("split keeps empty pieces; an empty text has none") {
  CHECK(split("", '|').empty());
  CHECK(split("a|", '|') == std::vector<std::string_view>{"a", ""});
  CHECK(split("|", '|') == std::vector<std::string_view>{"", ""});
}

TEST_CASE("counted nouns and the distance of words") {
  CHECK(counted(std::size_t{0}, "node") == "0 nodes");
  CHECK(counted(std::int64_t{1}, "node") == "1 node");
  CHECK(key_in_words("replace_primary") == "replace primary");
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("replica", "replicas") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("shown strings use the reference's escapes") {
  CHECK(shown_string("a\"\\b\t") == R"("a\"\\b\t")");
  CHECK(shown_string("\xC3\xA9"
                     "1") == R"("\233\&1")");
  CHECK(shown_string("\xC3\xA9x") == R"("\233x")");
  CHECK(shown_string(std::string_view("\0", 1)) == R"("\NUL")");
  CHECK(shown_string("\x0eH") == R"("\SO\&H")");
  CHECK(shown_string("\x7f") == R"("\DEL")");
}

TEST_CASE("utf8 accepts only well-formed sequences") {
  CHECK(utf8_sequence_length("a") == 1);
  CHECK(utf8_sequence_length("\xC3\xA9") == 2);
  CHECK(utf8_sequence_length("\xE2\x82\xAC") == 3);
  CHECK(utf8_sequence_length("\xF0\x9F\x98\x80") == 4);
  CHECK(utf8_sequence_length("\xC0\xAF") == 0);
  CHECK(utf8_sequence_length("\xED\xA0\x80") == 0);
  CHECK(utf8_sequence_length("\xF4\x90\x80\x80") == 0);
  CHECK(utf8_sequence_length("\xE2\x82") == 0);
  CHECK(first_invalid_utf8("ab\xFF") == 2);
  CHECK(first_invalid_utf8("ab\xC3\xA9") == std::string_view::npos);
  CHECK(utf8_length("\xC3\xA9\xFFz") == 3);
  CHECK(utf8_decode("\xE2\x82\xAC") == 0x20AC);
}

TEST_CASE("quoted texts fit one line") {
  CHECK(quoted("a\nb\"") == R"("a\x0ab\"")");
  CHECK(quoted(std::string(100, 'x')) == "\"" + std::string(60, 'x') + "...\"");
}

TEST_CASE("a table pads every column, the last one too") {
  const TextTable table{{{"Name", TextTable::Align::Left},
                         {"n", TextTable::Align::Right},
                         {"Tag", TextTable::Align::Left}},
                        {{"a", "10", "x"}, {"longer", "1", ""}}};
  CHECK(table.render(">") ==
        "> Name    n Tag\n"
        "> a      10 x  \n"
        "> longer  1    \n");
}

TEST_CASE("sha256 gives the digests of FIPS 180-4") {
  CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST_CASE("an error prints its place in front") {
  CHECK(to_string(Error{"bad", {"a.data", 3, 7}, Fault::Input}) == "a.data:3:7: bad");
  CHECK(to_string(Error{"bad", {"a.data", 0, 0}, Fault::Input}) == "a.data: bad");
  CHECK(to_string(Error{"bad", {}, Fault::Input}) == "bad");
}
