// SPDX-License-Identifier: BSD-2-Clause
// Primaries with one exclusion tag on one node: who they are, and what keeps them together.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "checks.hpp"
#include "parting.hpp"

namespace ballast::ganeti::doctor {
namespace {

std::vector<Conflict> conflicts_on(const Patient& patient, NodeId node) {
  std::vector<Conflict> conflicts;
  const NodeState& state = patient.state[node];
  for (const auto& [tag, count] : state.primary_tags) {
    if (count < 2) continue;
    Conflict conflict{node, tag, {}};
    for (const InstanceId id : state.forth_primaries) {
      const std::vector<TagId>& tags = patient.cluster[id].exclusion_tags;
      if (std::find(tags.begin(), tags.end(), conflict.tag) != tags.end())
        conflict.instances.push_back(id);
    }
    auto& ids = conflict.instances;
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    if (ids.size() > 1) conflicts.push_back(std::move(conflict));
  }
  return conflicts;
}

Finding finding_of(const Cluster& cluster, const Conflict& conflict, std::string advice) {
  const std::vector<std::string> names = names_of(cluster, conflict.instances);
  const std::string& tag = cluster.symbols[conflict.tag.index()];
  Finding finding;
  finding.severity = Severity::Error;
  finding.code = "exclusion-conflict";
  finding.text =
      fmt::format("{}: {} ({}) run on one node", cluster[conflict.node].name, listed(names), tag);
  finding.subject.set("node", cluster[conflict.node].name)
      .set("tag", tag)
      .set("instances", text_list(names));
  finding.figures.set("instances", names.size());
  finding.action = std::move(advice);
  return finding;
}

}  // namespace

void look_at_exclusion(const Patient& patient, Findings& findings) {
  for (const Part& part : patient.parts) {
    Parting parting(patient, part);
    for (const NodeId node : part.nodes) {
      for (const Conflict& conflict : conflicts_on(patient, node))
        findings.push_back(finding_of(patient.cluster, conflict, parting.advice(conflict)));
    }
  }
}

}  // namespace ballast::ganeti::doctor
