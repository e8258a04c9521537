// SPDX-License-Identifier: BSD-2-Clause
// place_one_by_one without an acceptance, fast: equal nodes are looked at once, and what is chosen
// is still the reference's choice to the last bit.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "capacity_classes.hpp"

namespace ballast::ganeti::alloc {

class CapacityFinder {
 public:
  /// All three must outlive this. `state` may change between the calls, if it is told.
  CapacityFinder(const Cluster& cluster, const State& state,
                 std::span<const CapacityCandidate> candidates);

  void update(NodeId node);
  void update_all();
  /// `wanted` must outlive the attempts; its id does not matter.
  void set_wanted(const Wanted& wanted);
  /// The failures are only counted where nothing fits or `with_failures` asks for them.
  Attempt attempt(bool with_failures);

 private:
  using Aggregates = std::array<AllocatorStatistics::Aggregate, kMetricCount>;
  /// Secondary nodes that reserve memory for the primary already are told apart from their class.
  struct Exception {
    ClassId primary;
    ClassId secondary;
    std::int64_t peer_mib;
    friend auto operator<=>(const Exception&, const Exception&) = default;
  };
  using Pair = std::pair<NodeId, NodeId>;  ///< primary, secondary

  [[nodiscard]] bool is_usable() const;
  void update_row(NodeId node);
  void update_exceptions(NodeId node);
  void set_exception(NodeId primary, NodeId secondary);
  void start_aggregates();
  [[nodiscard]] double score_of(const Aggregates& aggregates) const;
  static void apply(Aggregates& aggregates, const ClassChange& change);

  [[nodiscard]] std::optional<Pair> find_pair();
  [[nodiscard]] std::optional<Pair> regular_pair(ClassId primary, ClassId secondary) const;
  void count_pair_failures(ReasonCounts& failures);
  Attempt attempt_pair(bool with_failures);

  [[nodiscard]] std::optional<NodeId> find_single();
  [[nodiscard]] NodeId best_exactly(const std::vector<NodeId>& nodes);
  Attempt attempt_single(bool with_failures);

  const Cluster& cluster_;
  const State& state_;
  std::span<const CapacityCandidate> candidates_;
  CapacityClasses classes_;
  const Wanted* wanted_ = nullptr;
  bool is_pair_;
  bool is_fit_for_classes_;  ///< no storage units, no location tags
  std::vector<MetricValues> rows_;
  std::vector<bool> is_finite_;
  std::size_t infinite_ = 0;  ///< nodes with a value that is no number
  Aggregates base_{};
  double tag_value_ = 0;
  std::map<Exception, std::set<Pair>> exceptions_;
  std::map<Pair, Exception> exception_of_;
  std::vector<std::set<NodeId>> partners_;  ///< by node: nodes with which it makes exceptions
  bool found_infinite_ = false;
};

/// The deviation of `column` for each change of one value, `position` -> `value`, exactly as a sum
/// from left to right over all values gives it. Sums that have become equal are continued once.
std::vector<double> deviations_with(const std::vector<double>& column,
                                    const std::vector<std::pair<std::size_t, double>>& changes);

}  // namespace ballast::ganeti::alloc
