// SPDX-License-Identifier: BSD-2-Clause
// The allocator's global N+1 test: with a candidate in place, can each node be emptied?
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ballast/ganeti/search/kernel/scoped_cluster.hpp"

namespace ballast::ganeti::alloc {

class CapacitySummary;

/// A placement under test.
struct Candidate {
  std::span<const ChangedNode>
      changes;                     ///< one or two nodes, the record not yet renamed in their lists
  const Record* record = nullptr;  ///< as placed
};

/// Which node could not be emptied, and of whom.
struct StuckNode {
  NodeId node;
  const Instance* instance = nullptr;
  Refusal refusal;
};

/// Prepared for many candidates on one scope. Dies like the reference on broken DRBD instances.
class CapacityTest {
 public:
  explicit CapacityTest(const ScopedCluster& scope);
  /// Only these nodes need to be evacuable; none: all.
  CapacityTest(const ScopedCluster& scope, std::optional<std::vector<NodeId>> tested);
  CapacityTest(const CapacityTest&) = delete;
  CapacityTest& operator=(const CapacityTest&) = delete;
  ~CapacityTest();

  [[nodiscard]] bool holds(const Candidate& candidate) const;
  /// True only where holds() would be false whatever the states are: cheap, for a record alone.
  [[nodiscard]] bool surely_fails(const Record& record) const;
  /// The slow, exact form; says which node is the first that is stuck.
  [[nodiscard]] std::optional<StuckNode> first_stuck(const Candidate& candidate) const;

 private:
  const ScopedCluster* scope_;
  std::optional<std::vector<NodeId>> tested_;
  std::unique_ptr<CapacitySummary> summary_;
};

}  // namespace ballast::ganeti::alloc
