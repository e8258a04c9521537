// SPDX-License-Identifier: BSD-2-Clause
// A new instance on shared storage takes its size from one pool, once.
#pragma once

#include "ballast/ganeti/search/kernel/scoped_cluster.hpp"

namespace ballast::ganeti::alloc {

/// The scope before a new instance and, where its disks lie on shared storage, the scope in which
/// the pool holds them: wherever the instance goes, its size is gone from every node's view of the
/// pool. Elsewhere both are the same. In the later scope the instance exists: whoever moves it
/// there, the test of redundancy above all, takes nothing from the pool any more.
class NewOnShared {
 public:
  NewOnShared(const ScopedCluster& before, const Record& wanted);
  NewOnShared(const NewOnShared&) = delete;
  NewOnShared& operator=(const NewOnShared&) = delete;

  [[nodiscard]] const ScopedCluster& scope() const { return is_shared_ ? taken_ : *before_; }

  /// The instance as primary of the node, the node's policy included: its state in scope(). What
  /// the pool cannot hold is refused. Afterwards the record is that of an existing instance.
  MaybeRefusal place(Record& record, NodeId primary, NodeId secondary, bool force,
                     NodeState& state) const;

  /// What else a placement on `node` changes: every other node's view of the pool.
  void add_others(NodeId node, std::vector<std::pair<NodeId, NodeState>>& states) const;

 private:
  const ScopedCluster* before_;
  bool is_shared_;
  ScopedCluster taken_;
  StateStore store_;
};

}  // namespace ballast::ganeti::alloc
