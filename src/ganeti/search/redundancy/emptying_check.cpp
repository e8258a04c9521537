// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/redundancy/emptying_check.hpp"
#include "ballast/ganeti/search/kernel/emergency.hpp"

#include <algorithm>
#include <utility>

#include "ballast/ganeti/search/redundancy/emptying.hpp"
#include "ballast/ganeti/search/redundancy/emptying_summary.hpp"

namespace ballast::ganeti::alloc {
namespace {

/// The scope with one candidate attached: what the test starts from for each node.
struct Attached {
  const ScopedCluster* scope;
  std::vector<std::pair<NodeId, NodeState>> states;
  std::int32_t new_key;
  Record new_record;

  [[nodiscard]] const Record& record(std::int32_t key) const {
    return key == new_key ? new_record : scope->instances.at(key);
  }
};

Attached attach(const ScopedCluster& scope, const Candidate& candidate) {
  Attached attached{&scope, {}, scope.instances.count(), *candidate.record};
  // What the test moves exists: its size is in the states already, and is not taken once more.
  attached.new_record.is_new = false;
  for (const ChangedNode& change : candidate.changes) {
    NodeState state = *change.state;
    rename_new(state, attached.new_key);
    attached.states.emplace_back(change.node, std::move(state));
  }
  return attached;
}

/// Empties one node, step by step.
class Emptying {
 public:
  Emptying(const Attached& attached, NodeId node)
      : attached_(attached),
        node_(node),
        group_((*attached.scope->cluster)[node].group),
        overlay_(*attached.scope),
        keys_(attached.scope->instances.count()) {
    for (const auto& [id, state] : attached.states) overlay_.put(id, state);
  }

  std::optional<StuckNode> run() {
    return empty_by(*this,
                    residents_of(overlay_[node_].primaries, [&](InstanceId id) -> const Instance& {
                      return *attached_.record(id.value()).instance;
                    }));
  }

  // The steps of empty_by().
  std::optional<StuckNode> fail_over(InstanceId id) {
    Record record = current(id.value());
    if (auto no = fail_over_in_emergency(overlay_, record)) return stuck(record, *no);
    moved_.emplace_back(id.value(), record);
    return std::nullopt;
  }
  std::optional<StuckNode> restart(InstanceId id) { return move_shared(id.value()); }
  std::optional<StuckNode> recreate(InstanceId id) { return recreate(current(id.value())); }
  static bool surely_take(const std::vector<InstanceId>&, const std::vector<InstanceId>&) {
    return false;  // what can be said cheaply, CapacitySummary said before
  }

 private:
  [[nodiscard]] Record current(std::int32_t key) const {
    for (auto moved = moved_.rbegin(); moved != moved_.rend(); ++moved) {
      if (moved->first == key) return moved->second;
    }
    return attached_.record(key);
  }

  [[nodiscard]] StuckNode stuck(const Record& record, const Refusal& refusal) const {
    return {node_, record.instance, refusal};
  }

  template <class Visit>
  void for_each_escape(Visit visit) const {
    const Cluster& cluster = *attached_.scope->cluster;
    for (const NodeId target : attached_.scope->nodes) {
      if (target != node_ && cluster[target].group == group_) visit(target);
    }
  }

  [[nodiscard]] ScoreSheet table(std::span<const NodeId> nodes) const {
    std::vector<const NodeState*> states = attached_.scope->states;
    for (const auto& [id, state] : overlay_.changed()) states[id.index()] = &state;
    return {*attached_.scope->cluster, std::move(states), nodes};
  }

  std::optional<StuckNode> move_shared(std::int32_t key) {
    const Record record = current(key);
    const ScoreSheet scores = table(group_nodes());
    std::optional<Overlay> best;
    double best_score = 0;
    Record best_record;
    Refusal last{FailReason::Mem, Rule::GlobalNPlusOne, node_, -1, {}, 0, 0};
    for_each_escape([&](NodeId target) {
      Overlay tried = overlay_;
      Record placed = record;
      if (auto no = fail_over_to_in_emergency(tried, placed, target)) {
        last = *no;
        return;
      }
      const double score = scores.total_with(tried.changes());
      if (best && best_score < score) return;
      best.emplace(std::move(tried));
      best_score = score;
      best_record = placed;
    });
    if (!best) return stuck(record, last);
    overlay_ = std::move(*best);
    moved_.emplace_back(key, best_record);
    return std::nullopt;
  }

