// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/cli/option_makers.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>

using namespace ballast;
using namespace ballast::cli;

namespace {

/// A tool with two subcommands, and a site's file of its own.
struct Site {
  std::vector<std::string> log;
  std::vector<Option> options;
  Usage usage{"hfdb", "", "", {}, {{"plan", "plans"}, {"drain", "drains"}}};
  std::string file = "site-options-test.toml";

  Site() {
    const auto logged = [this](std::string name) {
      return [this, name](std::string_view value) -> Status {
        if (value == "bad") return fail("\"bad\": expected something good");
        log.push_back(name + "=" + std::string(value));
        return {};
      };
    };
    options = {value_option("rate", "MIB", "float", "rate", logged("rate")),
               value_option("set", "PATH", "none", "set", logged("set")),
               flag_option("json", "json", [this] { log.emplace_back("json"); }),
               excluding("json", value_option("format", "WORD", "none", "f", logged("format"))),
               only_for({"drain"}, value_option("node", "NAME", "none", "node", logged("node"))),
               needing("rate", value_option("parallel", "N", "integer", "n", logged("parallel")))};
    ::setenv("BALLAST_CONFIG", file.c_str(), 1);
    write("");
  }
  ~Site() {
    std::remove(file.c_str());
    ::unsetenv("BALLAST_CONFIG");
    ::unsetenv("BALLAST_RATE");
  }
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;

  void write(const std::string& text) const { std::ofstream(file) << text; }

  std::string error(const std::vector<std::string>& words) {
    log.clear();
    const auto parsed = parse_command_line(usage, options, words);
    return parsed ? "" : parsed.error().message;
  }
};

using Log = std::vector<std::string>;

}  // namespace

TEST_CASE_FIXTURE(Site, "the command line counts before the environment, that before the file") {
  write("# ours\n[hfdb]\nrate = 1\nset = [\"a b\", c]\njson = true\n[hbal]\nmax-cpu = 3\n");
  CHECK(error({"plan"}).empty());
  CHECK(log == Log{"rate=1", "set=a b", "set=c", "json"});
  ::setenv("BALLAST_RATE", "2", 1);
  CHECK(error({"plan"}).empty());
  CHECK(log == Log{"rate=2", "set=a b", "set=c", "json"});
  CHECK(error({"plan", "--rate=3", "--set", "-x=1"}).empty());
  CHECK(log == Log{"json", "rate=3", "set=-x=1"});
}

TEST_CASE_FIXTURE(Site, "what the command line contradicts in the file is left out") {
  write("[hfdb]\njson = true\n");
  CHECK(error({"plan", "--format=text"}).empty());
  CHECK(log == Log{"format=text"});
}

TEST_CASE_FIXTURE(Site, "a flag may be switched off in the file; other words are refused") {
  write("[hfdb]\njson = false\n");
  CHECK(error({"plan"}).empty());
  CHECK(log.empty());
  write("[hfdb]\n  json = maybe\n");
  CHECK(error({"plan"}) == "hfdb: site-options-test.toml:2:3: \"maybe\": expected true or false\n");
}

TEST_CASE_FIXTURE(Site, "an option without a long name goes by its letter") {
  Option saves = value_option("", "FILE", "file", "save", [this](std::string_view value) -> Status {
    log.push_back("S=" + std::string(value));
    return {};
  });
  saves.letter = 'S';
  options.push_back(saves);
  write("[hfdb]\nS = out\n");
  CHECK(error({"plan"}).empty());
  CHECK(log == Log{"S=out"});
}

TEST_CASE_FIXTURE(Site, "an option of another subcommand in the file is no error") {
  write("[hfdb]\nnode = n1\n");
  CHECK(error({"plan"}).empty());
  CHECK(log.empty());
  CHECK(error({"drain"}).empty());
  CHECK(log == Log{"node=n1"});
}

TEST_CASE_FIXTURE(Site, "errors of the file have a place") {
  write("[hfdb]\n\nrata = 1\n");
  CHECK(error({"plan"}) ==
        "hfdb: site-options-test.toml:3:1: \"rata\": hfdb has no such option; did you mean "
        "\"rate\"?\n");
  write("[hfbd]\nrate = 1\n");
  CHECK(error({"plan"}) ==
        "hfdb: site-options-test.toml:1:1: [hfbd]: expected the name of a tool; did you mean "
        "\"hfdb\"?\n");
  write("rate = 1\n");
  CHECK(error({"plan"}) ==
        "hfdb: site-options-test.toml:1:1: \"rate\": expected a section such as [hfdb] before "
        "it\n");
  write("[hfdb]\nrate = bad\n");
  CHECK(error({"plan"}) == "hfdb: site-options-test.toml:2:1: \"bad\": expected something good\n");
}

