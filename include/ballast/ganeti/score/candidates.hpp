// SPDX-License-Identifier: BSD-2-Clause
// Scores of many candidate placements that each change a few nodes, by the allocator's own update
// rule: for pairs its last bits are part of the answers, for others it is a screen.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/score/metrics.hpp"
#include "ballast/ganeti/score/sheet.hpp"

namespace ballast::ganeti {

/// One node's contribution to each metric; the tag map apart.
struct CandidateValues {
  PerMetric<double> metrics;
  std::vector<double>
      units;  ///< free fraction by unit column, NaN where the node lacks it; empty without storage
  std::vector<double> forth_units;
};

using LocationCounts = std::vector<std::pair<std::pair<TagId, TagId>, std::int64_t>>;

CandidateValues candidate_values(const Cluster& cluster, NodeId node, const NodeState& state,
                                 std::span<const StorageKeyId> columns);

/// The reference's incremental statistics, started from a full computation.
class AllocatorStatistics {
 public:
  AllocatorStatistics(const Cluster& cluster, std::span<const NodeState* const> states,
                      std::span<const NodeId> nodes);

  /// `before` must be the state that the node had when it was counted last.
  void update(NodeId node, const NodeState& before, const NodeState& after);
  [[nodiscard]] double score() const;
  /// Whole numbers only: the order of additions does not matter for them.
  void add_to_sum(MetricId metric, double change) { aggregates_[metric].sum += change; }

  struct Aggregate {
    double count = 0;
    double sum = 0;
    double variance = 0;
    double largest = 0;  ///< no value that was counted is larger, signs apart
  };
  [[nodiscard]] const PerMetric<Aggregate>& aggregates() const { return aggregates_; }
  /// By position in columns(): the units' free fractions, now and with planned instances.
  [[nodiscard]] std::span<const Aggregate> units() const { return units_; }
  [[nodiscard]] std::span<const Aggregate> forth_units() const { return forth_units_; }
  [[nodiscard]] bool has_values() const { return has_online_; }
  /// Tag maps have no place in the arrays that the fast loops use.
  [[nodiscard]] bool has_tag_map() const { return !locations_.empty(); }
  /// Values that may be counted later: error_bound() allows for them.
  void expect(const CandidateValues& values);
  /// How far score() can be from the exact sum over the same nodes, one further update of expected
  /// values included; infinite or not a number where nothing can be said.
  [[nodiscard]] double error_bound() const;
  [[nodiscard]] std::span<const StorageKeyId> columns() const { return columns_; }

 private:
  void add_locations(const LocationCounts& counts, std::int64_t sign);
  [[nodiscard]] double units_value(const std::vector<Aggregate>& units) const;

  const Cluster* cluster_;
  std::vector<StorageKeyId> columns_;
  PerMetric<Aggregate> aggregates_;
  std::vector<Aggregate> units_;
  std::vector<Aggregate> forth_units_;
  std::map<std::pair<TagId, TagId>, std::int64_t> locations_;
  std::int64_t location_total_ = 0;
  bool has_online_ = false;
};

/// sum, or standard deviation update of model 14.
void update_sum(AllocatorStatistics::Aggregate& aggregate, double before, double after);
void update_deviation(AllocatorStatistics::Aggregate& aggregate, double before, double after);

}  // namespace ballast::ganeti
