// SPDX-License-Identifier: BSD-2-Clause
// The exact score of a set of nodes, in flat arrays: of a state, of one in which a few nodes
// differ, of many in which one node does, without walking the whole model. The sums run over all
// nodes in the reference's order, so they are the reference's to the last bit.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/moves/move.hpp"
#include "ballast/ganeti/score/metrics.hpp"
#include "ballast/ganeti/score/running.hpp"

namespace ballast::ganeti {

/// A node of the set as a candidate would leave it.
struct ChangedNode {
  NodeId node;
  const NodeState* state;
};

/// An online node of the set with other values by column than it has now.
struct ChangedValues {
  NodeId node;
  const ColumnValues* before;
  const ColumnValues* after;
};

class ScoreSheet {
 public:
  /// `cluster` and the states must outlive the sheet, and the states stay where they are; `nodes`
  /// in index order.
  ScoreSheet(const Cluster& cluster, const State& state, std::span<const NodeId> nodes);
  /// The states by node index; null is allowed outside of `nodes`.
  ScoreSheet(const Cluster& cluster, std::vector<const NodeState*> states,
             std::span<const NodeId> nodes);

  /// Of the state that was last read.
  [[nodiscard]] double total() const { return total_with(std::span<const ChangedNode>()); }
  /// Of that state with the changed nodes in their new state. Nodes outside of
  /// the set are ignored; of a node named twice the last counts. Safe to call from several threads.
  [[nodiscard]] double total_with(std::span<const ChangedNode> changed) const;
  [[nodiscard]] double total_with(std::span<const MoveEffect::Changed> changed) const;
  /// Of so many changes, each alone: to the last bit what total_with() says of each, sooner.
  static constexpr std::size_t kTogether = 3;
  using Together = std::array<std::span<const MoveEffect::Changed>, kTogether>;
  [[nodiscard]] std::array<double, kTogether> totals_with(const Together& several) const;
  /// The score with each change alone, to the last bit. Changes ascend by node; what is summed up
  /// without deviation changes by whole numbers, and tag pairs do not change. `now` is what
  /// running() gives, which is not summed up again.
  [[nodiscard]] std::vector<double> totals_with_each(const Running& now,
                                                     std::span<const ChangedValues> changes) const;
  /// Sums of the state that was last read, for others to go on with.
  [[nodiscard]] Running running() const;
  [[nodiscard]] const ScoreColumns& columns() const { return *columns_; }
  /// Of the state that was last read.
  [[nodiscard]] ScoreDetail detail() const;
  /// What does not come from deviations: weighted counts, tag pairs and the reserved total.
  [[nodiscard]] double plain_part() const;
  [[nodiscard]] bool has(NodeId node) const { return position_[node.index()] != -2; }
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
    /// Calls visit(metric, value) for each.
    template <class Visit>
    void for_each(Visit&& visit) const {
      visit(MetricId::FailingN1, static_cast<double>(failing));
      visit(MetricId::OfflineAll, static_cast<double>(offline_all));
      visit(MetricId::OfflinePrimary, static_cast<double>(offline_primaries));
      visit(MetricId::ExclusionTags, static_cast<double>(tag_conflicts));
      visit(MetricId::Location, static_cast<double>(location));
    }
    Counts& operator+=(const Counts& other);
    Counts& operator-=(const Counts& other);
  };
  struct Row {
    std::size_t position;  ///< among the online nodes
    const double* values;  ///< panels_ x kPanel
  };
  /// Of the columns of one panel.
  struct PanelSums {
    std::array<double, kPanel> counts;
    std::array<double, kPanel> sums;
    std::array<double, kPanel> variances;  ///< 0 where the count is 0
  };

  [[nodiscard]] Counts counts_of(NodeId node, const NodeState& state) const;
  void fill_row(NodeId node, const NodeState& state, double* values) const;
  void fill_mask(NodeId node, double* mask) const;
  /// What a set of changed nodes makes of the sheet.
  struct Variant {
    Counts counts;
    std::vector<double> values;
    std::vector<Row> rows;  ///< by position
    std::int64_t tag_pair_conflicts = 0;
  };

  [[nodiscard]] PanelSums sums_of(std::size_t panel, std::span<const Row> changed) const;
  using SumsTogether = std::array<PanelSums, kTogether>;
  /// Of the first panel.
  [[nodiscard]] SumsTogether sums_together(
      const std::array<std::span<const Row>, kTogether>& changed) const;
  [[nodiscard]] Variant variant_of(std::span<const ChangedNode> changed) const;
  /// Calls visit(column, position in the panel) for each.
  template <class Visit>
  void for_each_column(std::size_t panel, Visit&& visit) const;
  /// What each column comes to.
  [[nodiscard]] ColumnValues results(const Counts& counts, std::span<const Row> rows,
                                     std::int64_t tag_pair_conflicts,
                                     const PanelSums& first_panel) const;
  [[nodiscard]] std::int64_t tag_pair_conflicts_with(std::span<const ChangedNode> changed) const;
  void update_tag_pairs(NodeId node);
  [[nodiscard]] const double* panel_values(std::size_t panel) const {
    return values_.data() + panel * online_ * kPanel;
  }
  /// Null: each node counts in all columns.
  [[nodiscard]] const double* panel_mask(std::size_t panel) const {
    return panel == 0 ? nullptr : masks_.data() + (panel - 1) * online_ * kPanel;
  }

  const Cluster* cluster_;
  std::vector<const NodeState*> states_;  ///< by node index; null: outside of the set
  std::vector<NodeId> nodes_;
  std::vector<std::int32_t>
      position_;  ///< NodeId -> among the online nodes of the set; -1: offline, -2: not in the set
  std::shared_ptr<const ScoreColumns> columns_;
  std::size_t online_ = 0;
  std::size_t panels_ = 1;
  std::vector<double> values_;  ///< [panel][online node][kPanel]
  std::vector<double>
      masks_;  ///< like values_, for the unit panels: 1 where the node holds the unit
  std::vector<double> largest_;  ///< [panel][kPanel]: no value so far was larger, signs apart
  std::vector<Counts> counts_;   ///< by NodeId
  std::shared_ptr<TagPairs> tag_pairs_;
  std::vector<TagPairs::Times> tag_pairs_of_;  ///< by NodeId, as counted; empty without locations
  Counts counts_sum_;
};

}  // namespace ballast::ganeti
