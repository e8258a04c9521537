// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/cli/text_head.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace ballast::tidb {

namespace {

std::int64_t replicas_of(const Value& side, const std::string& set) {
  const Value* entry = side.find(set);
  const Value* replicas = entry == nullptr ? nullptr : entry->find("replicas");
  const auto* number = replicas == nullptr ? nullptr : replicas->get<std::int64_t>();
  return number == nullptr ? 0 : *number;
}

bool has_command_by_hand(const plan::Step& step) {
  return std::ranges::any_of(step.commands, [](const plan::Command& command) {
    return command.use == plan::CommandUse::Hand;
  });
}

}  // namespace

std::string text_head(const plan::Plan& plan) {
  std::string text;
  const ValueMap* sets = plan.after.get<ValueMap>();
  std::map<std::string, std::string> lines;  // pd, tidb, tikv
  std::vector<std::string> order;
  for (std::size_t i = 0; sets != nullptr && i < sets->size(); ++i) {
    const std::string& name = (*sets)[i].first;  // "tikv/default"
    const std::size_t slash = name.find('/');
    const std::string component = name.substr(0, slash);
    const std::int64_t now = replicas_of(plan.before, name);
    const std::int64_t wished = replicas_of(plan.after, name);
    if (!lines.contains(component)) order.push_back(component);
    std::string& line = lines[component];
    line += fmt::format("{}{} {}", line.empty() ? "" : ", ", name.substr(slash + 1), now);
    if (wished != now) line += fmt::format(" -> {}", wished);
  }
  for (const std::string& component : order)
    text += fmt::format("{:4}  {}\n", component, lines[component]);
  if (std::ranges::any_of(plan.steps, has_command_by_hand)) {
    text +=
        "A running operator undoes direct edits of StatefulSets: by hand, apply the wished file in "
        "stages (--stages).\n";
  }
  return text;
}

}  // namespace ballast::tidb
