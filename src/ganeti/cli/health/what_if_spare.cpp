// SPDX-License-Identifier: BSD-2-Clause
// hcheck --what-if most and --what-if leave=N: how many nodes the cluster can do without.
#include "ballast/ganeti/cli/health/what_if_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ballast/cli/values.hpp"
#include "ballast/core/bytes.hpp"
#include "ballast/core/shell.hpp"
#include "ballast/core/strings.hpp"
#include "ballast/core/table.hpp"
#include "ballast/core/words.hpp"

namespace ballast::ganeti::cli {
namespace {

constexpr std::string_view kLeave = "leave=";

std::string why_text(const Cluster& cluster, const KeptNode& kept) {
  switch (kept.why) {
    case KeptNode::Why::InstanceStays:
      return fmt::format("{} finds no other place", cluster[kept.instance].name);
    case KeptNode::Why::LosesN1:
      return fmt::format("{} would lack memory for failovers", cluster[kept.other].name);
    case KeptNode::Why::CannotBeEmptied:
      return fmt::format("{} could not be emptied any more", cluster[kept.other].name);
  }
  return "";
}

std::vector<std::string> names_of(const Cluster& cluster, const std::vector<NodeId>& nodes) {
  std::vector<std::string> names;
  for (const NodeId node : nodes) names.push_back(cluster[node].name);
  return names;
}

report::DataTable kept_table(const Cluster& cluster, const std::vector<KeptNode>& kept) {
  report::DataTable table{"nodes_that_stay", {"name", "group", "instance", "node", "why"}, {}};
  for (const KeptNode& one : kept) {
    table.rows.push_back({cluster[one.node].name, cluster[cluster[one.node].group].name,
                          one.instance.is_none() ? Value() : Value(cluster[one.instance].name),
                          one.other.is_none() ? Value() : Value(cluster[one.other].name),
                          why_text(cluster, one)});
  }
  return table;
}

}  // namespace

std::optional<std::int64_t> asked_to_leave(const std::string& loss) {
  if (!std::string_view(loss).starts_with(kLeave)) return std::nullopt;
  constexpr std::int64_t kMost = 10'000;
  const auto count = ballast::cli::parse_integer(loss.substr(kLeave.size()), 1, kMost);
  return count ? *count : 0;
}

SpareNodes what_if_most(report::Document& document, const Cluster& cluster, const State& state) {
  report::DataTable rows{
      "nodes_down_together", {"group", "online", "count", "nodes", "is_largest"}, {}};
  SpareNodes result;
  result.text = "Nodes that may be down at the same time without an instance down:\n";
  std::size_t all = 0;
  for (const DownTogether& one : nodes_down_together(cluster, state)) {
    const std::string nodes = join(names_of(cluster, one.nodes), ", ");
    rows.rows.push_back(
        {cluster[one.group].name, one.online, one.nodes.size(), nodes, one.is_largest});
    result.text +=
        fmt::format("  group {}: {} of {}{}{}{}\n", cluster[one.group].name, one.nodes.size(),
                    one.online, nodes.empty() ? "" : ": ", nodes,
                    one.is_largest ? "" : " (the largest set that was found; not all were tried)");
    all += one.nodes.size();
  }
  document.summary.set("what_if_most", Value::map().set("nodes", all));
  document.tables.push_back(std::move(rows));
  return result;
}

SpareNodes what_if_leave(report::Document& document, const Cluster& cluster, const State& state,
                         std::int64_t count, const BalanceOptions& options) {
  const Leaving leaving = nodes_to_leave(cluster, state, static_cast<std::size_t>(count), options);
  TextTable table{{{"Node", TextTable::Align::Left},
                   {"Group", TextTable::Align::Left},
                   {"Moves", TextTable::Align::Right},
                   {"Copied_MiB", TextTable::Align::Right}},
                  {}};
  report::DataTable rows{
      "nodes_that_may_leave", {"order", "name", "group", "moves", "copied_bytes"}, {}};
  for (const LeavingNode& one : leaving.nodes) {
    const std::string& group = cluster[cluster[one.node].group].name;
    table.rows.push_back({cluster[one.node].name, group, std::to_string(one.steps.size()),
                          std::to_string(one.copied_mib)});
    rows.rows.push_back({rows.rows.size() + 1, cluster[one.node].name, group, one.steps.size(),
                         one.copied_mib * kBytesPerMib});
  }
  SpareNodes result;
  const auto found = static_cast<std::int64_t>(leaving.nodes.size());
  result.is_short = found < count;
  result.text = fmt::format(
      "Nodes that may leave for good, one after the other: {} of {} asked "
      "for.\n",
      found, count);
  if (found > 0) {
    const Node& first = cluster[leaving.nodes.front().node];
    result.text += without_trailing_blanks(table.render("  ")) +
                   fmt::format("The plan of the first: hbal -G {} -O {} -E\n",
                               shell_operand(cluster[first.group].name), shell_operand(first.name));
  }
  for (const KeptNode& one : leaving.kept)
    result.text += fmt::format("  {} stays: {}\n", cluster[one.node].name, why_text(cluster, one));
  document.summary.set("what_if_leave", Value::map().set("asked", count).set("nodes", found));
  document.tables.push_back(std::move(rows));
  if (!leaving.kept.empty()) document.tables.push_back(kept_table(cluster, leaving.kept));
  return result;
}

}  // namespace ballast::ganeti::cli