TEST_CASE_FIXTURE(Site, "whatever the file holds, its errors have a line and a column") {
  const auto told = [this](const std::string& text) {
    write(text);
    const std::string error = this->error({"plan"});
    CHECK(error.find('\n') == error.size() - 1);
    const std::string head = "hfdb: site-options-test.toml:";
    REQUIRE(error.starts_with(head));
    return error.substr(head.size(), error.size() - head.size() - 1);
  };
  CHECK(told("[hfdb]\nrate = 1\n[hbal]\n[hfdb]\nrate = 2\n") ==
        "5:1: \"rate\": stands twice, first in line 2");
  CHECK(told("[hfdb]\nhfdb.rate = 1\n").starts_with("2:1: [hfdb.hfdb]: expected the name of a"));
  CHECK(told("hfdb.rata = 1\n") ==
        "1:1: \"rata\": hfdb has no such option; did you mean \"rate\"?");
  CHECK(told("[hfdb]\n\"rata\" = 1\n") ==
        "2:1: \"rata\": hfdb has no such option; did you mean \"rate\"?");
  CHECK(told("\xEF\xBB\xBF[ hfdb ] # ours\r\nrata = 1\r\n").starts_with("2:1: \"rata\""));
  CHECK(told("[hfdb\nrate = 1\n") == "1:1: [hfdb: expected ] behind it");
  CHECK(told("[hfdb.plan]\nrate = 1\n").starts_with("1:1: [hfdb.plan]: expected the name of a"));
  CHECK(told("[default]\nrate = 1\n").starts_with("1:1: [default]: expected the name of a"));
  CHECK(told("[hfdb]\nset = \"a\n") == "2:1: \"set\": \"\\\"a\": expected a second quotation mark");
  CHECK(told("[hfdb]\nset = [a,\n b]\n") == "2:1: \"set\": \"[a,\": expected ] in the same line");
  CHECK(told("[hfdb]\n = 3\n") == "2:2: expected the name of an option before =");
  CHECK(told("[hfdb]\n++ = 3\n").starts_with("2:1: \"++\": hfdb has no such option"));
  CHECK(told("{\"hfdb\": {\"rate\": 1}}\n").starts_with("1:1: "));
  CHECK(told("hfdb:\n  rate: 1\n").starts_with("1:1: "));
}

TEST_CASE_FIXTURE(Site, "the range of a whole number is told in the help and held everywhere") {
  options.push_back(integer_option("most", "N", "at most", 2, 9, [this](std::int64_t n) {
    log.push_back("most=" + std::to_string(n));
  }));
  options.push_back(integer_option("any", "N", "any", 1, std::int64_t{1} << 40, [](auto) {}));
  const std::string help = help_text(usage, options);
  CHECK(help.find("at most, from 2 to 9\n") != std::string::npos);
  CHECK(help.find("any, at least 1\n") != std::string::npos);
  CHECK(error({"plan", "--most=10"}) ==
        "hfdb: option --most: \"10\": expected a number from 2 to 9\n");
  write("[hfdb]\nmost = 1\n");
  CHECK(error({"plan"}) ==
        "hfdb: site-options-test.toml:2:1: \"1\": expected a number from 2 to 9\n");
}

TEST_CASE_FIXTURE(Site, "a file that cannot be read is named") {
  ::setenv("BALLAST_CONFIG", "no-such-file.toml", 1);
  CHECK(error({"plan"}).starts_with("hfdb: no-such-file.toml: "));
  CHECK(error({"plan", "--config=."}).starts_with("hfdb: .: "));
}

TEST_CASE_FIXTURE(Site, "what does not go together, and what is missing") {
  CHECK(error({"plan", "--json", "--format=text"}) == "hfdb: --json excludes --format\n");
  CHECK(error({"plan", "--parallel=2"}) == "hfdb: --parallel requires --rate\n");
  CHECK(error({"plan", "--node=n"}) == "hfdb: --node belongs to hfdb drain\n");
}

TEST_CASE_FIXTURE(Site, "a subcommand has a help and a completion of its own") {
  const std::string all = help_text(usage, options);
  CHECK(all.find("Subcommands:\n  plan   plans\n  drain  drains\n") != std::string::npos);
  CHECK(all.find("drain: node") != std::string::npos);
  const std::string plan = help_text(usage, options, "plan");
  CHECK(plan.find("Usage: hfdb plan [OPTION...]\nplans\n") != std::string::npos);
  CHECK(plan.find("--node") == std::string::npos);
  CHECK(completion_text(usage, options, "", "plan").find("--node") == std::string::npos);
  CHECK(completion_text(usage, options).ends_with("choices=plan,drain 1 1\n"));
}
