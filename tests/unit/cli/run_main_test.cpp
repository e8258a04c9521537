// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/cli/run_main.hpp"
#include "ballast/core/file.hpp"

#include <doctest/doctest.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <new>
#include <stdexcept>
#include <unistd.h>

using namespace ballast;
using namespace ballast::cli;

namespace {

/// Two pipes in the place of standard output and standard error.
struct Pipes {
  std::array<int, 2> out{};
  std::array<int, 2> err{};

  Pipes() {
    std::signal(SIGPIPE, SIG_IGN);
    REQUIRE(::pipe(out.data()) == 0);
    REQUIRE(::pipe(err.data()) == 0);
  }
  Pipes(const Pipes&) = delete;
  Pipes& operator=(const Pipes&) = delete;
  ~Pipes() {
    for (const int descriptor : {out[0], out[1], err[0], err[1]}) ::close(descriptor);
  }
  /// What has arrived so far.
  static std::string arrived(int descriptor) {
    ::fcntl(descriptor, F_SETFL, O_NONBLOCK);
    std::string text(65536, '\0');
    const ssize_t count = ::read(descriptor, text.data(), text.size());
    text.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
    return text;
  }
};

const Invocation kInvocation{"hbal", {}};

std::vector<Option> json_options() {
  std::vector<Option> options(2);
  options[0].name = "json";
  options[1].name = "detailed-exit-code";
  return options;
}

}  // namespace

TEST_CASE("output is kept until the end, errors are not") {
  Pipes pipes;
  Streams streams(pipes.out[1], pipes.err[1]);
  streams.out("one\n");
  streams.err("now\n");
  CHECK(Pipes::arrived(pipes.out[0]).empty());
  CHECK(Pipes::arrived(pipes.err[0]) == "now\n");
  CHECK(run_tool(kInvocation, streams, [](const Invocation&, Streams& s) {
          s.out("two\n");
          return 3;
        }) == 3);
  CHECK(Pipes::arrived(pipes.out[0]) == "one\ntwo\n");
}

TEST_CASE("a run that fails without an answer leaves its output file as it is") {
  std::string folder = "/tmp/ballast-run-main-XXXXXX";
  REQUIRE(::mkdtemp(folder.data()) != nullptr);
  const std::string file = folder + "/answer";
  const auto run = [&](std::string_view said, int status) {
    Pipes pipes;
    Streams streams(pipes.out[1], pipes.err[1]);
    streams.write_to(file);
    CHECK(run_tool(kInvocation, streams, [&](const Invocation&, Streams& s) {
            s.out(said);
            return status;
          }) == status);
    return read_file(file).value_or("no file");
  };
  CHECK(run("kept\n", kDone) == "kept\n");
  CHECK(run("", kFailed) == "kept\n");
  CHECK(run("an error\n", kFailed) == "an error\n");
  CHECK(run("", kDone).empty());
  ::unlink(file.c_str());
  ::rmdir(folder.c_str());
}

TEST_CASE("a closed pipe is quiet and keeps the status") {
  Pipes pipes;
  ::close(pipes.out[0]);
  Streams streams(pipes.out[1], pipes.err[1]);
  CHECK(run_tool(kInvocation, streams, [](const Invocation&, Streams& s) {
          s.out("x");
          return 2;
        }) == 2);
  CHECK(Pipes::arrived(pipes.err[0]).empty());
  pipes.out[0] = ::open("/dev/null", O_RDONLY);
}

TEST_CASE("a full disk is named and is exit status 1") {
  Pipes pipes;
  const int full = ::open("/dev/full", O_WRONLY);
  REQUIRE(full >= 0);
  Streams streams(full, pipes.err[1]);
  CHECK(run_tool(kInvocation, streams, [](const Invocation&, Streams& s) {
          s.out("x");
          return 0;
        }) == 1);
  CHECK(Pipes::arrived(pipes.err[0]) == "hbal: standard output: No space left on device\n");
  Streams silent(full, pipes.err[1]);
  CHECK(run_tool(kInvocation, silent, [](const Invocation&, Streams&) { return 0; }) == 0);
  ::close(full);
}

TEST_CASE("exceptions become one line, and nothing partial is printed") {
  Pipes pipes;
  Streams streams(pipes.out[1], pipes.err[1]);
  const auto throws = [](const Invocation&, Streams& s) -> int {
    s.out("half");
    throw std::runtime_error("step 3 breaks n1");
  };
  CHECK(run_tool(kInvocation, streams, throws) == 1);
  CHECK(Pipes::arrived(pipes.err[0]) == "hbal: internal error: step 3 breaks n1\n");
  CHECK(Pipes::arrived(pipes.out[0]).empty());
  const auto exhausts = [](const Invocation&, Streams&) -> int { throw std::bad_alloc(); };
  CHECK(run_tool(kInvocation, streams, exhausts) == 1);
  CHECK(Pipes::arrived(pipes.err[0]) == "hbal: out of memory\n");
}

TEST_CASE("open_command_line serves the generic options and errors") {
  Pipes pipes;
  Streams streams(pipes.out[1], pipes.err[1]);
  const Usage usage{"hbal", "", "", {}};
  const auto options = json_options();
  const auto open = [&](const std::vector<std::string>& words) {
    return open_command_line(usage, options, words, streams);
  };
  CHECK_FALSE(open({"a"}).status);
  CHECK(open({"a"}).arguments == std::vector<std::string>{"a"});
  CHECK(open({"-V"}).status == kDone);
  CHECK(open({"--foo"}).status == kWrongUsage);
  CHECK(open({"--foo", "--detailed"}).status == kFailed);
  streams.flush();
  CHECK(Pipes::arrived(pipes.out[0]) == version_text("hbal"));
  CHECK(Pipes::arrived(pipes.err[0])
            .starts_with("Command line error: unrecognized option `--foo'\n\nhbal ("));
  CHECK(open({"--foo", "--json"}).status == kWrongUsage);
  streams.flush();
  CHECK(Pipes::arrived(pipes.out[0]) ==
        "{\n  \"kind\": \"error\",\n  \"format\": \"ballast-error\",\n  \"version\": 1,\n  "
        "\"tool\": \"hbal\",\n"
        "  \"message\": \"Command line error: unrecognized option `--foo'\",\n  \"exit\": 2\n}\n");
}

TEST_CASE("report_failure names tool and place") {
  Pipes pipes;
  Streams streams(pipes.out[1], pipes.err[1]);
  CHECK(report_failure(streams, "hplan", Error{"no plan", {"p.json", 3, 4}, Fault::Input}, false) ==
        kFailed);
  CHECK(report_failure(streams, "hplan", Error{"odd", {}, Fault::Internal}, false) == kFailed);
  CHECK(Pipes::arrived(pipes.err[0]) == "hplan: p.json:3:4: no plan\nhplan: internal error: odd\n");
}

TEST_CASE("the version names the suite, and the reference where there is one") {
  CHECK(version_text("hbal").starts_with("hbal (ganeti) version 3.0.2-3, Ballast "));
  CHECK(version_text("hfdb").starts_with("hfdb (Ballast) version "));
}
