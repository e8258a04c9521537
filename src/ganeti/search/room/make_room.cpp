// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/room/make_room.hpp"
#include "ballast/ganeti/moves/ends.hpp"

#include <algorithm>
#include <optional>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/concat.hpp>
#include <range/v3/view/filter.hpp>
#include <tuple>

#include "ballast/ganeti/score/metrics.hpp"
#include "ballast/ganeti/search/allocate/allocator.hpp"
#include "ballast/ganeti/search/balance/candidates.hpp"
#include "lack.hpp"

namespace ballast::ganeti {

namespace {

constexpr std::size_t kPromising = 32;  // nodes that something is taken off
constexpr std::size_t kKept = 40;       // sequences that are continued
constexpr std::size_t kVerified = 40;   // sequences of one length that the allocator is asked about

struct RoomMove {
  InstanceId instance;
  Move move;
};

struct Sequence {
  std::vector<RoomMove> steps;
  double lack = 0;
  std::int64_t copied_mib = 0;
  std::int64_t memory_mib = 0;
};

class RoomMaker {
 public:
  RoomMaker(const Cluster& cluster, const State& state, const Part& part,
            const BalanceOptions& options, const AllocateRequest& question,
            const MakeRoomOptions& room)
      : cluster_(cluster),
        start_(state),
        part_(part),
        options_(options),
        question_(question),
        how_(room.how),
        also_from_(room.also_from),
        targets_(target_nodes(cluster, part)),
        state_(state),
        lack_(cluster, state_, hosts(), question.wanted.instance, options.ignore_soft_errors) {}

  MakeRoomResult run(const MakeRoomOptions& room) {
    MakeRoomResult result;
    if (accepts({}, result)) return result;
    std::vector<Sequence> sequences{{}};
    for (std::size_t length = 1; length <= room.most_moves && !sequences.empty(); ++length) {
      std::vector<Sequence> longer;
      std::vector<Sequence> fitting;
      for (const Sequence& sequence : sequences) extend(sequence, longer, fitting);
      keep_best(fitting, kVerified);
      for (const Sequence& sequence : fitting) {
        if (accepts(sequence.steps, result)) return result;
      }
      keep_best(longer, kKept);
      sequences = std::move(longer);
    }
    result.plan = plan_of({});
    return result;
  }

 private:
  /// Nodes that may take the wanted instance.
  [[nodiscard]] std::vector<NodeId> hosts() const {
    const auto& names =
        how_.restrict_to_nodes ? how_.restrict_to_nodes : question_.restrict_to_nodes;
    std::vector<NodeId> nodes = targets_;
    if (names) {
      std::erase_if(nodes, [&](NodeId node) {
        return std::find(names->begin(), names->end(), cluster_[node].name) == names->end();
      });
    }
    return nodes;
  }

  static void keep_best(std::vector<Sequence>& sequences, std::size_t count) {
    std::stable_sort(sequences.begin(), sequences.end(), [](const Sequence& a, const Sequence& b) {
      return std::tie(a.lack, a.copied_mib, a.memory_mib) <
             std::tie(b.lack, b.copied_mib, b.memory_mib);
    });
    if (sequences.size() > count) sequences.resize(count);
  }

  void make(const RoomMove& step) {
    auto effect = evaluate(cluster_, state_, step.instance, step.move, options_.ignore_soft_errors);
    std::vector<NodeId> changed;
    for (const MoveEffect::Changed& one : changed_nodes(*effect)) changed.push_back(one.node);
    apply(state_, step.instance, std::move(*effect));
    lack_.update(changed);
  }

  /// What the node holds and the balancer may move.
  [[nodiscard]] std::vector<InstanceId> residents(NodeId node) const {
    const auto may_move = [&](InstanceId id) {
      return is_considered(cluster_, state_, options_, id) &&
             std::ranges::binary_search(part_.instances, id);
    };
    return ranges::views::concat(state_[node].primaries, state_[node].secondaries) |
           ranges::views::filter(may_move) | ranges::to<std::vector>();
  }

