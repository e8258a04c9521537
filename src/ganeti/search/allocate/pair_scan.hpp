// SPDX-License-Identifier: BSD-2-Clause
// All pairs of a primary and a secondary at once: a secondary's share is the same for every
// primary, except where the primary's instances reserve memory there already, so it is computed
// once and combined in flat loops.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "ballast/ganeti/search/allocate/engine.hpp"

namespace ballast::ganeti::alloc {

class PairScan {
 public:
  /// Adds `instance` as secondary to each of `secondaries`; `force` lifts the soft checks. `base`
  /// holds the sums of the nodes whose score counts. What is passed must outlive the scan.
  struct Question {
    const ScopedCluster& scope;
    InstanceRef instance;
    std::span<const NodeId> primaries;
    std::span<const NodeId> secondaries;
    bool force = false;
  };
  PairScan(const Question& question, const Running& base);

  /// False: some value is not finite, location maps count, or a node is offline. Use the plain
  /// form.
  [[nodiscard]] bool is_usable() const { return is_usable_; }

  static constexpr std::int8_t kFits = -1;
  static constexpr std::int8_t kSkipped = -2;

  /// Fills `status` (kFits, kSkipped for the primary itself, or a FailReason) and, where it fits,
  /// `score`, by position in the secondaries. `running` are the sums with the instance on its
  /// primary, without the pair's location score.
  void scan(NodeId primary, const Running& running, std::vector<std::int8_t>& status,
            std::vector<double>& score) const;

  /// One of the scores that scan() gives, bit by bit; of a secondary that fits, that reserves
  /// nothing for the primary and where no location tags count.
  [[nodiscard]] double score_of(std::size_t position, const Running& running) const;
  [[nodiscard]] bool has_locations() const { return has_locations_; }
  /// Position of a node among the secondaries; -1: none.
  [[nodiscard]] std::int32_t position_of(NodeId node) const { return position_[node.index()]; }

  /// Positions of the secondaries that reserve memory for the primary already, ascending.
  [[nodiscard]] std::span<const std::size_t> exceptions(NodeId primary) const {
    return exceptions_[primary.index()];
  }
  /// Status of such a secondary, and where it fits its state with the instance.
  std::int8_t place_exception(NodeId primary, std::size_t position, NodeState& after) const;
  [[nodiscard]] double score_of_exception(NodeId primary, std::size_t position,
                                          const NodeState& after, const Running& running) const;

  /// What each secondary changes in one deviation: by position, with the count of nodes apart.
  struct Column {
    std::vector<double> change;
    std::vector<double> scaled;
    std::vector<double> squared;
    bool is_changed = false;
  };
  /// By column of the score.
  [[nodiscard]] std::span<const Column> columns() const { return columns_; }
  [[nodiscard]] const std::vector<std::int8_t>& status() const { return status_; }
  /// Before the instance comes.
  [[nodiscard]] double value_before(std::size_t position, MetricId metric) const {
    return before_[position][ScoreColumns::column_of(metric)];
  }

  /// Lets the error of the next update allow for every secondary.
  void prepare_bound(Running& running) const;

 private:
  void prepare_secondary(std::size_t position);
  [[nodiscard]] Column column_of(std::size_t column) const;
  /// Adds weight * what the column comes to.
  void add_column(std::size_t column, double weight, const Running& running,
                  std::vector<double>& score) const;
  void add_units(MetricId metric, const Running& running, std::vector<double>& score) const;
  [[nodiscard]] double value_with(std::size_t position, std::size_t column,
                                  const Running& running) const;
  void add_locations(NodeId primary, double sum, double weight, std::vector<double>& score) const;
  void fix_exceptions(NodeId primary, const Running& running, std::vector<std::int8_t>& status,
                      std::vector<double>& score) const;

  const ScopedCluster& scope_;
  InstanceRef instance_;
  std::span<const NodeId> secondaries_;
  bool force_;
  const Running& base_;
  bool is_usable_ = true;
  bool has_locations_ = false;
  std::vector<std::int8_t> status_;  ///< of each secondary, for primaries that it reserves nothing
                                     ///< for
  std::vector<std::int32_t> position_;  ///< by node index: among the secondaries; -1: none
  std::vector<ColumnValues> before_;
  std::vector<ColumnValues> after_;
  std::vector<Column> columns_;
  std::vector<std::vector<std::size_t>>
      exceptions_;  ///< by primary's node index: positions of secondaries with such a peer
};

}  // namespace ballast::ganeti::alloc
