// SPDX-License-Identifier: BSD-2-Clause
// Offline nodes that instances still belong to.
#include "ballast/core/shell.hpp"

#include "ballast/ganeti/model/ids_of.hpp"
#include <fmt/format.h>

#include "checks.hpp"

namespace ballast::ganeti::doctor {
namespace {

Finding stranded(const Cluster& cluster, const Node& node, const std::vector<InstanceId>& ids) {
  const std::vector<std::string> names = names_of(cluster, ids);
  Finding finding;
  finding.severity = Severity::Error;
  finding.code = "primary-on-offline-node";
  finding.text = fmt::format("{} is offline and the primary node of {}: {}", node.name,
                             counted(ids.size(), "instance"), listed(names));
  finding.subject.set("node", node.name).set("instances", text_list(names));
  finding.figures.set("instances", ids.size());
  finding.action = fmt::format(
      "gnt-node failover {} starts the mirrored and shared ones elsewhere; others need the node or "
      "a backup",
      shell_operand(node.name));
  return finding;
}

Finding unmirrored(const Cluster& cluster, const Node& node, const std::vector<InstanceId>& ids) {
  const std::vector<std::string> names = names_of(cluster, ids);
  Finding finding;
  finding.severity = Severity::Warning;
  finding.code = "secondary-on-offline-node";
  finding.text = fmt::format("{} is offline and the secondary node of {}, which have no mirror: {}",
                             node.name, counted(ids.size(), "instance"), listed(names));
  finding.subject.set("node", node.name).set("instances", text_list(names));
  finding.figures.set("instances", ids.size());
  finding.action = fmt::format("gnt-node evacuate -s {}", shell_operand(node.name));
  return finding;
}

}  // namespace

void look_at_offline_nodes(const Patient& patient, Findings& findings) {
  for (const NodeId id : node_ids(patient.cluster)) {
    const Node& node = patient.cluster[id];
    if (!node.is_offline) continue;
    const NodeState& state = patient.state[id];
    if (!state.primaries.empty())
      findings.push_back(stranded(patient.cluster, node, each_once(state.primaries)));
    if (!state.secondaries.empty())
      findings.push_back(unmirrored(patient.cluster, node, each_once(state.secondaries)));
  }
}

}  // namespace ballast::ganeti::doctor
