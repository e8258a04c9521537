// SPDX-License-Identifier: BSD-2-Clause
// Plays a node's failure through on kinds of equal nodes: each instance goes to the kind that gives
// the best score. Which node of a kind it is changes the last bits of later scores only, so the
// answer holds wherever no two kinds come as close as that.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ballast/ganeti/moves/node_ops.hpp"
#include "ballast/ganeti/score/running.hpp"
#include "ballast/ganeti/search/redundancy/emptying_summary.hpp"
#include "classes.hpp"

namespace ballast::ganeti::alloc {

/// So many nodes of one signature.
struct NodeKind {
  NodeId example;
  NodeState state;
  std::int64_t count = 0;
};

/// Whether a drill on these nodes can say anything: none is offline or has tags that bind
/// instances to places; with storage units there is one group.
bool can_drill(const Cluster& cluster);

class CapacityDrill {
 public:
  /// `others`: all nodes but the failing one, every node of the cluster once.
  CapacityDrill(const Cluster& cluster, std::shared_ptr<const ScoreColumns> columns,
                std::vector<NodeKind> others, NodeKind failing);

  /// `leaving`: the failing node's primaries, newest first, none of them mirrored.
  Verdict run(const std::vector<InstanceRef>& leaving);

  // The steps of empty_by(): nothing where some kind takes the instance.
  static std::optional<Verdict> fail_over(const InstanceRef&) { return Verdict::Unknown; }
  std::optional<Verdict> restart(const InstanceRef& instance);
  std::optional<Verdict> recreate(const InstanceRef& instance);
  static bool surely_take(const std::vector<InstanceRef>&, const std::vector<InstanceRef>&) {
    return false;
  }

 private:
  struct Kind {
    NodeKind nodes;
    ColumnValues values;
  };
  /// A kind as it takes one more instance.
  struct Taken {
    std::size_t kind = 0;
    NodeState after;
    ColumnValues values;
    Running::Estimate score;
  };

  std::optional<Verdict> place(const InstanceRef& instance, bool in_group, bool by_policy);
  [[nodiscard]] Running running(bool in_group) const;
  void enter(NodeKind nodes);
  void move_one(Taken&& taken);

  const Cluster& cluster_;
  std::shared_ptr<const ScoreColumns> columns_;
  Kind failing_;
  std::vector<Kind> kinds_;
  std::map<std::string, std::size_t> by_signature_;
};

}  // namespace ballast::ganeti::alloc
