// SPDX-License-Identifier: BSD-2-Clause
#include "evacuate_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "pair_bound.hpp"
#include "pair_scan.hpp"
#include "screen.hpp"

namespace ballast::ganeti::alloc {
namespace {

bool has(std::span<const NodeId> nodes, NodeId node) {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

/// Nodes as one choice of the new primary leaves them, whatever the new secondary.
struct Settled {
  Overlay overlay;
  InstanceRef leaving;  ///< the instance as the last step finds it
  bool force;           ///< of the last step
};

class PairEvacuation {
 public:
  PairEvacuation(const ScopedCluster& scope, const Record& record, std::span<const NodeId> targets,
                 std::span<const NodeId> scored, bool force)
      : scope_(scope),
        record_(record),
        targets_(targets),
        force_(force),
        is_scored_(scope.states.size()),
        base_(ScoreSheet(*scope.cluster, scope.states, scored).running()) {
    for (const NodeId node : scored) is_scored_[node.index()] = true;
  }

  std::optional<std::vector<TargetPair>> run() {
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      if (!settle_primary(i)) return std::nullopt;
    }
    if (!choices_.empty()) search();
    auto finalists = screen_.finalists();
    if (!finalists) return std::nullopt;
    std::sort(finalists->begin(), finalists->end());
    std::vector<TargetPair> pairs;
    for (const std::size_t pair : *finalists)
      pairs.emplace_back(targets_[pair / targets_.size()], targets_[pair % targets_.size()]);
    return pairs;
  }

 private:
  /// A new primary with what can be said about all its pairs.
  struct Choice {
    std::size_t position;
    Running running;
    double error;
    PairBound::Lowest lowest;
  };

  /// False where the flat loops cannot tell.
  bool settle_primary(std::size_t position) {
    auto half = move_primary(scope_, record_, targets_[position], force_);
    if (!half) return true;
    Settled settled{Overlay(scope_), {}, false};
    if (!settle(std::move(*half), targets_[position], settled)) return false;
    if (!scan_) start_scan(settled);
    if (!scan_->is_usable()) return false;
    Running running = base_;
    if (!count(settled, running)) return false;
    if (!bound_) bound_ = std::make_unique<PairBound>(*scan_, running);
    const double error = running.error_of_next();
    PairBound::Lowest lowest = bound_->lowest(running);
    // Once for the bound, once for the score.
    lowest.plain -= 2 * error;
    lowest.exceptions -= 2 * error;
    choices_.push_back({position, std::move(running), error, lowest});
    return true;
  }

  void search() {
    std::vector<std::size_t> order(choices_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return choices_[a].lowest.plain < choices_[b].lowest.plain;
    });
    std::vector<std::int8_t> status;
    std::vector<double> scores;
    for (const std::size_t at : order) {
      const Choice& choice = choices_[at];
      const NodeId primary = targets_[choice.position];
      // A bound that is not a number excludes nothing.
      if (!(choice.lowest.plain > screen_.limit())) {
        scan_->scan(primary, choice.running, status, scores);
        for (std::size_t i = 0; i < status.size(); ++i) {
          if (status[i] == PairScan::kFits) offer(choice, i, scores[i]);
        }
      } else if (!(choice.lowest.exceptions > screen_.limit())) {
        offer_exceptions(choice);
      }
    }
  }

  /// Of the secondaries that reserve memory for the primary already.
  void offer_exceptions(const Choice& choice) {
    const NodeId primary = targets_[choice.position];
    NodeState after;
    for (const std::size_t i : scan_->exceptions(primary)) {
      if (targets_[i] == primary || scan_->place_exception(primary, i, after) != PairScan::kFits)
        continue;
      offer(choice, i, scan_->score_of_exception(primary, i, after, choice.running));
    }
  }

  /// The last step without the new secondary; false where it is refused on the new primary.
  bool settle(Halfway&& half, NodeId primary, Settled& settled) const {
    const Cluster& cluster = *scope_.cluster;
    const NodeId old = half.record.placement.secondary;
    NodeState& on_old = half.overlay.changed_state(old);
    NodeState& on_primary = half.overlay.changed_state(primary);
    remove_primary(cluster, primary, on_primary, half.record.ref());
    remove_secondary(cluster, old, on_old, half.record.ref());
    Record moved = half.record;
    moved.placement = {primary, NodeId(), 0};
    if (add_primary(cluster, primary, on_primary, moved.ref(), true)) return false;
    settled.overlay = std::move(half.overlay);
    settled.leaving = moved.ref();
    settled.force = force_ || cluster[old].is_offline;
    return true;
  }

  void start_scan(const Settled& settled) {
    scan_ = std::make_unique<PairScan>(
        PairScan::Question{scope_, settled.leaving, targets_, targets_, settled.force}, base_);
    if (scan_->is_usable()) scan_->prepare_bound(base_);
  }

  /// False where some value is not finite.
  bool count(const Settled& settled, Running& running) const {
    for (const auto& [node, state] : settled.overlay.changed()) {
      if (!is_scored_[node.index()]) continue;
      if (!state.location_exclusions.empty()) return false;
      running.update(*scope_.cluster, node, scope_[node], state);
    }
    return running.is_finite();
  }

  void offer(const Choice& choice, std::size_t secondary, double score) {
    const double slack = std::isfinite(choice.error) ? choice.error : 0;
    if (score - slack > screen_.limit()) return;
    screen_.offer(choice.position * targets_.size() + secondary, {score, choice.error});
  }

  const ScopedCluster& scope_;
  const Record& record_;
  std::span<const NodeId> targets_;
  bool force_;
  std::vector<bool> is_scored_;
  Running base_;
  std::unique_ptr<PairScan> scan_;
  std::unique_ptr<PairBound> bound_;
  std::vector<Choice> choices_;
  Screen screen_;
};

}  // namespace

std::optional<std::vector<TargetPair>> promising_pairs(const ScopedCluster& scope,
                                                       const Record& record,
                                                       std::span<const NodeId> targets,
                                                       std::span<const NodeId> scored, bool force) {
  if (targets.size() < 2) return std::vector<TargetPair>();
  // Where a target is one of the nodes that are left, its share depends on the pair.
  const Placement& at = record.placement;
  if (has(targets, at.primary) || has(targets, at.secondary)) return std::nullopt;
  return PairEvacuation(scope, record, targets, scored, force).run();
}

}  // namespace ballast::ganeti::alloc
