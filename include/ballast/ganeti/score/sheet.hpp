// SPDX-License-Identifier: BSD-2-Clause
// The score of a set of nodes in flat arrays: what `full_score` gives for a state in which a few
// nodes differ, to the last bit, without walking the whole model. The sums run over all nodes in
// the reference's order; only the layout differs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/model/move.hpp"
#include "ballast/ganeti/score/metrics.hpp"

namespace ballast::ganeti {

/// A node of the set as a candidate would leave it.
struct ChangedNode {
  NodeId node;
  const NodeState* state;
};

class ScoreSheet {
 public:
  /// `cluster` and the states must outlive the sheet, and the states stay where they are; `nodes`
  /// in index order.
  ScoreSheet(const Cluster& cluster, const State& state, std::span<const NodeId> nodes);
  /// The states by node index; null is allowed outside of `nodes`.
  ScoreSheet(const Cluster& cluster, std::span<const NodeState* const> states,
             std::span<const NodeId> nodes);

  /// Equals full_score of the state that was last read.
  [[nodiscard]] double total() const { return total_with(std::span<const ChangedNode>()); }
  /// Equals full_score of that state with the changed nodes in their new state. Nodes outside of
  /// the set are ignored; of a node named twice the last counts. Safe to call from several threads.
  [[nodiscard]] double total_with(std::span<const ChangedNode> changed) const;
  [[nodiscard]] double total_with(std::span<const MoveEffect::Changed> changed) const;
  /// Equals score_detail of the state that was last read.
  [[nodiscard]] ScoreDetail detail() const;
  /// What does not come from deviations: weighted counts, tag pairs and the reserved total.
  [[nodiscard]] double plain_part() const;
  /// Reads the node again from the state; a node outside the set is no concern of the sheet.
  void update(NodeId node);

 private:
  static constexpr std::size_t kPanel = 16;  ///< columns summed side by side

  /// Whole numbers, which any order sums exactly.
  struct Counts {
    std::int64_t failing = 0;
    std::int64_t offline_all = 0;
    std::int64_t offline_primaries = 0;
    std::int64_t tag_conflicts = 0;
    std::int64_t location = 0;
    Counts& operator+=(const Counts& other);
    Counts& operator-=(const Counts& other);
  };
  struct Row {
    std::size_t position;  ///< among the online nodes
    const double* values;  ///< panels_ x kPanel
  };

  [[nodiscard]] Counts counts_of(NodeId node, const NodeState& state) const;
  void fill_row(NodeId node, const NodeState& state, double* values) const;
  void fill_mask(NodeId node, double* mask) const;
  void sum_panel(std::size_t panel, std::span<const Row> changed, double* sums,
                 double* squares) const;
  [[nodiscard]] ScoreDetail detail_of(const Counts& counts, std::span<const Row> rows,
                                      double exclusions, bool with_units) const;
  [[nodiscard]] double exclusions_with(std::span<const ChangedNode> changed) const;

  const Cluster* cluster_;
  std::vector<const NodeState*> states_;  ///< by node index; null: outside of the set
  std::vector<NodeId> nodes_;
  std::vector<std::int32_t>
      position_;  ///< NodeId -> among the online nodes of the set; -1: offline, -2: not in the set
  std::vector<StorageKeyId> units_;  ///< scored, empty where storage does not count
  std::size_t online_ = 0;
  std::size_t panels_ = 1;
  std::vector<double> values_;  ///< [panel][online node][kPanel]
  std::vector<double>
      masks_;  ///< like values_, for the unit panels: 1 where the node holds the unit
  std::vector<Counts> counts_;  ///< by NodeId
  Counts counts_sum_;
  bool has_location_tags_ = false;
};

}  // namespace ballast::ganeti
