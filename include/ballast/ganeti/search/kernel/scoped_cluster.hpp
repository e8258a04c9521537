// SPDX-License-Identifier: BSD-2-Clause
// What an allocator run works on: a set of nodes, and the reference's instance map, whose keys and
// records can drift apart.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/moves/node_ops.hpp"
#include "ballast/ganeti/rules/placement_rules.hpp"
#include "ballast/ganeti/score/sheet.hpp"

namespace ballast::ganeti::alloc {

/// Where the reference dies: it looks up a key that its map lacks.
struct ReferenceDies {
  std::int64_t key;
};

/// An instance as the map holds it. `own_id` is the record's own idea of its index: none for a new
/// instance, even when the map holds it under a real key. Node lists are edited by `own_id`, looked
/// up by key.
struct Record {
  InstanceId own_id;
  const Instance* instance = nullptr;
  Placement placement;
  bool is_new = false;
  bool is_joined = false;  ///< what a rule keeps together with it comes along

  [[nodiscard]] InstanceRef ref() const { return {own_id, instance, placement, is_new}; }
};

/// Key -> record. A new record goes under the key "number of entries", which can be taken where the
/// map is a part of the cluster.
class InstanceMap {
 public:
  void set(std::int32_t key, const Record& record) {
    if (static_cast<std::size_t>(key) >= records_.size())
      records_.resize(static_cast<std::size_t>(key) + 1);
    if (!records_[static_cast<std::size_t>(key)].instance) ++count_;
    records_[static_cast<std::size_t>(key)] = record;
  }
  /// Dies where there is none.
  [[nodiscard]] const Record& at(std::int32_t key) const {
    if (key < 0 || static_cast<std::size_t>(key) >= records_.size() ||
        !records_[static_cast<std::size_t>(key)].instance) {
      throw ReferenceDies{key};
    }
    return records_[static_cast<std::size_t>(key)];
  }
  [[nodiscard]] std::int32_t count() const { return count_; }
  [[nodiscard]] std::span<const Record> slots() const { return records_; }

 private:
  std::vector<Record> records_;  ///< without instance: no such key
  std::int32_t count_ = 0;
};

struct ScopedCluster {
  const Cluster* cluster = nullptr;
  std::vector<NodeId> nodes;             ///< in scope, ascending
  std::vector<const NodeState*> states;  ///< by node index; null: not in scope
  InstanceMap instances;

  [[nodiscard]] bool has(NodeId node) const {
    return !node.is_none() && states[node.index()] != nullptr;
  }
  [[nodiscard]] const NodeState& operator[](NodeId node) const {
    if (!has(node)) throw ReferenceDies{node.value()};
    return *states[node.index()];
  }
};

/// Keeps the states that a run of steps makes; addresses stay valid.
using StateStore = std::deque<NodeState>;

/// Node states on top of a scope, changed by steps and forgotten afterwards.
class Overlay {
 public:
  explicit Overlay(const ScopedCluster& scope) : scope_(&scope) {}

  [[nodiscard]] const Cluster& cluster() const { return *scope_->cluster; }
  [[nodiscard]] const ScopedCluster& scope() const { return *scope_; }
  [[nodiscard]] const NodeState& operator[](NodeId node) const {
    for (const auto& [id, state] : changed_) {
      if (id == node) return state;
    }
    return (*scope_)[node];
  }
  /// Of a node that was changed before.
  [[nodiscard]] NodeState& changed_state(NodeId node) {
    return std::find_if(changed_.begin(), changed_.end(),
                        [node](const auto& one) { return one.first == node; })
        ->second;
  }
  void put(NodeId node, NodeState state) {
    for (auto& [id, old] : changed_) {
      if (id == node) {
        old = std::move(state);
        return;
      }
    }
    changed_.emplace_back(node, std::move(state));
  }
  [[nodiscard]] const std::vector<std::pair<NodeId, NodeState>>& changed() const {
    return changed_;
  }
  [[nodiscard]] std::vector<ChangedNode> changes() const {
    std::vector<ChangedNode> result;
    for (const auto& [id, state] : changed_) result.push_back({id, &state});
    return result;
  }

 private:
  const ScopedCluster* scope_;
  std::vector<std::pair<NodeId, NodeState>> changed_;
};

/// Moves of a record; on success the overlay holds the new states and the record its new placement.
/// They die like the reference on a missing secondary. Order of checks and of writing back where
/// nodes coincide: hbal's moves.
MaybeRefusal fail_over(Overlay& overlay, Record& record, bool force);
MaybeRefusal fail_over_to(Overlay& overlay, Record& record, NodeId target, bool force);
MaybeRefusal replace_secondary(Overlay& overlay, Record& record, NodeId target, bool force);

/// For rules: the nodes of the scope, and one without anybody for any other.
NodeView view_of(const ScopedCluster& scope);
NodeView view_of(const Overlay& overlay);

/// By how much a change of the record's place raises what breaches of priced rules cost.
double price_of_change(const ScopedCluster& scope, const Record& record, const Placement& before,
                       const Placement& after);

/// Gives the lists' negative entries the key of the instance that was just placed.
void rename_new(NodeState& state, std::int32_t key);

/// The reference's order of doubles: every comparison with NaN says "greater".
inline bool is_greater(double a, double b) { return !(a < b) && !(a == b); }

/// Stable bottom-up merge sort that only asks "greater(i, j)" of positions below `count`. Where
/// that is no order (NaN), the exact steps are part of the answer.
std::vector<std::size_t> reference_order(
    std::size_t count, const std::function<bool(std::size_t, std::size_t)>& greater);

}  // namespace ballast::ganeti::alloc
