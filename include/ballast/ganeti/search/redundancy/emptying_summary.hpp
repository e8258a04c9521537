// SPDX-License-Identifier: BSD-2-Clause
// What can be said about the global N+1 test of all candidates at once, from sums: most candidates
// need no step of the slow test. Every statement is exact or on the safe side; tests hold it
// against the slow form.
#pragma once

#include <cstdint>
#include <vector>

#include "ballast/ganeti/search/kernel/scoped_cluster.hpp"

namespace ballast::ganeti::alloc {

enum class Verdict { Holds, Fails, Unknown };

class CapacitySummary {
 public:
  explicit CapacitySummary(const ScopedCluster& scope);

  /// The new instance on `record`'s nodes, changing nothing else. Unknown: some nodes must be
  /// looked at, see unsure_nodes().
  [[nodiscard]] Verdict judge(const Record& record) const;
  /// Nodes whose emptying depends on choices that sums do not tell, for any candidate; the
  /// candidate's own primary may be another one.
  [[nodiscard]] const std::vector<NodeId>& unsure_nodes() const { return unsure_; }
  /// Whether the candidate's primary itself must be looked at.
  [[nodiscard]] bool is_primary_unsure(const Record& record) const;
  /// False: the slow test has to do everything.
  [[nodiscard]] bool is_usable() const { return is_usable_; }

 private:
  /// Memory of one node's mirrored instances that would run on another node.
  struct Load {
    NodeId secondary;
    std::int64_t memory = 0;
  };
  /// What has to go elsewhere when a node is emptied, mirrored instances apart.
  struct Homeless {
    std::int64_t count = 0;
    std::int64_t memory = 0;
    std::int64_t largest_memory = 0;
    std::int64_t disk = 0;
    std::int64_t largest_disk = 0;
    bool has_shared = false;
    bool has_local = false;
    void add(const Instance& instance);
  };
  struct PerNode {
    std::int64_t unallocated = 0;
    std::int64_t free_disk = 0;
    std::int64_t needed =
        -1;  ///< most memory that one node's failure would bring here; negative: nothing would come
    std::vector<Load> loads;
    Homeless homeless;
  };

  [[nodiscard]] bool add_instances(NodeId node);
  void note_load(NodeId node, const Record& record);
  [[nodiscard]] std::int64_t load_on(NodeId node, NodeId secondary) const;
  [[nodiscard]] bool has_room(NodeId node) const;
  /// Whatever the order and wherever each goes, all find a place, even if any two nodes are not
  /// counted.
  [[nodiscard]] bool finds_room(NodeId node, const Homeless& homeless) const;
  [[nodiscard]] std::int64_t effective(NodeId from, NodeId escape) const;

  const ScopedCluster* scope_;
  bool is_usable_ = false;
  bool never_holds_ = false;
  bool has_migration_tags_ = false;
  std::vector<PerNode> nodes_;  ///< by node index
  std::vector<std::vector<NodeId>>
      by_memory_;                ///< by group index: its nodes, most unallocated memory first
  std::vector<NodeId> crowded_;  ///< nodes without room for what would come
  std::vector<NodeId> unsure_;
};

}  // namespace ballast::ganeti::alloc
