// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/allocate/explanation_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ballast/core/strings.hpp"
#include "ballast/core/words.hpp"
#include "ballast/ganeti/cli/allocate/allocation_report.hpp"
#include "ballast/ganeti/cli/delivery/document_delivery.hpp"
#include "ballast/ganeti/model/fingerprint.hpp"
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
    text.replace(at, 1, text[at - 1] == ':' ? " " : "; ");
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

void add_rows(const Cluster& cluster, const InstanceExplanation& one, report::DataTable& table) {
  for (const CandidateVerdict& candidate : one.explanation.candidates) {
    const Value secondary =
        candidate.secondary.is_none() ? Value() : Value(cluster[candidate.secondary].name);
    const bool fits = !candidate.refusal;
    table.rows.push_back(
        {one.instance.name, cluster[candidate.primary].name, secondary,
         fits ? Value(candidate.score) : Value(),
         fits ? std::string("fits") : std::string(text_of(candidate.refusal->reason)),
         fits ? std::string() : verdict_text(cluster, one.instance, candidate)});
  }
}

}  // namespace

report::Document request_document(const Snapshot& snapshot,
                                  const std::vector<InstanceExplanation>& all) {
  report::Document document;
  document.tool = "hail";
  document.fingerprint = fingerprint(snapshot.cluster, snapshot.state);
  report::DataTable table{
      "candidates", {"instance", "primary", "secondary", "score", "result", "why"}, {}};
  std::size_t fitting = 0;
  for (const InstanceExplanation& one : all) {
    if (count_fitting(one) > 0) ++fitting;
    document.findings.push_back(finding_of(snapshot.cluster, one));
    add_rows(snapshot.cluster, one, table);
  }
  document.summary.set("instances", all.size()).set("with_a_place", fitting);
  document.tables.push_back(std::move(table));
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
