// SPDX-License-Identifier: BSD-2-Clause
// Primaries with one exclusion tag on one node: who they are, and what keeps them together.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "ballast/ganeti/search/candidates.hpp"
#include "ballast/ganeti/search/explain.hpp"
#include "doctor_checks.hpp"

namespace ballast::ganeti::doctor {
namespace {

struct Conflict {
  NodeId node;
  TagId tag;
  std::vector<InstanceId> instances;  ///< in index order
};

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

/// Which way one of the instances could go.
struct WayOut {
  InstanceId instance;
  ExplainedMove move;
};

void keep_better(std::optional<WayOut>& best, InstanceId id, const ExplainedMove& move) {
  if (!move.score) return;
  if (!best || !best->move.score || *move.score < *best->move.score) best = WayOut{id, move};
}

/// The best move that takes an instance off the node, legal or not.
void find_ways(const Patient& patient, const Part& part, const Conflict& conflict,
               std::optional<WayOut>& legal, std::optional<WayOut>& forbidden) {
  for (const InstanceId id : conflict.instances) {
    if (!is_considered(patient.cluster, patient.state, patient.options, id)) continue;
    const Explanation told = explain(patient.cluster, patient.state, part, patient.options, id);
    for (const ExplainedMove& move : told.moves) {
      if (move.after.primary == conflict.node) continue;
      // Another node with the same tag is no way out, whatever else stands there.
      const bool is_same_conflict = move.refusal && move.refusal->rule == Rule::ExclusionTag;
      if (!is_same_conflict) keep_better(move.refusal ? forbidden : legal, id, move);
    }
  }
}

/// The smallest instance on the target whose leaving would let the move pass.
std::optional<InstanceId> in_the_way(const Patient& patient, const WayOut& way) {
  const NodeId target = way.move.after.primary;
  const NodeState& full = patient.state[target];
  std::vector<InstanceId> others = full.primaries;
  others.insert(others.end(), full.secondaries.begin(), full.secondaries.end());
  std::stable_sort(others.begin(), others.end(), [&](InstanceId a, InstanceId b) {
    return patient.cluster[a].memory_mib < patient.cluster[b].memory_mib;
  });
  State trial = patient.state;
  for (const InstanceId other : others) {
    if (other == way.instance) continue;
    const InstanceRef ref{other, &patient.cluster[other], patient.state[other], false};
    trial[target] = full;
    if (patient.state[other].primary == target)
      remove_primary(patient.cluster, target, trial[target], ref);
    else
      remove_secondary(patient.cluster, target, trial[target], ref);
    if (evaluate(patient.cluster, trial, way.instance, way.move.move,
                 patient.options.ignore_soft_errors))
      return other;
  }
  return std::nullopt;
}

std::string advice(const Patient& patient, const Part& part, const Conflict& conflict) {
  const Cluster& cluster = patient.cluster;
  std::optional<WayOut> legal;
  std::optional<WayOut> forbidden;
  find_ways(patient, part, conflict, legal, forbidden);
  if (legal) {
    std::string commands;
    for (const std::string& command :
         commands_of(cluster, legal->instance, legal->move.move, legal->move.after))
      commands += (commands.empty() ? "gnt-instance " : ", gnt-instance ") + command;
    return commands;
  }
  if (forbidden) {
    const auto other = in_the_way(patient, *forbidden);
    return fmt::format(
        "{} cannot go to {}: {}; {}", cluster[forbidden->instance].name,
        cluster[forbidden->move.after.primary].name, forbidden->move.why,
        other ? fmt::format("it could if {} left", cluster[*other].name) : "make room there first");
  }
  return "no node is free of that tag: add a node, or take the tag off one instance";
}

Finding finding_of(const Patient& patient, const Part& part, const Conflict& conflict) {
  const Cluster& cluster = patient.cluster;
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
  finding.action = advice(patient, part, conflict);
  return finding;
}

}  // namespace

void look_at_exclusion(const Patient& patient, Findings& findings) {
  for (const Part& part : patient.parts) {
    for (const NodeId node : part.nodes) {
      for (const Conflict& conflict : conflicts_on(patient, node))
        findings.push_back(finding_of(patient, part, conflict));
    }
  }
}

}  // namespace ballast::ganeti::doctor
