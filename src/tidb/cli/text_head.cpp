// SPDX-License-Identifier: BSD-2-Clause
#include "text_head.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ballast::tidb {

namespace {

bool has_command_by_hand(const plan::Step& step) {
  return std::ranges::any_of(step.commands, [](const plan::Command& command) {
    return command.use == plan::CommandUse::Hand;
  });
}

}  // namespace

std::string text_head(const std::vector<SetSummary>& sets, const plan::Plan& plan) {
  std::array<std::string, kComponentCount> lines;
  for (const SetSummary& set : sets) {
    std::string& line = lines[index_of(set.component)];
    line += fmt::format("{}{} {}", line.empty() ? "" : ", ", set.set, set.now);
    if (set.wished != set.now) line += fmt::format(" -> {}", set.wished);
  }
  std::string text;
  for (const Component c : kComponents) {
    const std::string& line = lines[index_of(c)];
    if (!line.empty()) text += fmt::format("{:4}  {}\n", name_of(c), line);
  }
  if (std::ranges::any_of(plan.steps, has_command_by_hand)) {
    text +=
        "A running operator undoes direct edits of StatefulSets: by hand, apply the wished file in "
        "stages (--stages).\n";
  }
  return text;
}

}  // namespace ballast::tidb
