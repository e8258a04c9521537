// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>

#include "ballast/core/bytes.hpp"
#include "ballast/ganeti/cli/health/what_if_report.hpp"
#include "ballast/ganeti/cli/tables/cluster_tables.hpp"
#include "what_if_words.hpp"

namespace ballast::ganeti::cli {
namespace {

report::Finding finding_of(const Cluster& cluster, const State& state, const Affected& affected) {
  const std::string& name = cluster[affected.instance].name;
  const std::string reason = reason_text(cluster, state, affected);
  report::Finding finding;
  finding.severity = report::Severity::Error;
  finding.code = affected.fate == Fate::Stuck ? "instance-cannot-run" : "instance-loses-disks";
  finding.text = fmt::format("{}: {}{}{}", name, words_of(affected.fate).verdict,
                             reason.empty() ? "" : ": ", reason);
  finding.subject.set("instance", name).set("node", name_of(cluster, affected.before.primary));
  finding.figures.set("memory_bytes", bytes_of(cluster[affected.instance].memory_mib));
  finding.action =
      affected.fate == Fate::Stuck
          ? "free what it lacks on its other node, or place its mirror where there is room"
          : "keep a backup elsewhere, or convert it to a mirrored or shared disk template";
  return finding;
}

report::Finding finding_of(const Cluster& cluster, const Survivor& one) {
  report::Finding finding;
  finding.severity = report::Severity::Warning;
  finding.code = "node-over-committed";
  finding.text =
      fmt::format("{} would be over-committed: {}", cluster[one.node].name, strain_text(one));
  finding.subject.set("node", cluster[one.node].name);
  finding.figures.set("memory_free_bytes", bytes_of(one.free_mib))
      .set("memory_wanted_bytes", bytes_of(one.wanted_mib))
      .set("vcpu_ratio", one.vcpu_ratio)
      .set("vcpu_limit", one.vcpu_limit);
  finding.action = "move instances away from it, or their secondaries to nodes with more room";
  return finding;
}

report::DataTable affected_rows(const Cluster& cluster, const State& state, const WhatIf& answer) {
  report::DataTable table{
      "affected_instances",
      {"name", "fate", "primary_before", "secondary_before", "runs_on", "room_on", "reason"},
      {}};
  for (const Affected& one : answer.affected) {
    const bool runs = !is_down(one.fate);
    table.rows.push_back(
        {cluster[one.instance].name, words_of(one.fate).key, name_of(cluster, one.before.primary),
         name_of(cluster, one.before.secondary), runs ? name_of(cluster, one.now) : Value(),
         runs ? Value() : name_of(cluster, one.now), reason_text(cluster, state, one)});
  }
  return table;
}

report::DataTable survivor_rows(const Cluster& cluster, const WhatIf& answer) {
  report::DataTable table{
      "surviving_nodes",
      {"name", "arrivals", "memory_free_bytes", "memory_wanted_bytes", "memory_left_bytes",
       "vcpu_ratio", "vcpu_limit", "lacks_memory", "exceeds_cpu", "loses_n1"},
      {}};
  for (const Survivor& one : answer.survivors) {
    table.rows.push_back({cluster[one.node].name, one.arrivals, bytes_of(one.free_mib),
                          bytes_of(one.wanted_mib), bytes_of(one.left_mib), one.vcpu_ratio,
                          one.vcpu_limit, one.lacks_memory(), one.exceeds_cpu(), one.loses_n1});
  }
  return table;
}

Value summary_of(const Cluster& cluster, const Loss& loss, const WhatIf& answer) {
  Value lost_nodes = Value::list();
  for (const NodeId node : loss.nodes) lost_nodes.push(cluster[node].name);
  Value lost_units = Value::list();
  for (const LostUnit& lost : loss.units) {
    Value unit = Value::map();
    unit.set("unit", to_string(cluster[lost.unit])).set("node", name_of(cluster, lost.node));
    lost_units.push(std::move(unit));
  }
  Value summary = Value::map();
  summary.set("lost_nodes", std::move(lost_nodes)).set("lost_units", std::move(lost_units));
  summary.set("affected", answer.affected.size());
  for (const Fate fate : kFates) summary.set(words_of(fate).key, count_of(answer, fate));
  summary.set("without_mirror", count_without_mirror(answer));
  summary.set("over_committed_nodes",
              std::count_if(answer.survivors.begin(), answer.survivors.end(),
                            [](const Survivor& one) { return one.is_over_committed(); }));
  return summary;
}

}  // namespace

void add_what_if(report::Document& document, const Cluster& cluster, const State& state,
                 const Loss& loss, const WhatIf& answer) {
  document.summary.set("what_if", summary_of(cluster, loss, answer));
  for (const Affected& one : answer.affected) {
    if (is_down(one.fate)) document.findings.push_back(finding_of(cluster, state, one));
  }
  for (const Survivor& one : answer.survivors) {
    if (one.is_over_committed()) document.findings.push_back(finding_of(cluster, one));
  }
  document.tables.push_back(affected_rows(cluster, state, answer));
  document.tables.push_back(survivor_rows(cluster, answer));
}

bool is_anything_down(const WhatIf& answer) {
  return std::any_of(answer.affected.begin(), answer.affected.end(),
                     [](const Affected& one) { return is_down(one.fate); });
}

}  // namespace ballast::ganeti::cli
