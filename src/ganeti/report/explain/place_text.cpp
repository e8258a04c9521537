// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>

#include "ballast/core/decimal.hpp"
#include "ballast/core/strings.hpp"
#include "ballast/core/words.hpp"
#include "ballast/ganeti/report/explain/place.hpp"
#include "ballast/ganeti/score/metrics.hpp"

namespace ballast::ganeti {
namespace {

std::string nodes_text(const Cluster& cluster, const Placement& at) {
  if (at.secondary.is_none()) return cluster[at.primary].alias;
  return cluster[at.primary].alias + ":" + cluster[at.secondary].alias;
}

std::string move_text(const Cluster& cluster, const ExplainedMove& move) {
  return fmt::format("{} ({})", moves_text(cluster, move.move, move.after),
                     nodes_text(cluster, move.after));
}

/// The rules against the wished move and what would have to change, a line each.
std::string rules_lines(const ExplainedMove& move) {
  std::string text;
  for (const std::string& why : move.blockers.texts) text += fmt::format("    - {}\n", why);
  if (!move.blockers.is_all) return text + "    - and perhaps others behind the last\n";
  return text + fmt::format("    needed{}: {}\n",
                            move.blockers.changes.size() > 1 ? ", all of these" : "",
                            join(move.blockers.changes, "; "));
}

bool can_go(const InstanceAtPlace& one) { return one.allowed.has_value(); }

}  // namespace

std::string node_explanation_text(const Cluster& cluster, const State& state, NodeId node,
                                  const std::vector<InstanceAtPlace>& all) {
  const auto going = static_cast<std::size_t>(std::count_if(all.begin(), all.end(), can_go));
  std::string text = fmt::format("Node {} (group {}): {}, {} of them can leave it by one move\n",
                                 cluster[node].name, cluster[cluster[node].group].name,
                                 counted(all.size(), "instance"), going);
  for (const InstanceAtPlace& one : all) {
    const std::string head = fmt::format("  {} ({}, {}): ", cluster[one.instance].name,
                                         state[one.instance].primary == node ? "runs" : "mirror",
                                         nodes_text(cluster, state[one.instance]));
    if (can_go(one)) {
      text += head + "can leave by " + move_text(cluster, *one.allowed) + "\n";
      continue;
    }
    if (one.forbidden) {
      text += head +
              fmt::format("stays; fewest rules stand against {}:\n",
                          move_text(cluster, *one.forbidden)) +
              rules_lines(*one.forbidden);
      continue;
    }
    text += head + "stays: " +
            (one.obstacles.empty() ? "there is no move to try" : join(one.obstacles, "; ")) + "\n";
  }
  return text;
}

std::string group_explanation_text(const Cluster& cluster, const State& state, const Part& part,
                                   const std::vector<InstanceAtPlace>& all) {
  std::string text =
      fmt::format("Group {}: {} on {}, score now {}\n", cluster[part.group].name,
                  counted(part.instances.size(), "instance"), counted(part.nodes.size(), "node"),
                  fixed(full_score(cluster, state, part.nodes), 8));
  if (all.empty())
    return text + "No forbidden move would lower the score more than the legal ones do.\n";
  text += "Forbidden moves that would lower it most, and what stands against them:\n";
  for (const InstanceAtPlace& one : all) {
    text += fmt::format("  {} ({}): {}, score {}\n", cluster[one.instance].name,
                        nodes_text(cluster, state[one.instance]),
                        move_text(cluster, *one.forbidden), fixed(*one.forbidden->score, 8)) +
            rules_lines(*one.forbidden);
  }
  return text;
}

std::vector<std::string> place_columns() {
  return {"name",           "primary", "secondary",       "allowed_move", "allowed_score",
          "forbidden_move", "rules",   "forbidden_score", "changes",      "obstacles"};
}

std::vector<ValueList> place_rows(const Cluster& cluster, const State& state,
                                  const std::vector<InstanceAtPlace>& all) {
  std::vector<ValueList> rows;
  const auto score = [](const std::optional<ExplainedMove>& move) {
    return move && move->score ? Value(*move->score) : Value();
  };
  const auto moves = [&](const std::optional<ExplainedMove>& move) {
    return move ? Value(moves_text(cluster, move->move, move->after)) : Value();
  };
  for (const InstanceAtPlace& one : all) {
    const Placement& at = state[one.instance];
    const auto texts = [&](const std::vector<std::string>& list) { return join(list, "; "); };
    rows.push_back({cluster[one.instance].name, cluster[at.primary].name,
                    at.secondary.is_none() ? Value() : Value(cluster[at.secondary].name),
                    moves(one.allowed), score(one.allowed), moves(one.forbidden),
                    one.forbidden ? texts(one.forbidden->blockers.texts) : std::string(),
                    score(one.forbidden),
                    one.forbidden ? texts(one.forbidden->blockers.changes) : std::string(),
                    texts(one.obstacles)});
  }
  return rows;
}

}  // namespace ballast::ganeti
