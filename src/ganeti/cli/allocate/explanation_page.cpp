// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/allocate/explanation_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ballast/core/bytes.hpp"
#include "ballast/core/strings.hpp"
#include "ballast/core/words.hpp"
#include "ballast/ganeti/cli/allocate/allocation_report.hpp"
#include "ballast/ganeti/cli/delivery/document_delivery.hpp"
#include "ballast/ganeti/model/fingerprint.hpp"
#include "ballast/ganeti/search/planning/refusal_text.hpp"
#include "ways_text.hpp"

namespace ballast::ganeti::cli {
namespace {

std::size_t count_fitting(const InstanceExplanation& one) {
  return static_cast<std::size_t>(
      std::ranges::count_if(one.explanation.candidates,
                            [](const CandidateVerdict& candidate) { return !candidate.refusal; }));
}

/// The lines of a text as one.
std::string in_one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at))
    text.replace(at, text.find_first_not_of(' ', at + 1) - at, text[at - 1] == ':' ? " " : "; ");
  return text;
}

report::Finding finding_of(const Cluster& cluster, const InstanceExplanation& one) {
  const std::size_t fitting = count_fitting(one);
  const auto& candidates = one.explanation.candidates;
  report::Finding finding;
  finding.severity = fitting > 0 ? report::Severity::Note : report::Severity::Warning;
  finding.code = fitting > 0 ? "fits" : "no-place";
  finding.text = candidates.empty()
                     ? fmt::format("{}: {}", one.instance.name, no_candidates_text(one))
                     : fmt::format("{}: {}, {} of them fit", one.instance.name,
                                   counted(candidates.size(), "candidate"), fitting);
  finding.subject.set("instance", one.instance.name);
  finding.action = change_text(cluster, one.instance, one.explanation);
  if (one.explanation.ways)
    finding.action += ways_text(cluster, one.instance, *one.explanation.ways);
  finding.action = in_one_line(std::move(finding.action));
  return finding;
}

Value node_name(const Cluster& cluster, NodeId node) {
  return node.is_none() ? Value() : Value(cluster[node].name);
}

/// Where a rule looked, which one it is, what it wants and what there is. In the rule's own units:
/// MiB, CPUs, ratios.
void add_refusal(const Cluster& cluster, const Refusal& refusal, ValueList& row) {
  row.push_back(node_name(cluster, refusal.node));
  row.emplace_back(std::string(name_of(refusal.rule)));
  const bool has_figures = refusal.wanted != 0 || refusal.available != 0;
  row.push_back(has_figures ? Value(refusal.wanted) : Value());
  row.push_back(has_figures ? Value(refusal.available) : Value());
}

void add_rows(const Cluster& cluster, const InstanceExplanation& one, report::DataTable& table) {
  for (const CandidateVerdict& candidate : one.explanation.candidates) {
    const bool fits = !candidate.refusal;
    ValueList row{one.instance.name,
                  node_name(cluster, candidate.primary),
                  node_name(cluster, candidate.secondary),
                  fits ? Value(candidate.score) : Value(),
                  fits && candidate.price != 0 ? Value(candidate.price) : Value(),
                  fits ? std::string("fits") : std::string(text_of(candidate.refusal->reason)),
                  fits ? std::string() : verdict_text(cluster, one.instance, candidate)};
    if (fits)
      row.resize(row.size() + 4);
    else
      add_refusal(cluster, *candidate.refusal, row);
    table.rows.push_back(std::move(row));
  }
}

/// The smallest set of changes.
void add_changes(const Cluster& cluster, const InstanceExplanation& one, report::DataTable& table) {
  if (!one.explanation.change) return;
  const CandidateVerdict& candidate = one.explanation.change->candidate;
  for (const Refusal& lifted : one.explanation.change->lifted) {
    ValueList row{one.instance.name, node_name(cluster, candidate.primary),
                  node_name(cluster, candidate.secondary)};
    add_refusal(cluster, lifted, row);
    table.rows.push_back(std::move(row));
  }
}

/// What else would let it in: options, groups, sizes.
void add_ways(const InstanceExplanation& one, report::DataTable& table) {
  if (!one.explanation.ways) return;
  const WaysIn& ways = *one.explanation.ways;
  const auto add_name = [&](std::string way, const std::string& name) {
    table.rows.push_back({one.instance.name, std::move(way), name, {}, {}, {}, {}});
  };
  for (const std::string& option : ways.options) add_name("option", option);
  for (const std::string& group : ways.groups) add_name("group", group);
  const auto add_size = [&](std::string way, const std::optional<FittingSize>& size) {
    if (!size) return;
    table.rows.push_back({one.instance.name,
                          std::move(way),
                          {},
                          size->memory_mib * kBytesPerMib,
                          size->disk_mib * kBytesPerMib,
                          size->vcpus,
                          size->moves});
  };
  add_size("less_memory", ways.less_memory);
  add_size("less_disk", ways.less_disk);
  add_size("smaller", ways.smaller);
  add_size("after_moves", ways.after_moves);
}

/// Moves of existing instances after which there is room.
void add_room(const Cluster& cluster, const InstanceExplanation& one, report::DataTable& table) {
  if (!one.explanation.room) return;
  for (const BalanceStep& step : one.explanation.room->moves) {
    table.rows.push_back(
        {one.instance.name, cluster[step.instance].name, node_name(cluster, step.before.primary),
         node_name(cluster, step.before.secondary), node_name(cluster, step.after.primary),
         node_name(cluster, step.after.secondary)});
  }
}

}  // namespace

report::Document request_document(const Snapshot& snapshot,
                                  const std::vector<InstanceExplanation>& all) {
  report::Document document;
  document.tool = "hail";
  document.fingerprint = fingerprint(snapshot.cluster, snapshot.state);
  report::DataTable table{"candidates",
                          {"instance", "primary", "secondary", "score", "price", "result", "why",
                           "node", "rule", "wanted", "available"},
                          {}};
  report::DataTable changes{
      "changes", {"instance", "primary", "secondary", "node", "rule", "wanted", "available"}, {}};
  report::DataTable ways{
      "ways", {"instance", "way", "name", "memory_bytes", "disk_bytes", "vcpus", "moves"}, {}};
  report::DataTable room{
      "moves_first",
      {"instance", "moved", "from_primary", "from_secondary", "to_primary", "to_secondary"},
      {}};
  std::size_t fitting = 0;
  for (const InstanceExplanation& one : all) {
    if (count_fitting(one) > 0) ++fitting;
    document.findings.push_back(finding_of(snapshot.cluster, one));
    add_rows(snapshot.cluster, one, table);
    add_changes(snapshot.cluster, one, changes);
    add_ways(one, ways);
    add_room(snapshot.cluster, one, room);
  }
  document.summary.set("instances", all.size()).set("with_a_place", fitting);
  document.tables.push_back(std::move(table));
  for (report::DataTable* more : {&changes, &ways, &room}) {
    if (!more->rows.empty()) document.tables.push_back(std::move(*more));
  }
  return document;
}

report::DocumentPage request_page(const Snapshot& snapshot,
                                  const std::vector<InstanceExplanation>& all) {
  const auto fitting = std::ranges::count_if(
      all, [](const InstanceExplanation& one) { return count_fitting(one) > 0; });
  report::DocumentPage page;
  page.headline = fmt::format("{} of {} {} a place", fitting, counted(all.size(), "instance"),
                              of_count(fitting, "finds", "find"));
  page.nodes = nodes_at_a_glance(snapshot, snapshot.cluster, snapshot.state);
  return page;
}

}  // namespace ballast::ganeti::cli
