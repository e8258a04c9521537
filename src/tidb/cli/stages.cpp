// SPDX-License-Identifier: BSD-2-Clause
#include "stages.hpp"

#include "ballast/tidb/backend/stages.hpp"
#include "ballast/tidb/cli/write_state.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

namespace {

/// Sets that change, in plan order. Labels and services of TiDB sets are no change of the set
/// itself.
std::vector<std::pair<Component, std::string>> order_of(const Outcome& outcome) {
  std::vector<std::pair<Component, std::string>> order;
  for (const Line& step : outcome.steps) {
    const bool aside = step.action == Action::LabelPods || step.action == Action::CreateService ||
                       step.action == Action::DeleteService ||
                       step.action == Action::FailoverMark ||
                       step.action == Action::FailoverReplace;
    if (!step.component || step.set.empty() || aside) continue;
    const std::pair key{*step.component, step.set};
    if (std::ranges::find(order, key) == order.end()) order.push_back(key);
  }
  return order;
}

}  // namespace

tl::expected<void, std::vector<Diagnostic>> write_stages(const std::string& directory,
                                                         const Outcome& outcome,
                                                         const Documents& current,
                                                         const Documents& desired,
                                                         const LoadRequest& request) {
  Diagnostics errors;
  SpecOptions options;
  options.cluster = request.cluster;
  options.object_name = request.object_name;
  options.ns = request.ns;
  const auto stages = make_stages(current, desired, options, order_of(outcome), errors);
  if (!errors.empty()) return tl::unexpected(errors.told());
  operators::Files files;
  for (const Stage& stage : stages)
    files.emplace_back(stage.name + ".yaml", doc::emit_yaml(stage.document));
  return write_files("--stages", directory, files);
}

}  // namespace ballast::tidb
