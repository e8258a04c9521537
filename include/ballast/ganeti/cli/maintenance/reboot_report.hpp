// SPDX-License-Identifier: BSD-2-Clause
// The words of hroller.
#pragma once

#include <string>

#include "ballast/ganeti/search/reboot/reboot.hpp"

namespace ballast::ganeti::cli {

/// "Node Graph: array (0,4) [(0,[0,1]),...]": adjacency lists, last added first.
std::string reboot_graph_line(const RebootGraph& graph);

/// "Dcolor: 3 (2,2,1) TIE Dsatur: ...": fewest colours first.
std::string colouring_line(const std::array<Colouring, 3>& colourings);

struct RebootReportOptions {
  bool with_heading = true;
  bool with_moves = false;
  bool first_only = false;  ///< the first group only, one node per line
};
std::string reboot_groups_text(const Cluster& cluster, const RebootPlan& plan,
                               const RebootReportOptions& options);

}  // namespace ballast::ganeti::cli
