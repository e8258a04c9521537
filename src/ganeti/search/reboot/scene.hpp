// SPDX-License-Identifier: BSD-2-Clause
// The cluster while nodes are emptied for a reboot.
#pragma once

#include <initializer_list>
#include <utility>
#include <vector>

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/moves/node_ops.hpp"
#include "ballast/ganeti/search/reboot/reboot.hpp"

namespace ballast::ganeti {

/// Nodes by index, where moving a secondary files a copy of the primary's node under the index of
/// the old secondary (a quirk that is kept): so an index does not tell whose node stands there.
/// Changes can be taken back to a mark.
class RebootScene {
 public:
  RebootScene(const Cluster& cluster, const State& state);

  [[nodiscard]] const NodeState& state(NodeId index) const { return nodes_[index.index()].state; }
  /// Whose node is filed under the index.
  [[nodiscard]] NodeId self(NodeId index) const { return nodes_[index.index()].self; }
  [[nodiscard]] GroupId group(NodeId index) const { return (*cluster_)[self(index)].group; }
  [[nodiscard]] const Placement& placement(InstanceId instance) const {
    return placements_[instance.index()];
  }

  /// Hard limits only. Tells why not; then nothing is changed. `is_joined`: what a rule keeps
  /// together with it comes along.
  MaybeRefusal move_primary(InstanceId instance, NodeId to, bool is_joined = false);
  MaybeRefusal move_secondary(InstanceId instance, NodeId to);
  /// Precondition: the instance has a secondary.
  MaybeRefusal fail_over(InstanceId instance, bool is_joined = false);
  /// All of them, or none: then nothing is changed, and the instance that keeps them is told.
  /// `is_joined`: others that they are kept together with go there, too.
  std::optional<NotThere> move_primaries(const std::vector<InstanceId>& set, NodeId to,
                                         bool is_joined);
  /// `is_whole`: nothing that they are kept together with stays behind.
  std::optional<NotThere> fail_over_all(const std::vector<InstanceId>& set, bool is_whole);

  /// By how much what breaches of priced rules cost would rise if the set ran there; 0 without
  /// such rules.
  [[nodiscard]] double price_on(const std::vector<InstanceId>& set, NodeId to) const;

  using Mark = std::pair<std::size_t, std::size_t>;
  [[nodiscard]] Mark mark() const { return {old_nodes_.size(), old_placements_.size()}; }
  void take_back(Mark mark);
  /// Marks taken before are void.
  void forget_history();

 private:
  struct FiledNode {
    NodeId self;
    NodeState state;
  };

  [[nodiscard]] InstanceRef ref(InstanceId instance) const;
  /// Where storage counts, what asks for a unit that is not known stays where it is.
  [[nodiscard]] MaybeRefusal unknown_unit(const InstanceRef& moved, NodeId to) const;
  /// Rules of administrators, and their memory reserves on the nodes that change.
  [[nodiscard]] MaybeRefusal check(const InstanceRef& moved, const Placement& after,
                                   std::initializer_list<const FiledNode*> changed,
                                   bool is_joined = false) const;
  void file(NodeId index, FiledNode node);
  void place(InstanceId instance, const Placement& placement);

  const Cluster* cluster_;
  std::vector<FiledNode> nodes_;
  std::vector<Placement> placements_;
  bool has_rules_ = false;  ///< of administrators, reserves included
  std::vector<std::pair<NodeId, FiledNode>> old_nodes_;
  std::vector<std::pair<InstanceId, Placement>> old_placements_;
};

}  // namespace ballast::ganeti
