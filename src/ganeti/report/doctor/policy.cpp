// SPDX-License-Identifier: BSD-2-Clause
// Nodes beyond the ratios of their policy, and instances that the policy would not let in today.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "ballast/core/decimal.hpp"
#include "ballast/core/shell.hpp"
#include "ballast/ganeti/moves/node_ops.hpp"
#include "ballast/ganeti/search/planning/refusal_text.hpp"
#include "checks.hpp"

namespace ballast::ganeti::doctor {
namespace {

/// A ratio that is not below: in hundredths.
std::string enough(double ratio) { return fixed(std::ceil(ratio * 100 - 1e-9) / 100, 2); }

Finding node_finding(const Cluster& cluster, const Node& node, std::string_view what, double now,
                     double most, std::string_view option) {
  Finding finding;
  finding.severity = Severity::Warning;
  finding.code = "node-against-policy";
  finding.text =
      fmt::format("{}: {} ratio {} > {}", node.name, what, fixed(now, 2), fixed(most, 2));
  finding.subject.set("node", node.name).set("group", cluster[node.group].name);
  finding.figures.set("ratio", now).set("limit", most);
  finding.action = fmt::format("move instances away (hbal --repair), or gnt-group modify {}={} {}",
                               option, enough(now), shell_operand(cluster[node.group].name));
  return finding;
}

void look_at_node(const Patient& patient, NodeId id, Findings& findings) {
  const Cluster& cluster = patient.cluster;
  const Node& node = cluster[id];
  const NodeState& state = patient.state[id];
  if (node.is_offline) return;
  if (state.cpu_ratio > node.vcpu_ratio)
    findings.push_back(node_finding(cluster, node, "vcpu", state.cpu_ratio, node.vcpu_ratio,
                                    "--ipolicy-vcpu-ratio"));
  if (state.inst_spindles > node.high_spindles) {
    const auto spindles = static_cast<double>(std::max<std::int64_t>(1, node.total_spindles));
    findings.push_back(node_finding(cluster, node, "spindle", state.inst_spindles / spindles,
                                    node.high_spindles / spindles, "--ipolicy-spindle-ratio"));
  }
}

void look_at_size(const Patient& patient, InstanceId id, Findings& findings) {
  const Cluster& cluster = patient.cluster;
  const Instance& instance = cluster[id];
  const auto why = check_policy(cluster, patient.state[id].primary, instance);
  if (!why || why->rule == Rule::PolicyTemplate) return;
  // Text snapshots give every instance one disk.
  const bool has_no_disk = instance.disk_template == DiskTemplate::Diskless ||
                           (instance.disk_mib == 0 && !instance.disks_told);
  if (why->rule == Rule::PolicyDiskSize && has_no_disk) return;
  const Group& group = cluster[cluster[patient.state[id].primary].group];
  Finding finding;
  finding.severity = Severity::Warning;
  finding.code = "instance-against-policy";
  finding.text =
      fmt::format("{}: {}", instance.name, refusal_text(cluster, patient.state, instance, *why));
  finding.subject.set("instance", instance.name).set("group", group.name);
  finding.figures.set("value", why->wanted).set("limit", why->available);
  finding.action = fmt::format(
      "change the instance (gnt-instance modify), or the bounds of group {} (gnt-group modify "
      "--ipolicy-bounds-specs)",
      group.name);
  findings.push_back(std::move(finding));
}

/// One finding for all instances of a group with one template.
void look_at_templates(const Patient& patient, const Part& part, Findings& findings) {
  const Cluster& cluster = patient.cluster;
  const Group& group = cluster[part.group];
  const auto& allowed = group.policy.disk_templates;
  std::map<DiskTemplate, std::vector<InstanceId>> strangers;
  for (const InstanceId id : part.instances) {
    const DiskTemplate own = cluster[id].disk_template;
    if (std::ranges::find(allowed, own) == allowed.end()) strangers[own].push_back(id);
  }
  std::vector<std::string> allowed_names;
  for (const DiskTemplate one : allowed) allowed_names.emplace_back(text_of(one));
  for (const auto& [own, instances] : strangers) {
    const auto names = names_of(cluster, instances);
    std::string more;
    for (const std::string& name : allowed_names) more += name + ",";
    Finding finding;
    finding.severity = Severity::Warning;
    finding.code = "instance-against-policy";
    finding.text = fmt::format("{}: disk template {} not among {} (policy of group {})",
                               listed(names), text_of(own), listed(allowed_names, 9), group.name);
    finding.subject.set("group", group.name)
        .set("template", std::string(text_of(own)))
        .set("instances", text_list(names));
    finding.figures.set("instances", names.size());
    finding.action = fmt::format("gnt-group modify --ipolicy-disk-templates={}{} {}", more,
                                 text_of(own), shell_operand(group.name));
    findings.push_back(std::move(finding));
  }
}

}  // namespace

void look_at_policy(const Patient& patient, Findings& findings) {
  for (const Part& part : patient.parts) {
    for (const NodeId node : part.nodes) look_at_node(patient, node, findings);
    for (const InstanceId id : each_once(part.instances)) look_at_size(patient, id, findings);
    look_at_templates(patient, part, findings);
  }
}

}  // namespace ballast::ganeti::doctor
