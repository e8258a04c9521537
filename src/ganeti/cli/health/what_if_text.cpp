// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include "ballast/core/decimal.hpp"
#include "ballast/core/table.hpp"
#include "ballast/core/words.hpp"
#include "ballast/ganeti/cli/health/what_if_report.hpp"
#include "what_if_words.hpp"

namespace ballast::ganeti::cli {
namespace {

using Align = TextTable::Align;

std::string alias_of(const Cluster& cluster, NodeId node) {
  return node.is_none() ? "-" : cluster[node].alias;
}

std::string nodes_text(const Cluster& cluster, const Placement& place) {
  return place.secondary.is_none()
             ? alias_of(cluster, place.primary)
             : alias_of(cluster, place.primary) + ":" + alias_of(cluster, place.secondary);
}

std::string verdict_text(const Cluster& cluster, const State& state, const Affected& affected) {
  const std::string reason = reason_text(cluster, state, affected);
  const std::string_view verdict = words_of(affected.fate).verdict;
  return reason.empty() ? std::string(verdict) : fmt::format("{}: {}", verdict, reason);
}

std::string summary_text(const WhatIf& answer) {
  std::string text = fmt::format("{} {} affected", counted(answer.affected.size(), "instance"),
                                 of_count(answer.affected.size(), "is", "are"));
  std::string_view separator = ": ";
  for (const Fate fate : kFates) {
    const std::size_t count = count_of(answer, fate);
    if (count == 0) continue;
    text += fmt::format("{}{} {}", separator, count,
                        of_count(count, words_of(fate).one, words_of(fate).many));
    separator = ", ";
  }
  const std::size_t bare = count_without_mirror(answer);
  if (bare != 0) text += fmt::format("; {} without a mirror then", bare);
  return text + ".\n";
}

std::string instance_rows(const Cluster& cluster, const State& state, const WhatIf& answer) {
  TextTable table{{{"Instance", Align::Left},
                   {"Was_On", Align::Left},
                   {"Runs_On", Align::Left},
                   {"Verdict", Align::Left}},
                  {}};
  for (const Affected& affected : answer.affected) {
    const NodeId now = is_down(affected.fate) ? NodeId() : affected.now;
    table.rows.push_back({cluster[affected.instance].alias, nodes_text(cluster, affected.before),
                          alias_of(cluster, now), verdict_text(cluster, state, affected)});
  }
  return table.render("  ");
}

std::string survivor_rows(const Cluster& cluster, const WhatIf& answer) {
  TextTable table{{{"Node", Align::Left},
                   {"Comes", Align::Right},
                   {"MiB_Free", Align::Right},
                   {"Wanted", Align::Right},
                   {"Left", Align::Right},
                   {"CPU_Ratio", Align::Right},
                   {"Limit", Align::Right},
                   {"Strain", Align::Left}},
                  {}};
  for (const Survivor& one : answer.survivors) {
    table.rows.push_back({cluster[one.node].alias, std::to_string(one.arrivals),
                          std::to_string(one.free_mib), std::to_string(one.wanted_mib),
                          std::to_string(one.left_mib), fixed(one.vcpu_ratio, 2),
                          fixed(one.vcpu_limit, 2), strain_text(one)});
  }
  return table.render("  ");
}

}  // namespace

std::string what_if_text(const Cluster& cluster, const State& state, const Loss& loss,
                         const WhatIf& answer) {
  std::string text = fmt::format("Without {}:\n{}", loss_text(cluster, loss), summary_text(answer));
  if (!answer.affected.empty()) text += instance_rows(cluster, state, answer);
  if (!answer.survivors.empty()) text += "Nodes that take over:\n" + survivor_rows(cluster, answer);
  return text;
}

}  // namespace ballast::ganeti::cli
