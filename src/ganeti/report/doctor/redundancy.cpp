// SPDX-License-Identifier: BSD-2-Clause
// Who could not take over if a node failed: nodes that reserve more than they have free, and nodes
// whose instances do not all find another place.
#include <fmt/format.h>

#include "ballast/ganeti/search/planning/refusal_text.hpp"
#include "ballast/ganeti/search/redundancy/nplus1.hpp"
#include "ballast/ganeti/search/redundancy/what_if.hpp"
#include "checks.hpp"

namespace ballast::ganeti::doctor {
namespace {

/// Instances that would start on the node if `peer` failed.
std::vector<InstanceId> would_start(const Patient& patient, NodeId node, NodeId peer) {
  std::vector<InstanceId> ids;
  for (const InstanceId id : each_once(patient.state[node].secondaries)) {
    if (patient.state[id].primary == peer && patient.cluster[id].uses_secondary_memory())
      ids.push_back(id);
  }
  return ids;
}

Finding unhappy(const Patient& patient, NodeId id) {
  const Cluster& cluster = patient.cluster;
  const NodeState& state = patient.state[id];
  const std::int64_t free = unallocated_mem(cluster[id], state);
  Finding finding;
  finding.severity = Severity::Error;
  finding.code = "node-not-n1-happy";
  finding.subject.set("node", cluster[id].name);
  finding.figures.set("memory_reserved_bytes", bytes_of(state.reserved_mem))
      .set("memory_free_bytes", bytes_of(free));
  if (state.peers.empty()) {
    finding.text = fmt::format("{} has {} MiB of memory free, no instance could start there",
                               cluster[id].name, free);
    finding.action = "move an instance away from it";
    return finding;
  }
  const NodeId peer = state.peers.front().first;
  const std::vector<std::string> names = names_of(cluster, would_start(patient, id, peer));
  finding.text =
      fmt::format("{} must keep {} MiB of memory for the failure of {}, {} MiB are free: {}",
                  cluster[id].name, state.reserved_mem, cluster[peer].name, free, listed(names));
  finding.subject.set("peer", cluster[peer].name).set("instances", text_list(names));
  finding.action = fmt::format(
      "move the secondary of one of them (gnt-instance replace-disks -n), "
      "or a primary away from {}",
      cluster[id].name);
  return finding;
}

Finding not_evacuable(const Patient& patient, NodeId node, const StuckInstance& stuck) {
  const Cluster& cluster = patient.cluster;
  const Instance& instance = cluster[stuck.instance];
  const Refusal* why = telling_refusal(stuck.refusals);
  Finding finding;
  finding.severity = Severity::Warning;
  finding.code = "node-not-evacuable";
  finding.text =
      fmt::format("{} cannot be evacuated: {} finds no place", cluster[node].name, instance.name);
  if (why != nullptr) {
    finding.text += ": " + refusal_text(cluster, patient.state, instance, *why);
    finding.figures.set("wanted", why->wanted).set("available", why->available);
    finding.subject.set("rule", name_of(why->rule));
  } else {
    finding.text += ": there is no other node in the group";
  }
  finding.subject.set("node", cluster[node].name).set("instance", instance.name);
  finding.action =
      fmt::format("hcheck --what-if node={} shows all of its instances", cluster[node].name);
  return finding;
}

}  // namespace

void look_at_redundancy(const Patient& patient, Findings& findings) {
  for (const Part& part : patient.parts) {
    for (const NodeId node : part.nodes) {
      if (!patient.cluster[node].is_offline && patient.state[node].fails_n1)
        findings.push_back(unhappy(patient, node));
    }
    EvacuationCheck check(patient.cluster, patient.state, part.nodes);
    for (const NodeId node : part.nodes) {
      if (check.can_evacuate(node) == Evacuation::Impossible && check.stuck())
        findings.push_back(not_evacuable(patient, node, *check.stuck()));
    }
  }
}

}  // namespace ballast::ganeti::doctor