  [[nodiscard]] std::vector<NodeId> group_nodes() const {
    std::vector<NodeId> nodes;
    for (const NodeId node : attached_.scope->nodes) {
      if ((*attached_.scope->cluster)[node].group == group_) nodes.push_back(node);
    }
    return nodes;
  }

  std::optional<StuckNode> recreate(Record record) {
    const Cluster& cluster = *attached_.scope->cluster;
    const ScoreSheet scores = table(attached_.scope->nodes);
    std::vector<std::pair<NodeId, NodeState>> placed;
    std::vector<double> metrics;
    Refusal last{FailReason::Mem, Rule::GlobalNPlusOne, node_, -1, {}, 0, 0};
    for_each_escape([&](NodeId target) {
      record.placement = {target, NodeId(), record.placement.location_score};
      MaybeRefusal no = check_policy(cluster, target, *record.instance);
      NodeState state = overlay_[target];
      if (!no) no = add_primary(cluster, target, state, record.ref(), true);
      if (no) {
        last = *no;
        return;
      }
      const ChangedNode change{target, &state};
      metrics.push_back(scores.total_with(std::span(&change, 1)));
      placed.emplace_back(target, std::move(state));
    });
    if (placed.empty()) return stuck(record, last);
    std::reverse(metrics.begin(), metrics.end());
    const auto order = reference_order(metrics.size(), [&](std::size_t a, std::size_t b) {
      return is_greater(metrics[a], metrics[b]);
    });
    auto& [target, state] = placed[placed.size() - 1 - order.front()];
    rename_new(state, ++keys_);
    overlay_.put(target, std::move(state));
    return std::nullopt;
  }

  const Attached& attached_;
  NodeId node_;
  GroupId group_;
  Overlay overlay_;
  std::int32_t keys_;  ///< entries of the map, the new instance included once it is attached
  std::vector<std::pair<std::int32_t, Record>> moved_;
};

}  // namespace

CapacityTest::CapacityTest(const ScopedCluster& scope) : CapacityTest(scope, std::nullopt) {}

CapacityTest::CapacityTest(const ScopedCluster& scope, std::optional<std::vector<NodeId>> tested)
    : scope_(&scope),
      tested_(std::move(tested)),
      summary_(std::make_unique<CapacitySummary>(scope)) {}
CapacityTest::~CapacityTest() = default;

std::optional<StuckNode> CapacityTest::first_stuck(const Candidate& candidate) const {
  const Attached attached = attach(*scope_, candidate);
  for (const NodeId node : tested_ ? *tested_ : scope_->nodes) {
    if (auto stuck = Emptying(attached, node).run()) return stuck;
  }
  return std::nullopt;
}

bool CapacityTest::surely_fails(const Record& record) const {
  return !tested_ && summary_->is_usable() && record.own_id.is_none() &&
         summary_->judge(record) == Verdict::Fails;
}

bool CapacityTest::holds(const Candidate& candidate) const {
  const Record& record = *candidate.record;
  if (tested_ || !summary_->is_usable() || !record.own_id.is_none()) return !first_stuck(candidate);
  const Verdict verdict = summary_->judge(record);
  if (verdict != Verdict::Unknown) return verdict == Verdict::Holds;
  if (record.instance->disk_template == DiskTemplate::Drbd &&
      record.placement.secondary.is_none()) {
    return !first_stuck(candidate);
  }
  const Attached attached = attach(*scope_, candidate);
  const auto can_empty = [&](NodeId node) { return !Emptying(attached, node).run(); };
  if (summary_->is_primary_unsure(record) && !can_empty(record.placement.primary)) return false;
  const auto& unsure = summary_->unsure_nodes();
  return std::all_of(unsure.begin(), unsure.end(), can_empty);
}

}  // namespace ballast::ganeti::alloc
