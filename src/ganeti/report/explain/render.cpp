// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ballast/core/bytes.hpp"
#include "ballast/core/decimal.hpp"
#include "ballast/core/table.hpp"
#include "ballast/ganeti/report/explain/explain.hpp"
#include "ballast/ganeti/search/planning/refusal_text.hpp"

namespace ballast::ganeti {
namespace {

std::string nodes_text(const Cluster& cluster, const Placement& placement) {
  if (placement.secondary.is_none()) return cluster[placement.primary].alias;
  return cluster[placement.primary].alias + ":" + cluster[placement.secondary].alias;
}

std::string score_text(const std::optional<double>& score) {
  return score ? fixed(*score, 8) : "-";
}

std::string verdict(const Explanation& explanation, std::size_t index) {
  const ExplainedMove& move = explanation.moves[index];
  if (move.refusal) return "no: " + move.why;
  if (!(*move.score < explanation.score)) return "possible, but no gain";
  return index == explanation.best_legal ? "possible, the best" : "possible";
}

/// "All rules against it:" and a line for each.
std::string rules_text(std::string_view what, const Blockers& blockers) {
  std::string text = fmt::format("All rules against {}:\n", what);
  for (const std::string& why : blockers.texts) text += fmt::format("  - {}\n", why);
  if (!blockers.is_all) text += "  - and perhaps others behind the last\n";
  return text;
}

/// Of the other forbidden moves against which several rules stand.
std::string other_rules_text(const Cluster& cluster, const Explanation& explanation) {
  std::string text;
  for (std::size_t i = 0; i < explanation.moves.size(); ++i) {
    const ExplainedMove& move = explanation.moves[i];
    if (i == explanation.best_forbidden || move.blockers.texts.size() < 2) continue;
    text += rules_text(fmt::format("{} ({})", moves_text(cluster, move.move, move.after),
                                   nodes_text(cluster, move.after)),
                       move.blockers);
  }
  return text;
}

std::string change_text(const Cluster& cluster, const Explanation& explanation) {
  if (!explanation.best_forbidden) return {};
  const ExplainedMove& best = explanation.moves[*explanation.best_forbidden];
  std::string text = fmt::format("Best forbidden move: {} ({}), score {}\n",
                                 moves_text(cluster, best.move, best.after),
                                 nodes_text(cluster, best.after), score_text(best.score));
  const Blockers& blockers = best.blockers;
  if (blockers.texts.size() > 1) text += rules_text("it", blockers);
  if (!explanation.change) {
    if (blockers.changes.empty() || !blockers.is_all)
      return text + "Smallest change that allows it: no single change\n";
    text += blockers.changes.size() == 1 ? "Smallest change that allows it: "
                                         : "Smallest change that allows it, all of these:\n";
    if (blockers.changes.size() == 1) return text + blockers.changes.front() + "\n";
    for (const std::string& change : blockers.changes) text += fmt::format("  - {}\n", change);
    return text;
  }
  const SingleChange& change = *explanation.change;
  text += fmt::format("Smallest change that allows it: {}", change.text);
  if (change.copied_mib > 0) text += fmt::format(" ({} MiB to copy)", change.copied_mib);
  text += fmt::format("; score then {}\n", fixed(change.score, 8));
  for (const std::string& command : change.commands) text += "  gnt-instance " + command + "\n";
  return text;
}

Value placement_value(const Cluster& cluster, const Placement& placement) {
  Value value = Value::map();
  value.set("primary", cluster[placement.primary].name);
  if (!placement.secondary.is_none()) value.set("secondary", cluster[placement.secondary].name);
  return value;
}

/// Sizes in bytes; ratios and counts as they are.
Value figure_value(Rule rule, double figure) {
  const bool is_ratio = rule == Rule::CpuRatio || rule == Rule::ForthcomingCpuRatio;
  if (is_ratio) return figure;
  constexpr std::array kCounts{Rule::Pinned,
                               Rule::KeptApart,
                               Rule::KeptTogether,
                               Rule::Spindles,
                               Rule::ForthcomingSpindles,
                               Rule::SpindleRatio,
                               Rule::ForthcomingSpindleRatio};
  const bool is_count = std::find(kCounts.begin(), kCounts.end(), rule) != kCounts.end();
  return truncated(figure) * (is_count ? 1 : kBytesPerMib);
}

/// Rules about more than a yes or no.
bool has_figures(Rule rule) {
  return rule != Rule::TargetOffline && rule != Rule::Migration && rule != Rule::ExclusionTag &&
         rule != Rule::Internal && rule != Rule::NotMirrored && rule != Rule::NodeExcluded &&
         rule != Rule::InstanceKept;
}

Value rule_value(const Cluster& cluster, const ExplainedMove& move) {
  const Refusal& refusal = *move.refusal;
  Value value = Value::map();
  value.set("rule", name_of(refusal.rule));
  if (refusal.rule != Rule::TargetOffline) value.set("reason", text_of(refusal.reason));
  if (!refusal.node.is_none()) value.set("node", cluster[refusal.node].name);
  if (refusal.disk >= 0) value.set("disk", refusal.disk);
  if (!refusal.unit.is_none()) value.set("unit", to_string(cluster[refusal.unit]));
  if (has_figures(refusal.rule)) {
    value.set("required", figure_value(refusal.rule, refusal.wanted));
    value.set("observed", figure_value(refusal.rule, refusal.available));
  }
  value.set("text", move.why);
  return value;
}

Value move_value(const Cluster& cluster, const ExplainedMove& move) {
  Value value = Value::map();
  value.set("moves", moves_text(cluster, move.move, move.after));
  value.set("to", placement_value(cluster, move.after));
  value.set("allowed", !move.refusal);
  if (move.score) value.set("score", *move.score);
  value.set("bytes", move.copied_mib * kBytesPerMib);
  if (move.refusal) value.set("forbidden_by", rule_value(cluster, move));
  if (move.blockers.texts.size() > 1) {
    value.set("all_rules", text_list(move.blockers.texts));
    value.set("all_changes", text_list(move.blockers.changes));
  }
  return value;
}

Value change_value(const SingleChange& change) {
  Value value = Value::map();
  value.set("text", change.text);
  Value commands = Value::list();
  for (const std::string& command : change.commands) commands.push("gnt-instance " + command);
  value.set("commands", std::move(commands));
  value.set("moves", change.moves);
  value.set("bytes", change.copied_mib * kBytesPerMib);
  value.set("settings", change.settings);
  value.set("score", change.score);
  return value;
}

}  // namespace

std::string explanation_text(const Cluster& cluster, const Explanation& explanation) {
  const Instance& instance = cluster[explanation.instance];
  std::string text = fmt::format(
      "{}: {} instance on {}, score now {}\n", instance.name, text_of(instance.disk_template),
      nodes_text(cluster, explanation.placement), fixed(explanation.score, 8));
  for (const std::string& obstacle : explanation.obstacles) text += "  " + obstacle + "\n";
  if (explanation.moves.empty()) return text + "There is no move to try.\n";
  TextTable table;
  table.columns = {{"Moves", TextTable::Align::Left},
                   {"Nodes", TextTable::Align::Left},
                   {"Copy_MiB", TextTable::Align::Right},
                   {"Score", TextTable::Align::Right},
                   {"Verdict", TextTable::Align::Left}};
  for (std::size_t i = 0; i < explanation.moves.size(); ++i) {
    const ExplainedMove& move = explanation.moves[i];
    table.rows.push_back({moves_text(cluster, move.move, move.after),
                          nodes_text(cluster, move.after), std::to_string(move.copied_mib),
                          score_text(move.score), verdict(explanation, i)});
  }
  return text + without_trailing_blanks(table.render(" ")) + change_text(cluster, explanation) +
         other_rules_text(cluster, explanation);
}

Value explanation_value(const Cluster& cluster, const Explanation& explanation) {
  const Instance& instance = cluster[explanation.instance];
  Value value = Value::map();
  value.set("instance", instance.name);
  value.set("disk_template", text_of(instance.disk_template));
  value.set("placement", placement_value(cluster, explanation.placement));
  value.set("score", explanation.score);
  Value obstacles = Value::list();
  for (const std::string& obstacle : explanation.obstacles) obstacles.push(obstacle);
  value.set("obstacles", std::move(obstacles));
  Value moves = Value::list();
  for (const ExplainedMove& move : explanation.moves) moves.push(move_value(cluster, move));
  value.set("moves", std::move(moves));
  if (explanation.best_legal) value.set("best", *explanation.best_legal);
  if (explanation.best_forbidden) value.set("best_forbidden", *explanation.best_forbidden);
  if (explanation.change) value.set("change", change_value(*explanation.change));
  return value;
}

}  // namespace ballast::ganeti
