// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/file.hpp"
#include "ballast/ganeti/cli/balance_report.hpp"
#include "ballast/ganeti/report/explain/explain.hpp"
#include "ballast/report/plan_json.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::ganeti::cli {
namespace {

std::string document(const Cluster& cluster, const Explanation& explanation) {
  Value value = Value::map();
  value.set("kind", "explain");
  value.set("format", "ballast-explain");
  value.set("version", 1);
  value.set("tool", "hbal");
  const Value facts = explanation_value(cluster, explanation);
  if (const auto* map = facts.get<ValueMap>()) {
    for (const auto& [key, fact] : *map) value.set(key, fact);
  }
  return report::value_to_json(value);
}

}  // namespace

OrExit<void> explain_instance(const Snapshot& snapshot, const Part& part, const Settings& settings,
                              Output& output) {
  const std::string& text = *settings.tool.explained_instance;
  const auto index = resolve_name(snapshot.cluster.instances, text);
  const bool is_there =
      index && std::ranges::find(part.instances, InstanceId(*index)) != part.instances.end();
  if (!is_there) {
    return tl::unexpected(
        output.fail_at(Error{fmt::format("option --explain: {}: no such instance in group {}",
                                         quoted(text), snapshot.cluster[part.group].name),
                             {},
                             Fault::Input}));
  }
  const Explanation explanation =
      explain(snapshot.cluster, snapshot.state, part, settings.balance, InstanceId(*index));
  output.say(explanation_text(snapshot.cluster, explanation));
  output.document(document(snapshot.cluster, explanation));
  return {};
}

}  // namespace ballast::ganeti::cli
