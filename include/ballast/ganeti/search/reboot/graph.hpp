// SPDX-License-Identifier: BSD-2-Clause
// Which nodes must not reboot together, as a graph, and its colourings. The order of edges and the
// tie rules are part of the behaviour: they decide which of several equally good answers is
// printed.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "ballast/ganeti/model/cluster.hpp"

namespace ballast::ganeti {

/// Vertices are the nodes with the indices first .. first + adjacency.size() - 1. Nodes in between
/// that are not eligible are phantoms: no edges, but they take part in the planning and are dropped
/// only before printing (a quirk that is kept).
struct RebootGraph {
  std::size_t first = 0;
  std::vector<std::vector<NodeId>> adjacency;  ///< ends of the edges from each vertex, last added
                                               ///< first; parallel edges and self-loops kept
};

/// `eligible` by NodeId. With `offline_maintenance` the instances are down anyway, so shared
/// secondaries do not count. Precondition: some node is eligible.
RebootGraph reboot_graph(const Cluster& cluster, const State& state,
                         const std::vector<bool>& eligible, bool offline_maintenance);

/// Colour classes in the order of their colour, each in index order.
using ColourClasses = std::vector<std::vector<NodeId>>;

struct Colouring {
  std::string_view name;  ///< "LF", "Dsatur", "Dcolor"
  ColourClasses classes;
};

/// Largest degree first; by distinct colours of neighbours; by coloured neighbours.
std::array<Colouring, 3> colour(const RebootGraph& graph);

}  // namespace ballast::ganeti
