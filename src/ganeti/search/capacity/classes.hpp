// SPDX-License-Identifier: BSD-2-Clause
// Nodes that look alike to a new instance are one class: what it does to one of them it does to
// all, so it is worked out once for each class.
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "ballast/ganeti/score/sheet.hpp"
#include "place.hpp"

namespace ballast::ganeti::alloc {

using ClassId = std::size_t;

/// Everything of the node that decides what an instance without tags does to it.
std::string node_signature(const Cluster& cluster, NodeId node, const NodeState& state);

/// A node of the class before and after the instance came, or why it cannot come.
struct ClassChange {
  MaybeRefusal refusal;
  ColumnValues before;
  ColumnValues after;
  [[nodiscard]] bool fits() const { return !refusal; }
};

class CapacityClasses {
 public:
  /// The first three must outlive this.
  CapacityClasses(const Cluster& cluster, const State& state, const ScoreColumns& columns,
                  std::span<const CapacityCandidate> candidates);

  /// The node's state has changed.
  void update(NodeId node);
  void update_all();
  /// The instance that is asked about from now on.
  void set_wanted(const Wanted& wanted);

  /// Classes that have members now.
  [[nodiscard]] const std::set<ClassId>& live() const { return live_; }
  /// Ascending; at least one in a live class.
  [[nodiscard]] const std::vector<NodeId>& members(ClassId id) const {
    return classes_[id].members;
  }
  [[nodiscard]] GroupId group(ClassId id) const { return classes_[id].group; }
  /// The class of a candidate.
  [[nodiscard]] ClassId of(NodeId node) const { return class_of_[node.index()]; }
  [[nodiscard]] bool is_candidate(NodeId node) const { return is_candidate_[node.index()]; }

  const ClassChange& as_primary(ClassId id);
  /// On a node that already reserves `peer_mib` for the primary (0: nothing).
  const ClassChange& as_secondary(ClassId id, std::int64_t peer_mib);

 private:
  struct Class {
    GroupId group;
    std::vector<NodeId> members;
  };
  void leave(NodeId node);
  [[nodiscard]] ClassChange change_of(NodeId node, bool is_primary, std::int64_t peer_mib);

  const Cluster& cluster_;
  const State& state_;
  const ScoreColumns& columns_;
  const Wanted* wanted_ = nullptr;
  std::vector<Class> classes_;
  std::vector<ClassId> class_of_;
  std::vector<bool> is_candidate_;
  std::set<ClassId> live_;
  std::unordered_map<std::string, ClassId> by_signature_;
  std::unordered_map<ClassId, ClassChange> primaries_;
  std::map<std::pair<ClassId, std::int64_t>, ClassChange> secondaries_;
  NodeState scratch_;
};

}  // namespace ballast::ganeti::alloc
