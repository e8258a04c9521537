// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/reboot/graph.hpp"

#include "ballast/ganeti/model/ids_of.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace ballast::ganeti {
namespace {

using Edge = std::pair<NodeId, NodeId>;

/// Mirrored instances: both ends, both directions, duplicates kept.
std::vector<Edge> instance_edges(const Cluster& cluster, const State& state) {
  std::vector<Edge> edges;
  for (const InstanceId id : instance_ids(cluster)) {
    if (!has_secondary(cluster[id].disk_template)) continue;
    const Placement& place = state[id];
    if (place.secondary.is_none()) continue;
    edges.emplace_back(place.primary, place.secondary);
    edges.emplace_back(place.secondary, place.primary);
  }
  return edges;
}

/// Two primaries that count on one node as their secondary; each pair once, and not where an
/// instance already ties them.
std::vector<Edge> shared_secondary_edges(const State& state,
                                         const std::vector<Edge>& instance_edges) {
  std::set<Edge> known(instance_edges.begin(), instance_edges.end());
  std::vector<Edge> edges;
  for (const NodeState& node : state.nodes) {
    for (const InstanceId a : node.secondaries) {
      for (const InstanceId b : node.secondaries) {
        const Edge edge{state[a].primary, state[b].primary};
        if (known.insert(edge).second) edges.push_back(edge);
      }
    }
  }
  return edges;
}

constexpr int kUncoloured = -1;

/// Colours while they are given; vertices are numbered from 0 here.
class Painter {
 public:
  explicit Painter(const RebootGraph& graph)
      : graph_(graph), colour_(graph.adjacency.size(), kUncoloured) {}

  [[nodiscard]] std::size_t size() const { return colour_.size(); }
  [[nodiscard]] bool is_coloured(std::size_t v) const { return colour_[v] != kUncoloured; }
  [[nodiscard]] const std::vector<NodeId>& neighbours(std::size_t v) const {
    return graph_.adjacency[v];
  }
  [[nodiscard]] std::size_t degree(std::size_t v) const { return neighbours(v).size(); }
  [[nodiscard]] std::size_t vertex_of(NodeId node) const { return node.index() - graph_.first; }

  /// Colours of the coloured neighbours, one entry an edge.
  [[nodiscard]] std::vector<int> neighbour_colours(std::size_t v) const {
    std::vector<int> colours;
    for (const NodeId n : neighbours(v)) {
      if (const int c = colour_[vertex_of(n)]; c != kUncoloured) colours.push_back(c);
    }
    return colours;
  }

  void paint(std::size_t v) {
    const std::vector<int> used = neighbour_colours(v);
    int colour = 0;
    while (std::ranges::find(used, colour) != used.end()) ++colour;
    colour_[v] = colour;
  }

  [[nodiscard]] ColourClasses classes() const {
    ColourClasses result;
    for (std::size_t v = 0; v < colour_.size(); ++v) {
      const auto c = static_cast<std::size_t>(colour_[v]);
      if (result.size() <= c) result.resize(c + 1);
      result[c].emplace_back(graph_.first + v);
    }
    return result;
  }

 private:
  const RebootGraph& graph_;
  std::vector<int> colour_;
};

ColourClasses largest_first(const RebootGraph& graph) {
  Painter painter(graph);
  std::vector<std::size_t> order(painter.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t v) { return painter.degree(v); });
  for (auto v = order.rbegin(); v != order.rend(); ++v) painter.paint(*v);
  return painter.classes();
}

/// Always the vertex whose (count, degree) is largest; of equals the highest index.
template <class Count>
ColourClasses most_constrained_first(const RebootGraph& graph, Count count) {
  Painter painter(graph);
  std::vector<std::size_t> counts(painter.size(), 0);
  for (std::size_t done = 0; done < painter.size(); ++done) {
    std::size_t best = painter.size();
    for (std::size_t v = 0; v < painter.size(); ++v) {
      if (painter.is_coloured(v)) continue;
      if (best == painter.size() || std::pair(counts[v], painter.degree(v)) >=
                                        std::pair(counts[best], painter.degree(best))) {
        best = v;
      }
    }
    painter.paint(best);
    for (const NodeId n : painter.neighbours(best)) {
      const std::size_t v = painter.vertex_of(n);
      counts[v] = count(painter.neighbour_colours(v));
    }
  }
  return painter.classes();
}

}  // namespace

RebootGraph reboot_graph(const Cluster& cluster, const State& state,
                         const std::vector<bool>& eligible, bool offline_maintenance) {
  const auto first = std::ranges::find(eligible, true);
  const auto last = std::find(eligible.rbegin(), eligible.rend(), true).base();
  RebootGraph graph;
  graph.first = static_cast<std::size_t>(first - eligible.begin());
  graph.adjacency.resize(static_cast<std::size_t>(last - first));

  std::vector<Edge> edges = instance_edges(cluster, state);
  if (!offline_maintenance) {
    const std::vector<Edge> shared = shared_secondary_edges(state, edges);
    edges.insert(edges.end(), shared.begin(), shared.end());
  }
  for (auto edge = edges.rbegin(); edge != edges.rend(); ++edge) {
    if (eligible[edge->first.index()] && eligible[edge->second.index()]) {
      graph.adjacency[edge->first.index() - graph.first].push_back(edge->second);
    }
  }
  return graph;
}

std::array<Colouring, 3> colour(const RebootGraph& graph) {
  const auto distinct = [](const std::vector<int>& colours) {
    return std::set<int>(colours.begin(), colours.end()).size();
  };
  const auto edges = [](const std::vector<int>& colours) { return colours.size(); };
  return {Colouring{"LF", largest_first(graph)},
          Colouring{"Dsatur", most_constrained_first(graph, distinct)},
          Colouring{"Dcolor", most_constrained_first(graph, edges)}};
}

}  // namespace ballast::ganeti
