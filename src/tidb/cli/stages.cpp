// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/cli/stages.hpp"

#include "ballast/core/file.hpp"
#include "ballast/tidb/backend/stages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace ballast::tidb {

namespace {

/// Sets that change, in plan order. Labels and services of TiDB sets are no change of the set
/// itself.
std::vector<std::pair<Component, std::string>> order_of(const Outcome& outcome) {
  std::vector<std::pair<Component, std::string>> order;
  for (const Step& step : outcome.steps) {
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
                                                         const Input& input, const Outcome& outcome,
                                                         const Documents& current,
                                                         const Documents& desired,
                                                         const LoadRequest& request) {
  Diagnostics errors;
  const auto refuse = [&](const char* code, std::string text) {
    errors.add(code, "-", std::move(text));
    return tl::unexpected(errors.told());
  };
  if (!input.current) {
    return refuse(
        "E020",
        "contradicting options: --stages needs --current, a new cluster is created in one "
        "go");
  }
  SpecOptions options;
  options.cluster = request.cluster;
  options.object_name = request.object_name;
  options.ns = request.ns;
  const auto stages = make_stages(current, desired, options, order_of(outcome), errors);
  if (!errors.empty()) return tl::unexpected(errors.told());
  std::error_code error;
  // Only the folder itself: a path that was mistyped must not grow a tree.
  std::filesystem::create_directory(directory, error);
  if (error) {
    return refuse(
        "E020", fmt::format("--stages {}: folder cannot be made: {}", directory, error.message()));
  }
  for (const Stage& stage : stages) {
    const std::string path = (std::filesystem::path(directory) / (stage.name + ".yaml")).string();
    const auto written = write_file(path, kube::emit_yaml(stage.document));
    if (!written) return refuse("E020", written.error().message);
  }
  return {};
}

}  // namespace ballast::tidb
