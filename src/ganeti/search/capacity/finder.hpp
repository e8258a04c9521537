// SPDX-License-Identifier: BSD-2-Clause
// place_one_by_one without an acceptance, fast: equal nodes are looked at once, and what is chosen
// is still the reference's choice to the last bit.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "ballast/ganeti/search/redundancy/emptying_summary.hpp"
#include "classes.hpp"

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
  /// As attempt() where it is known to choose the node for an instance without partner, as after
  /// the same state came back. None: the classes do not help.
  std::optional<Attempt> attempt_known(NodeId node, bool with_failures);
  /// With an acceptance, for instances on one node. The failures are right only where nothing is
  /// placed. None: `judge` does not know, or the classes do not help.
  std::optional<Attempt> attempt_accepted(const std::function<Verdict(NodeId)>& judge);

 private:
  /// The nodes to choose from; empty: all.
  using NodeFilter = std::function<bool(NodeId)>;
  /// Secondary nodes that reserve memory for the primary already are told apart from their class.
  struct Exception {
    ClassId primary;
    ClassId secondary;
    std::int64_t peer_mib;
    friend auto operator<=>(const Exception&, const Exception&) = default;
  };
  using Pair = std::pair<NodeId, NodeId>;  ///< primary, secondary

  [[nodiscard]] const Running& running();
  [[nodiscard]] bool is_usable();
  void update_exceptions(NodeId node);
  void set_exception(NodeId primary, NodeId secondary);
  [[nodiscard]] std::optional<Pair> find_pair();
  [[nodiscard]] std::optional<Pair> regular_pair(ClassId primary, ClassId secondary) const;
  /// What both nodes of a pair have in common adds to the score.
  [[nodiscard]] std::int64_t common_tags(ClassId primary, ClassId secondary) const;
  void count_pair_failures(ReasonCounts& failures);
  Attempt attempt_pair(bool with_failures);

  [[nodiscard]] std::optional<NodeId> find_single(const NodeFilter& filter);
  [[nodiscard]] NodeId best_exactly(std::span<const NodeId> nodes);
  void count_single_failures(ReasonCounts& failures);
  [[nodiscard]] Placed placed_on(NodeId node) const;
  Attempt attempt_single(bool with_failures);

  const Cluster& cluster_;
  const State& state_;
  std::span<const CapacityCandidate> candidates_;
  ScoreSheet sheet_;
  std::optional<Running> running_;  ///< of the present state; none: not asked for yet
  CapacityClasses classes_;
  const Wanted* wanted_ = nullptr;
  bool is_pair_;
  bool has_location_tags_ = false;
  std::map<Exception, std::set<Pair>> exceptions_;
  std::map<Pair, Exception> exception_of_;
  std::vector<std::set<NodeId>> partners_;  ///< by node: nodes with which it makes exceptions
  bool found_infinite_ = false;
};

}  // namespace ballast::ganeti::alloc
