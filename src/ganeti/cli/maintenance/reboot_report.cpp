// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/maintenance/reboot_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace ballast::ganeti::cli {
namespace {

std::string class_sizes(const Colouring& colouring) {
  std::string sizes;
  for (const auto& colour_class : colouring.classes)
    sizes += fmt::format("{}{}", sizes.empty() ? "" : ",", colour_class.size());
  return fmt::format("{}: {} ({})", colouring.name, colouring.classes.size(), sizes);
}

std::string names(const Cluster& cluster, const std::vector<NodeId>& nodes, char separator) {
  std::string text;
  for (const NodeId node : nodes) {
    if (node != nodes.front()) text += separator;
    text += cluster[node].name;
  }
  return text;
}

std::string moves_text(const Cluster& cluster, const RebootGroup& group) {
  std::string text;
  for (const RebootPlacement& move : group.moves) {
    if (move.is_swap) continue;
    const Instance& instance = cluster[move.instance];
    text += fmt::format("  {} {}", instance.name, cluster[move.primary_shown].name);
    if (has_secondary(instance.disk_template)) text += " " + cluster[move.secondary_shown].name;
    text += '\n';
  }
  return text;
}

}  // namespace

std::string reboot_graph_line(const RebootGraph& graph) {
  const std::size_t last = graph.first + graph.adjacency.size() - 1;
  std::string vertices;
  for (std::size_t v = 0; v < graph.adjacency.size(); ++v) {
    std::string ends;
    for (const NodeId n : graph.adjacency[v])
      ends += fmt::format("{}{}", ends.empty() ? "" : ",", n.index());
    vertices += fmt::format("{}({},[{}])", v == 0 ? "" : ",", graph.first + v, ends);
  }
  return fmt::format("Node Graph: array ({},{}) [{}]\n", graph.first, last, vertices);
}

std::string colouring_line(const std::array<Colouring, 3>& colourings) {
  std::vector<const Colouring*> order;
  for (const Colouring& colouring : colourings) order.push_back(&colouring);
  const auto size = [](const Colouring* colouring) { return colouring->classes.size(); };
  std::ranges::stable_sort(order, std::greater<>{}, size);
  std::string line;
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    if (it != order.rbegin()) line += size(*it) == size(*std::prev(it)) ? " TIE " : " LOOSE ";
    line += class_sizes(**it);
  }
  return line + '\n';
}

std::string reboot_groups_text(const Cluster& cluster, const RebootPlan& plan,
                               const RebootReportOptions& options) {
  std::string text;
  if (options.with_heading)
    text += options.first_only ? "'First Reboot Group'\n" : "'Node Reboot Groups'\n";
  for (const RebootGroup& group : plan.groups) {
    text += names(cluster, group.nodes, options.first_only ? '\n' : ',');
    if (!options.first_only || !group.nodes.empty()) text += '\n';
    if (options.with_moves) text += moves_text(cluster, group);
    if (options.first_only) break;
  }
  return text;
}

}  // namespace ballast::ganeti::cli
