// SPDX-License-Identifier: BSD-2-Clause
// Groups of nodes that can be rebooted together, with the moves that empty them first.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/moves/node_ops.hpp"
#include "ballast/ganeti/search/reboot/graph.hpp"

namespace ballast::ganeti {

struct RebootOptions {
  bool offline_maintenance = false;
  bool ignore_non_redundant = false;
  bool skip_non_redundant = false;
  bool full_evacuation = false;
  /// Instances on shared storage are no "non-redundant" ones: they move, whatever the two options
  /// above say of those that have no copy anywhere.
  bool shared_is_movable = false;
  std::optional<std::vector<std::string>> node_tags;  ///< only nodes with one of these
  GroupId only_group;                                 ///< none: all groups
  NodeId master;                                      ///< none: no master
};

/// Where a relocated instance is, and under which name: full evacuation files a copy of the
/// primary's node under the index of the old secondary (a quirk that is kept), so a node's index
/// does not tell its name.
struct RebootPlacement {
  InstanceId instance;
  NodeId primary;
  NodeId secondary;
  NodeId primary_shown;  ///< whose name stands there
  NodeId secondary_shown;
  bool is_swap = false;  ///< the two nodes have changed their roles, nothing else: not listed
};

struct RebootGroup {
  std::vector<NodeId> nodes;           ///< eligible ones, the master last; may be empty
  std::vector<RebootPlacement> moves;  ///< instances that are elsewhere than at the start, in index
                                       ///< order
};

enum class RebootFailure { NoNodes, NonRedundant, Migration, Secondaries, ReferenceWouldDie };

/// Why a node takes them not.
struct NotThere {
  NodeId target;
  InstanceId instance;  ///< of those that would go there
  MaybeRefusal why;     ///< none: what it is kept together with goes elsewhere
};

/// Instances that no node of their group takes, so that their node is never empty.
struct InstanceLeft {
  NodeId node;
  std::vector<InstanceId> set;  ///< one, or what rules keep together, index order
  std::vector<NotThere> tried;  ///< in the order in which it was tried
};

struct RebootPlan {
  RebootGraph graph;
  std::array<Colouring, 3> colourings;
  std::vector<RebootGroup> groups;  ///< longest first, the master's last
  std::optional<RebootFailure>
      failure;  ///< then there are no groups; graph and colourings are empty for NoNodes only
  std::vector<InstanceLeft> stuck;  ///< of NonRedundant and Secondaries, one for each node left
};

RebootPlan plan_reboots(const Cluster& cluster, const State& state, const RebootOptions& options);

}  // namespace ballast::ganeti
