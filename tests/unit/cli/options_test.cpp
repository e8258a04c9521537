// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/cli/options.hpp"

#include "ballast/core/version.hpp"

#include <doctest/doctest.h>

using namespace ballast;
using namespace ballast::cli;

namespace {

/// A table with each kind of option; what is applied is written to `log`.
struct Fixture {
  std::vector<std::string> log;
  std::vector<Option> options;
  Usage usage{"hbal", "", "", {}};

  Fixture() {
    add('p', "print-nodes", Takes::OptionalValue, "FIELDS", "none", true);
    add('l', "max-length", Takes::Value, "N", "integer", true);
    add('v', "verbose", Takes::Nothing, "", "none", true);
    add('q', "quiet", Takes::Nothing, "", "none", true);
    add(0, "no-disk-moves", Takes::Nothing, "", "none", true);
    add(0, "no-instance-moves", Takes::Nothing, "", "none", true);
    add(0, "mond", Takes::OptionalValue, "CHOICE", "choices=yes,no", true);
    add(0, "mond-data", Takes::Value, "FILE", "file", true);
    add(0, "maximum", Takes::Value, "N", "integer", false);
    add(0, "json", Takes::Nothing, "", "none", false);
  }

  void add(char letter, const char* name, Takes takes, const char* value, const char* completion,
           bool is_reference) {
    Option option{letter, name, takes, value, completion, "does it", is_reference, {}};
    option.apply = [this, key = std::string(name)](std::optional<std::string_view> text) -> Status {
      if (text && *text == "bad") return fail("no good \"bad\"");
      log.push_back(text ? key + "=" + std::string(*text) : key);
      return {};
    };
    options.push_back(std::move(option));
  }

  Result<ParsedLine> parse(const std::vector<std::string>& words) {
    log.clear();
    return parse_command_line(usage, options, words);
  }
  std::string error(const std::vector<std::string>& words) {
    const auto parsed = parse(words);
    REQUIRE_FALSE(parsed);
    return parsed.error().message;
  }
  /// The error lines without the usage text.
  std::string syntax_error(const std::vector<std::string>& words) {
    const std::string text = error(words);
    CHECK(log.empty());
    const std::string help = "\n" + help_text(usage, options);
    REQUIRE(text.ends_with(help));
    return text.substr(0, text.size() - help.size());
  }
};

using Log = std::vector<std::string>;

}  // namespace

TEST_CASE_FIXTURE(Fixture, "options and arguments may be mixed, and are applied in order") {
  const auto parsed = parse({"a", "-v", "-", "--quiet", "b", "--", "-v", "--"});
  REQUIRE(parsed);
  CHECK(log == Log{"verbose", "quiet"});
  CHECK(parsed->arguments == Log{"a", "-", "b", "-v", "--"});
  CHECK(parsed->wish == ParsedLine::Wish::Run);
}

TEST_CASE_FIXTURE(Fixture, "a flag hands the rest of its word back") {
  REQUIRE(parse({"-qqvl0"}));
  CHECK(log == Log{"quiet", "quiet", "verbose", "max-length=0"});
  REQUIRE(parse({"-v-quiet"}));
  CHECK(log == Log{"verbose", "quiet"});
  const auto ended = parse({"-v-", "-q"});
  REQUIRE(ended);
  CHECK(log == Log{"verbose"});
  CHECK(ended->arguments == Log{"-q"});
}

TEST_CASE_FIXTURE(Fixture, "an optional value is only taken from the same word") {
  const auto parsed =
      parse({"-p", "name", "-pname", "-p=name", "--print-nodes", "--print-nodes=", "--print=+a"});
  REQUIRE(parsed);
  CHECK(log == Log{"print-nodes", "print-nodes=name", "print-nodes==name", "print-nodes",
                   "print-nodes=", "print-nodes=+a"});
  CHECK(parsed->arguments == Log{"name"});
}

TEST_CASE_FIXTURE(Fixture, "a required value may be the next word, whatever it is") {
  REQUIRE(parse({"-l", "--quiet", "--max-length", "-v", "-l5", "--max-length="}));
  CHECK(log == Log{"max-length=--quiet", "max-length=-v", "max-length=5", "max-length="});
}

TEST_CASE_FIXTURE(Fixture, "a unique prefix is enough; an exact name beats longer ones") {
  REQUIRE(parse({"--no-d", "--mond", "--mond-d=f", "--q"}));
  CHECK(log == Log{"no-disk-moves", "mond", "mond-data=f", "quiet"});
}

TEST_CASE_FIXTURE(Fixture,
                  "prefixes count among our own options only where the reference has none") {
  REQUIRE(parse({"--max=3", "--maxi=4", "--js"}));
  CHECK(log == Log{"max-length=3", "maximum=4", "json"});
}