  /// All moves that take something off a promising node.
  void extend(const Sequence& sequence, std::vector<Sequence>& longer,
              std::vector<Sequence>& fitting) {
    state_ = start_;
    lack_.update(targets_);
    for (const RoomMove& step : sequence.steps) make(step);
    std::vector<InstanceId> instances;
    std::vector<NodeId> nodes = lack_.most_promising(kPromising);
    nodes.insert(nodes.end(), also_from_.begin(), also_from_.end());
    for (const NodeId node : nodes) {
      const std::vector<InstanceId> here = residents(node);
      instances.insert(instances.end(), here.begin(), here.end());
    }
    std::sort(instances.begin(), instances.end());
    instances.erase(std::unique(instances.begin(), instances.end()), instances.end());
    for (const InstanceId id : instances) {
      const bool is_again = std::any_of(sequence.steps.begin(), sequence.steps.end(),
                                        [&](const RoomMove& step) { return step.instance == id; });
      if (!is_again) extend_by(sequence, id, longer, fitting);
    }
  }

  void extend_by(const Sequence& sequence, InstanceId id, std::vector<Sequence>& longer,
                 std::vector<Sequence>& fitting) {
    const double before = lack_.now();
    const auto try_move = [&](Move move) {
      const auto effect = evaluate(cluster_, state_, id, move, options_.ignore_soft_errors);
      if (!effect) return;
      const double lack = lack_.with(changed_nodes(*effect));
      if (lack > before) return;
      Sequence next = sequence;
      next.steps.push_back({id, move});
      next.lack = lack;
      next.copied_mib += copied_mib(cluster_, id, move);
      next.memory_mib += cluster_[id].memory_mib;
      (lack == 0 ? fitting : longer).push_back(std::move(next));
    };
    for_each_move(move_kinds(cluster_, state_, options_, id), state_[id], targets_, try_move);
    if (longer.size() > 50 * kKept) keep_best(longer, kKept);
  }

  [[nodiscard]] BalanceResult plan_of(const std::vector<RoomMove>& steps) const {
    BalanceResult plan;
    plan.state = start_;
    plan.score_before = plan.score_after = full_score(cluster_, start_, part_.nodes);
    plan.lower_bound = score_lower_bound(cluster_, start_, part_.nodes);
    for (const RoomMove& step : steps) {
      const Placement before = plan.state[step.instance];
      apply(plan.state, step.instance,
            *evaluate(cluster_, plan.state, step.instance, step.move, options_.ignore_soft_errors));
      plan.score_after = full_score(cluster_, plan.state, part_.nodes);
      plan.steps.push_back(
          {step.instance, step.move, before, plan.state[step.instance], plan.score_after});
    }
    return plan;
  }

  /// The allocator has the last word.
  bool accepts(const std::vector<RoomMove>& steps, MakeRoomResult& result) const {
    BalanceResult plan = plan_of(steps);
    const AllocatorAnswer answer = answer_request(cluster_, plan.state, question_, how_);
    const auto* nodes = std::get_if<std::vector<NodeId>>(&answer.result);
    if (!answer.success || nodes == nullptr || nodes->empty()) return false;
    result.is_found = true;
    result.plan = std::move(plan);
    result.nodes = *nodes;
    return true;
  }

  const Cluster& cluster_;
  const State& start_;
  const Part& part_;
  const BalanceOptions& options_;
  const AllocateRequest& question_;
  const AllocatorOptions& how_;
  std::vector<NodeId> also_from_;
  std::vector<NodeId> targets_;
  State state_;
  RoomLack lack_;
};

}  // namespace

MakeRoomResult make_room(const Cluster& cluster, const State& state, const Part& part,
                         const BalanceOptions& options, const AllocateRequest& question,
                         const MakeRoomOptions& room) {
  return RoomMaker(cluster, state, part, options, question, room).run(room);
}

}  // namespace ballast::ganeti
