// SPDX-License-Identifier: BSD-2-Clause
#include "explanation_page.hpp"

#include <fmt/format.h>

#include "ballast/core/bytes.hpp"
#include "ballast/core/decimal.hpp"
#include "ballast/core/strings.hpp"
#include "ballast/ganeti/cli/delivery/document_delivery.hpp"

namespace ballast::ganeti::cli {
namespace {

using report::Document;
using report::Finding;

Value node_name(const Cluster& cluster, NodeId node) {
  return node.is_none() ? Value() : Value(cluster[node].name);
}

std::string verdict(const Explanation& explanation, std::size_t index) {
  const ExplainedMove& move = explanation.moves[index];
  if (move.refusal)
    return move.blockers.texts.size() > 1 ? join(move.blockers.texts, "; ") : move.why;
  if (!(*move.score < explanation.score)) return "possible, but no gain";
  return index == explanation.best_legal ? "possible, the best" : "possible";
}

Finding forbidden_finding(const Cluster& cluster, const Explanation& explanation) {
  const ExplainedMove& best = explanation.moves[*explanation.best_forbidden];
  Finding finding;
  finding.severity = report::Severity::Warning;
  finding.code = "best-forbidden-move";
  finding.text = fmt::format("{}{}: {}", moves_text(cluster, best.move, best.after),
                             best.score ? ", score " + fixed(*best.score, 8) : "",
                             verdict(explanation, *explanation.best_forbidden));
  finding.subject.set("instance", cluster[explanation.instance].name);
  if (explanation.change) {
    finding.action = explanation.change->text;
    for (const std::string& command : explanation.change->commands)
      finding.action += "; gnt-instance " + command;
  } else if (best.blockers.is_all && !best.blockers.changes.empty()) {
    finding.action =
        (best.blockers.changes.size() > 1 ? "all of: " : "") + join(best.blockers.changes, "; ");
  } else {
    finding.action = "no change was found that allows it";
  }
  return finding;
}

}  // namespace

Document explanation_document(Document started, const Cluster& cluster,
                              const Explanation& explanation) {
  Document document = std::move(started);
  const Instance& instance = cluster[explanation.instance];
  document.summary.set("instance", instance.name)
      .set("disk_template", text_of(instance.disk_template))
      .set("primary", node_name(cluster, explanation.placement.primary))
      .set("score", explanation.score);
  for (const std::string& obstacle : explanation.obstacles) {
    Finding finding;
    finding.severity = report::Severity::Note;
    finding.code = "obstacle";
    finding.text = obstacle;
    document.findings.push_back(std::move(finding));
  }
  if (explanation.best_forbidden)
    document.findings.push_back(forbidden_finding(cluster, explanation));
  report::DataTable table{
      "moves", {"moves", "primary", "secondary", "copied_bytes", "score", "verdict"}, {}};
  for (std::size_t i = 0; i < explanation.moves.size(); ++i) {
    const ExplainedMove& move = explanation.moves[i];
    table.rows.push_back({moves_text(cluster, move.move, move.after),
                          node_name(cluster, move.after.primary),
                          node_name(cluster, move.after.secondary), move.copied_mib * kBytesPerMib,
                          move.score ? Value(*move.score) : Value(), verdict(explanation, i)});
  }
  document.tables.push_back(std::move(table));
  return document;
}

report::DocumentPage explanation_page(const Snapshot& snapshot, const Explanation& explanation) {
  report::DocumentPage page;
  page.headline = fmt::format("Why {} goes, stays, or cannot go elsewhere",
                              snapshot.cluster[explanation.instance].name);
  page.no_findings = "Nothing stands in the way of any move.";
  page.nodes = nodes_at_a_glance(snapshot, snapshot.cluster, snapshot.state);
  return page;
}

}  // namespace ballast::ganeti::cli
