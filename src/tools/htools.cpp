// SPDX-License-Identifier: BSD-2-Clause
// One executable for all Ganeti tools: the variable HTOOLS, or else the name it is started by,
// chooses the role.
#include "tools/ganeti_tools.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <string>
#include <utility>

namespace ballast::tools {
namespace {

using Tool = int (*)(const cli::Invocation&, cli::Streams&);

constexpr auto kTools = std::to_array<std::pair<std::string_view, Tool>>({
#include "ganeti_tools.inc"
});

std::string role_of(const cli::Invocation& invocation) {
  const char* variable = std::getenv("HTOOLS");  // NOLINT(concurrency-mt-unsafe): before any thread
  std::string role = variable != nullptr ? variable : invocation.program;
  std::transform(role.begin(), role.end(), role.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return role;
}

int run(const cli::Invocation& invocation, cli::Streams& streams) {
  const std::string role = role_of(invocation);
  for (const auto& [name, tool] : kTools) {
    if (name == role) return tool(invocation, streams);
  }
  std::string names;
  for (const auto& [name, tool] : kTools) names += fmt::format(" {}\n", name);
  streams.err(
      fmt::format("Unrecognised personality '{}'.\nStart this program by one of these names, or "
                  "set HTOOLS to one:\n{}",
                  role, names));
  return cli::kFailed;
}

}  // namespace
}  // namespace ballast::tools

int main(int argc, char** argv) { return ballast::cli::run_main(argc, argv, ballast::tools::run); }
