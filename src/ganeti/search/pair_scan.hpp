// SPDX-License-Identifier: BSD-2-Clause
// All pairs of a primary and a secondary at once: a secondary's share is the same for every
// primary, except where the primary's instances reserve memory there already, so it is computed
// once and combined in flat loops.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "engine.hpp"

namespace ballast::ganeti::alloc {

class PairScan {
 public:
  PairScan(const World& world, const Record& wanted, const Candidates& candidates,
           const EngineOptions& options, const AllocatorStatistics& base);

  /// False: some value is not finite, storage units or location maps count, or a node is offline.
  /// Use the plain form.
  [[nodiscard]] bool is_usable() const { return is_usable_; }

  static constexpr std::int8_t kFits = -1;
  static constexpr std::int8_t kSkipped = -2;

  /// Fills `status` (kFits, kSkipped for the primary itself, or a FailReason) and, where it fits,
  /// `score`, by position in candidates.secondaries. The primary's own checks must have passed;
  /// `first` is its state, without the pair's location score.
  void scan(NodeId primary, const NodeState& first, std::vector<std::int8_t>& status,
            std::vector<double>& score) const;

 private:
  struct Column {
    std::size_t metric;
    bool is_deviation;
    std::vector<double> change;
    std::vector<double> scaled;
    std::vector<double> squared;
  };

  void prepare_secondary(std::size_t position);
  void prepare_columns();
  [[nodiscard]] bool is_finite(NodeId node) const;
  void score_all(NodeId primary, const AllocatorStatistics& statistics,
                 std::vector<double>& score) const;
  void fix_exceptions(NodeId primary, const AllocatorStatistics& statistics,
                      std::vector<std::int8_t>& status, std::vector<double>& score) const;

  const World& world_;
  const Record& wanted_;
  const std::vector<NodeId>& secondaries_;
  const EngineOptions& options_;
  const AllocatorStatistics& base_;
  bool is_usable_ = true;
  bool has_locations_ = false;
  std::vector<std::int8_t>
      status_;  ///< of each secondary, for primaries that it reserves nothing for
  std::vector<std::array<double, kMetricCount>> before_;
  std::vector<std::array<double, kMetricCount>> after_;
  std::vector<Column> columns_;
  std::vector<std::vector<std::size_t>>
      exceptions_;  ///< by primary's node index: positions of secondaries with such a peer
};

}  // namespace ballast::ganeti::alloc
