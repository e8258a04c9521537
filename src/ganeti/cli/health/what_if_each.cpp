// SPDX-License-Identifier: BSD-2-Clause
// hcheck --what-if each: one line for each node, as if it alone were gone.
#include "ballast/ganeti/cli/health/what_if_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ballast/core/table.hpp"
#include "ballast/core/words.hpp"
#include "ballast/ganeti/model/ids_of.hpp"
#include "what_if_words.hpp"

namespace ballast::ganeti::cli {
namespace {

struct OneGone {
  NodeId node;
  WhatIf answer;

  [[nodiscard]] std::size_t down() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        answer.affected, [](const Affected& one) { return is_down(one.fate); }));
  }
  [[nodiscard]] std::size_t strained() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        answer.survivors, [](const Survivor& one) { return one.is_over_committed(); }));
  }
};

std::vector<OneGone> all_in_turn(const Cluster& cluster, const State& state) {
  std::vector<OneGone> all;
  for (const NodeId id : node_ids(cluster)) {
    if (cluster[id].is_offline) continue;
    all.push_back({id, what_if(cluster, state, Loss{{id}, {}})});
  }
  return all;
}

/// The first instances that would be down, and why.
std::string down_text(const Cluster& cluster, const State& state, const OneGone& one) {
  constexpr std::size_t kMost = 2;
  std::string text;
  std::size_t count = 0;
  for (const Affected& affected : one.answer.affected) {
    if (!is_down(affected.fate) || ++count > kMost) continue;
    const std::string why = reason_text(cluster, state, affected);
    text += fmt::format("{}{}{}", text.empty() ? "" : "; ", cluster[affected.instance].alias,
                        why.empty() ? "" : ": " + why);
  }
  return count > kMost ? fmt::format("{}; and {} more", text, count - kMost) : text;
}

}  // namespace

EachGone what_if_each(report::Document& document, const Cluster& cluster, const State& state) {
  EachGone result;
  const std::vector<OneGone> all = all_in_turn(cluster, state);
  TextTable table{{{"Node", TextTable::Align::Left},
                   {"Affected", TextTable::Align::Right},
                   {"Down", TextTable::Align::Right},
                   {"No_Mirror", TextTable::Align::Right},
                   {"Strained", TextTable::Align::Right},
                   {"Why", TextTable::Align::Left}},
                  {}};
  report::DataTable rows{
      "each_node_gone",
      {"name", "affected", "down", "without_mirror", "over_committed_nodes", "why"},
      {}};
  std::size_t harmless = 0;
  for (const OneGone& one : all) {
    const std::string why = down_text(cluster, state, one);
    const std::size_t lone = count_without_mirror(one.answer);
    table.rows.push_back({cluster[one.node].alias, std::to_string(one.answer.affected.size()),
                          std::to_string(one.down()), std::to_string(lone),
                          std::to_string(one.strained()), why});
    rows.rows.push_back({cluster[one.node].name, one.answer.affected.size(), one.down(), lone,
                         one.strained(), why});
    if (one.down() == 0) ++harmless;
  }
  result.is_anything_down = harmless < all.size();
  result.text = fmt::format(
      "Each node gone by itself: {} of {} can be lost without an instance down.\n{}", harmless,
      counted(all.size(), "node"), without_trailing_blanks(table.render("  ")));
  Value summary = Value::map();
  summary.set("nodes", all.size()).set("harmless", harmless);
  document.summary.set("what_if_each", std::move(summary));
  document.tables.push_back(std::move(rows));
  return result;
}

}  // namespace ballast::ganeti::cli
