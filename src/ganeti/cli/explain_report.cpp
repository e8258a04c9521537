// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/explain_report.hpp"

#include "ballast/ganeti/cli/load.hpp"
#include "ballast/ganeti/search/explain.hpp"
#include "ballast/report/plan_json.hpp"

#include <fmt/format.h>

namespace ballast::ganeti::cli {
namespace {

std::string document_of(const Cluster& cluster, const Explanation& explanation) {
  Value document = Value::map();
  document.set("kind", "explain").set("format", "ballast-explain").set("version", 1);
  document.set("system", "ganeti").set("tool", "hbal");
  const Value body = explanation_value(cluster, explanation);
  for (const auto& [key, value] : *body.get<ValueMap>()) document.set(key, value);
  return report::value_to_json(document);
}

}  // namespace

Exit explain_instance(Snapshot& snapshot, const Settings& settings, Output& output) {
  if (auto limited = apply_limits(snapshot, settings.limits, output); !limited) return limited.error();
  const Cluster& cluster = snapshot.cluster;
  const std::string& name = *settings.tool.explained_instance;
  const std::optional<std::size_t> index = resolve_name(cluster.instances, name);
  if (!index) {
    return output.fail_at(
        Error{fmt::format("--explain: {}: expected the name of one instance", quoted(name)), {}, Fault::Input});
  }
  const InstanceId instance(*index);
  const Part part = part_of(cluster, snapshot.state, cluster[snapshot.state[instance].primary].group);
  const Explanation explanation = explain(cluster, snapshot.state, part, settings.balance, instance);
  output.say(explanation_text(cluster, explanation));
  output.document(document_of(cluster, explanation));
  return ballast::cli::kDone;
}

}  // namespace ballast::ganeti::cli
