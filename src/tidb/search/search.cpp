// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/search/search.hpp"

#include "ballast/kube/quantity.hpp"
#include "ballast/tidb/search/engine.hpp"
#include "ballast/tidb/search/groups.hpp"
#include "ballast/tidb/search/remedies.hpp"

#include <fmt/format.h>

namespace ballast::tidb {

namespace {

std::string entry(const std::string& indent, const SetSpec& spec, std::int64_t replicas,
                  const std::string& name) {
  const Placement& asked = spec.placement;
  std::string text =
      fmt::format("{}- name: {}\n{}  replicas: {}\n", indent, name, indent, replicas);
  text += fmt::format("{}  resources:\n{}    requests:\n", indent, indent);
  if (asked.cpu_milli > 0) {
    text += fmt::format("{}      cpu: \"{}\"\n", indent, kube::format_cpu(asked.cpu_milli));
  }
  if (asked.memory_bytes > 0) {
    text += fmt::format("{}      memory: {}\n", indent, kube::format_bytes(asked.memory_bytes));
  }
  if (spec.storage_bytes) {
    text += fmt::format("{}      storage: {}\n", indent, kube::format_bytes(*spec.storage_bytes));
  }
  return text;
}

/// A new set with the wished resources beside the old one at 0: the way round a restart that finds
/// no room.
std::string snippet_for(const Input& input, const Step& block) {
  if (block.code != "U-CAPACITY" || !block.component) return "";
  const LiveSet* live = input.live.find(*block.component, block.set);
  const SetSpec* spec = input.desired.find(*block.component, block.set);
  if (live == nullptr || spec == nullptr || restart_fields(live->spec, *spec).empty()) return "";
  const std::string name = name_beside(input.desired, *block.component, block.set);
  std::string text = fmt::format("{}:\n", name_of(*block.component));
  if (block.set == kDefaultSet) {
    text += "  replicas: 0\n  extra:\n";
  } else {
    text += fmt::format("  extra:\n  - name: {}\n    replicas: 0\n", block.set);
  }
  return text + entry("  ", *spec, live->replicas, name);
}

}  // namespace

Outcome plan_steps(const Input& input) {
  return input.options.profile == Profile::V2 ? plan_groups(input) : Engine(input).run();
}

Outcome plan_cluster(const Input& input) {
  Outcome outcome = plan_steps(input);
  add_remedies(input, outcome);
  if (const Step* block = outcome.first_block()) outcome.snippet = snippet_for(input, *block);
  return outcome;
}

std::string brief(const Outcome& outcome) {
  std::string text;
  std::size_t n = 0;
  for (const Step& step : outcome.steps) {
    text += fmt::format(
        "{}\t{}/{}\t{}\t{}\t{}\n", ++n, step.component        ? name_of(*step.component)
                                             : step.other.empty() ? "discovery"
                                                                  : std::string_view(step.other),
        step.set.empty() ? "-" : step.set, step.object, name_of(step.action), step.detail);
  }
  return text;
}

}  // namespace ballast::tidb