TEST_CASE_FIXTURE(Fixture, "unknown options are all named, after the other errors") {
  CHECK(syntax_error({"--foo=1", "-zvy", "--verbose=x", "-\xC3\xA9"}) ==
        "Command line error: option `--verbose' doesn't allow an argument\n"
        "unrecognized option `--foo=1'\n"
        "unrecognized option `-z'\n"
        "unrecognized option `-y'\n"
        "unrecognized option `-\xC3\xA9'\n");
  CHECK(parse({"--foo"}).error().fault == Fault::Usage);
}

TEST_CASE_FIXTURE(Fixture, "a missing value names the option as it was written") {
  CHECK(syntax_error({"-l"}) == "Command line error: option `-l' requires an argument N\n");
  CHECK(syntax_error({"--max-l"}) ==
        "Command line error: option `--max-l' requires an argument N\n");
  CHECK(syntax_error({"--verb=1"}) ==
        "Command line error: option `--verb' doesn't allow an argument\n");
}

TEST_CASE_FIXTURE(Fixture, "an ambiguous name lists the candidates with widths of their own") {
  CHECK(syntax_error({"--no=1"}) ==
        "Command line error: option `--no' is ambiguous; could be one of:\n"
        "    --no-disk-moves      does it\n"
        "    --no-instance-moves  does it\n");
  CHECK(syntax_error({"--m=1"}) ==
        "Command line error: option `--m' is ambiguous; could be one of:\n"
        "  -l N  --max-length=N    does it\n"
        "        --mond[=CHOICE]   does it\n"
        "        --mond-data=FILE  does it\n");
}

TEST_CASE_FIXTURE(Fixture, "the first value error stops") {
  CHECK(error({"-v", "-lbad", "-q", "--help"}) ==
        "Error while parsing command line arguments:\nno good \"bad\"\n");
  CHECK(log == Log{"verbose"});
  CHECK(parse({"-lbad"}).error().fault == Fault::Input);
  CHECK(error({"--maximum=bad"}) == "hbal: option --maximum: no good \"bad\"\n");
  CHECK(parse({"--maximum=bad"}).error().fault == Fault::Usage);
}

TEST_CASE_FIXTURE(Fixture, "help wins over version over completion") {
  CHECK(parse({"--help-completion"})->wish == ParsedLine::Wish::Completion);
  CHECK(parse({"--help-completion", "-V"})->wish == ParsedLine::Wish::Version);
  CHECK(parse({"--help-completion", "-V", "-h"})->wish == ParsedLine::Wish::Help);
}

TEST_CASE_FIXTURE(Fixture, "help lists the reference's options, the generic ones, then ours") {
  usage.footer = {"last line"};
  CHECK(help_text(usage, options) ==
        "hbal (ganeti) version 3.0.2-3, Ballast " + std::string(kVersion) +
            "\n"
            "Usage: hbal [OPTION...]\n"
            "  -p[FIELDS]  --print-nodes[=FIELDS]  does it\n"
            "  -l N        --max-length=N          does it\n"
            "  -v          --verbose               does it\n"
            "  -q          --quiet                 does it\n"
            "              --no-disk-moves         does it\n"
            "              --no-instance-moves     does it\n"
            "              --mond[=CHOICE]         does it\n"
            "              --mond-data=FILE        does it\n"
            "  -V          --version               print the version and end\n"
            "  -h          --help                  print this text and end\n"
            "              --help-completion       print the options for shell completion and end\n"
            "              --config=FILE           take the usual options of the site from FILE\n"
            "              --maximum=N             does it\n"
            "              --json                  does it\n"
            "last line\n");
}

TEST_CASE_FIXTURE(Fixture, "completion names the forms and the kind of value") {
  const std::string text = completion_text(usage, options, "file 1 1");
  CHECK(text.starts_with("-p,--print-nodes none\n-l,--max-length integer\n"));
  CHECK(text.find("-V,--version none\n-h,--help none\n--help-completion none\n--config "
                  "file\n--maximum integer\n") != std::string::npos);
  CHECK(text.ends_with("--json none\nfile 1 1\n"));
}

TEST_CASE("a short-only option has no long form to be matched") {
  std::vector<Option> options(1);
  options[0].letter = 'S';
  options[0].takes = Takes::Value;
  options[0].value_name = "FILE";
  options[0].completion = "none";
  CHECK(completion_text({"t", "", "", {}}, options).starts_with("-S none\n"));
  CHECK(parse_command_line({"t", "", "", {}}, options, {"--version"})->wish ==
        ParsedLine::Wish::Version);
}

TEST_CASE_FIXTURE(Fixture, "is_given sees an option beside errors") {
  CHECK(is_given(options, {"--foo", "--js"}, "json"));
  CHECK_FALSE(is_given(options, {"--foo", "--", "--json"}, "json"));
}
