// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>

#include "ballast/core/bytes.hpp"
#include "ballast/core/strings.hpp"
#include "ballast/core/table.hpp"
#include "ballast/core/words.hpp"
#include "ballast/ganeti/cli/capacity/report.hpp"
#include "ballast/ganeti/cli/tables/unit_table.hpp"
#include "ballast/ganeti/model/fingerprint.hpp"

namespace ballast::ganeti::cli {
namespace {

using report::DataTable;
using report::Document;
using report::Finding;

std::string_view word_of(RunKind kind) { return kind == RunKind::Tiered ? "tiered" : "standard"; }

Value summary_of(const CapacityFindings& findings) {
  const ClusterTotals& before = findings.before;
  Value summary = Value::map();
  summary.set("nodes", findings.cluster.nodes.size())
      .set("instances", before.instances)
      .set("memory_bytes", truncated(before.total_mem) * kBytesPerMib)
      .set("disk_bytes", truncated(before.total_disk) * kBytesPerMib)
      .set("vcpus", before.virtual_cpus)
      .set("score", before.score)
      .set("disk_template", text_of(findings.options.disk_template));
  for (const CapacityAnswer& answer : findings.answers) {
    const std::string word(word_of(answer.kind));
    summary.set(word + "_instances", answer.run.filled.placed());
    if (answer.run.failures) {
      summary.set(word + "_failure_reason", text_of(main_reason(*answer.run.failures)));
    }
    summary.set(word + "_score", answer.totals.score)
        .set(word + "_memory_efficiency", answer.totals.mem_efficiency())
        .set(word + "_disk_efficiency", answer.totals.disk_efficiency())
        .set(word + "_vcpu_efficiency", answer.totals.cpu_efficiency());
  }
  if (const auto& thorough = findings.thorough) {
    summary.set("thorough_worth", thorough->worth)
        .set("usual_tiers_worth", thorough->usual_worth)
        .set("standard_worth", thorough->standard_placed);
  }
  return summary;
}

Finding unit_finding(const CapacityFindings& findings, const CapacityAnswer& answer,
                     const UnitRefusals& refusals) {
  Finding finding;
  finding.code = "unit-without-room";
  finding.text = fmt::format("The {} run left no room in {}.", word_of(answer.kind),
                             units_in_words(findings.cluster, {refusals}));
  finding.subject.set("unit", to_string(findings.cluster[refusals.unit]));
  finding.figures.set("full_nodes", refusals.full).set("nodes_without", refusals.missing);
  return finding;
}

std::vector<Finding> findings_of(const CapacityFindings& findings) {
  std::vector<Finding> all;
  for (const CapacityAnswer& answer : findings.answers) {
    if (answer.run.is_suppressed && answer.kind == RunKind::Standard) {
      Finding finding;
      finding.severity = report::Severity::Warning;
      finding.code = "existing-errors";
      finding.text = "Nothing was placed: a node lacks memory for a failover already.";
      finding.action = "Mend the node, or use --accept-existing-errors or --independent-groups.";
      all.push_back(std::move(finding));
    }
    for (const UnitRefusals& refusals : answer.refusals)
      all.push_back(unit_finding(findings, answer, refusals));
  }
  for (Finding& finding : why_findings(findings)) all.push_back(std::move(finding));
  return all;
}

Value name_of(const Cluster& cluster, NodeId node) {
  return node.is_none() ? Value() : Value(cluster[node].name);
}

DataTable placed_table(const CapacityAnswer& answer) {
  DataTable table{
      std::string(word_of(answer.kind)) + "_placed",
      {"instance", "primary", "secondary", "memory_bytes", "disk_bytes", "vcpus", "spindles"},
      {}};
  const FilledCluster& filled = answer.run.filled;
  for (std::size_t i = filled.existing; i < filled.cluster.instances.size(); ++i) {
    const Instance& instance = filled.cluster.instances[i];
    const Placement& at = filled.state.placements[i];
    table.rows.push_back({instance.name, name_of(filled.cluster, at.primary),
                          name_of(filled.cluster, at.secondary), instance.memory_mib * kBytesPerMib,
                          instance.disk_mib * kBytesPerMib, instance.vcpus,
                          instance.disk_spindles().value_or(0)});
  }
  return table;
}

DataTable sizes_table(const CapacityAnswer& answer) {
  DataTable table{std::string(word_of(answer.kind)) + "_sizes",
                  {"count", "memory_bytes", "disk_bytes", "vcpus", "spindles"},
                  {}};
  for (const PlacedRun& run : placed_runs(answer.run.filled)) {
    table.rows.push_back({run.count, run.size.memory_mib * kBytesPerMib,
                          run.size.disk_mib * kBytesPerMib, run.size.vcpus, run.size.spindles});
  }
  return table;
}

/// One storage unit before and after the runs. Sizes in MiB.
struct UnitRow {
  UnitSummary unit;
  std::vector<std::int64_t> free_mib;  ///< after each run
  std::optional<std::size_t> placed;   ///< of the standard size, where its disks can ask for it
  std::string refusals;
};

std::vector<UnitRow> unit_rows(const CapacityFindings& findings) {
  const std::vector<NodeId> nodes = whole_part(findings.cluster).nodes;
  std::vector<UnitRow> rows;
  for (const UnitSummary& unit : unit_summaries(findings.cluster, findings.state, nodes))
    rows.push_back({unit, {}, std::nullopt, ""});
  for (const CapacityAnswer& answer : findings.answers) {
    const auto after = unit_summaries(answer.run.filled.cluster, answer.run.filled.state, nodes);
    for (std::size_t u = 0; u < rows.size(); ++u) rows[u].free_mib.push_back(after[u].free_mib);
  }
  for (UnitRow& row : rows) {
    const auto found = std::ranges::find(findings.units, row.unit.unit, &UnitCapacity::unit);
    if (found == findings.units.end()) continue;
    row.placed = found->placed;
    row.refusals = units_in_words(findings.cluster, found->refusals);
  }
  return rows;
}

DataTable units_table(const CapacityFindings& findings) {
  DataTable table{"units", {"unit", "nodes", "total_bytes", "free_bytes"}, {}};
  for (const CapacityAnswer& answer : findings.answers)
    table.columns.push_back(fmt::format("{}_free_bytes", word_of(answer.kind)));
  table.columns.insert(table.columns.end(), {"standard_instances", "ended_by"});
  for (const UnitRow& row : unit_rows(findings)) {
    ValueList cells{to_string(findings.cluster[row.unit.unit]), row.unit.nodes,
                    row.unit.total_mib * kBytesPerMib, row.unit.free_mib * kBytesPerMib};
    for (const std::int64_t free : row.free_mib) cells.emplace_back(free * kBytesPerMib);
    cells.emplace_back();
    if (row.placed) cells.back() = Value(*row.placed);
    cells.emplace_back(row.refusals);
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace

std::string unit_capacity_table(const CapacityFindings& findings) {
  const std::vector<UnitRow> rows = unit_rows(findings);
  if (rows.empty()) return "";
  using Align = TextTable::Align;
  TextTable table{{{"Unit", Align::Left},
                   {"Nodes", Align::Right},
                   {"Total", Align::Right},
                   {"Free", Align::Right},
                   {"Free_Tiered", Align::Right},
                   {"Free_Standard", Align::Right},
                   {"Instances", Align::Right},
                   {"Until", Align::Left}},
                  {}};
  for (const UnitRow& row : rows) {
    std::vector<std::string> cells{
        to_string(findings.cluster[row.unit.unit]), std::to_string(row.unit.nodes),
        std::to_string(row.unit.total_mib), std::to_string(row.unit.free_mib)};
    for (const std::int64_t free : row.free_mib) cells.push_back(std::to_string(free));
    cells.push_back(row.placed ? std::to_string(*row.placed) : "-");
    cells.push_back(row.refusals.empty() ? "-" : row.refusals);
    table.rows.push_back(std::move(cells));
  }
  return "Storage units, and how many instances of the standard size fit in each:\n" +
         table.render("  ");
}

std::string capacity_headline(const CapacityFindings& findings) {
  std::string text;
  for (const CapacityAnswer& answer : findings.answers) {
    const std::size_t placed = answer.run.filled.placed();
    text += fmt::format("{}{} {} fit{}", text.empty() ? "" : "; ", counted(placed, "instance"),
                        answer.kind == RunKind::Tiered ? "of shrinking size" : "of the fixed size",
                        placed == 1 ? "s" : "");
  }
  return text.empty() ? "No run was asked for" : text;
}

Document capacity_document(const CapacityFindings& findings, Value shaping) {
  Document document;
  document.tool = "hspace";
  document.options = std::move(shaping);
  document.fingerprint = fingerprint(findings.cluster, findings.state);
  document.summary = summary_of(findings);
  document.findings = findings_of(findings);
  for (const CapacityAnswer& answer : findings.answers) {
    document.tables.push_back(sizes_table(answer));
    document.tables.push_back(placed_table(answer));
  }
  if (findings.thorough) document.tables.push_back(smaller_sizes_table(*findings.thorough));
  if (!findings.why.empty()) document.tables.push_back(why_table(findings));
  if (findings.cluster.has_storage) document.tables.push_back(units_table(findings));
  return document;
}

}  // namespace ballast::ganeti::cli
