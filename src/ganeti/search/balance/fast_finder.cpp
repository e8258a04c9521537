// SPDX-License-Identifier: BSD-2-Clause
#include "fast_finder.hpp"

#include "ballast/ganeti/model/move_ends.hpp"
#include <algorithm>
#include <cmath>
#include <limits>

#include "fast_threads.hpp"

namespace ballast::ganeti::fast {

namespace {

using enum MoveKind;

constexpr double kUlp = std::numeric_limits<double>::epsilon() / 2;

bool is_before(const Best& a, const Best& b) {
  if (a.choice.kind != b.choice.kind) return a.choice.kind == StepChoice::Kind::Found;
  if (a.score != b.score) return a.score < b.score;
  if (a.choice.instance != b.choice.instance) return a.choice.instance < b.choice.instance;
  return a.order < b.order;
}

/// Instances: below, a thread costs more than it saves.
constexpr std::size_t kLeastPerThread = 1500;

Division division_of(const BalanceOptions& options) {
  return {static_cast<std::size_t>(std::max(1, options.threads)), kLeastPerThread};
}

std::size_t count_movable(const Cluster& cluster, const Part& part) {
  return static_cast<std::size_t>(std::count_if(
      part.instances.begin(), part.instances.end(),
      [&](InstanceId id) { return cluster[id].is_movable && cluster[id].auto_balance; }));
}

}  // namespace

FastFinder::FastFinder(const Cluster& cluster, const State& state, const Part& part,
                       const BalanceOptions& options)
    : cluster_(cluster),
      state_(state),
      options_(options),
      layout_(make_layout(cluster, state, part)),
      sheet_(cluster, state, part.nodes),
      plain_(cluster, state, part, options, &sheet_),
      builder_(cluster, state, layout_),
      reader_(cluster, state, options, layout_),
      movable_of_(cluster.instances.size(), -1),
      bounds_(layout_, builder_.arrays(), count_movable(cluster, part), division_of(options)) {
  for (const InstanceId id : part.instances) {
    if (layout_.class_of[id.index()] < 0) continue;
    movable_of_[id.index()] = static_cast<std::int32_t>(movable_.size());
    movable_.push_back({id, {}});
  }
  places_.resize(movable_.size());
  spread_.resize(layout_.width);
  factor_.resize(layout_.width);
  squeeze_.resize(layout_.width);
  candidate_job_ = {layout_.width, spread_.data(), factor_.data(), squeeze_.data(),
                    nullptr,       nullptr,        nullptr};
  scratches_.resize(division_of(options).threads);
  for (Scratch& scratch : scratches_) {
    scratch.is_shared.resize(layout_.targets.size());
    scratch.source.resize(layout_.width);
    scratch.source_delta.resize(layout_.width);
  }
  for (std::size_t i = 0; i < movable_.size(); ++i) read_source(i);
}

void FastFinder::read_source(std::size_t index) {
  Movable& movable = movable_[index];
  movable.source = reader_.read(movable.id);
  const Placement& placement = state_[movable.id];
  const auto none = static_cast<std::int32_t>(layout_.targets.size());
  const bool is_regular = movable.source.is_considered && !movable.source.is_irregular;
  places_[index] = {
      layout_.position[placement.primary.index()],
      placement.secondary.is_none() ? none : layout_.position[placement.secondary.index()],
      is_regular ? layout_.class_of[movable.id.index()] : -1};
}

void FastFinder::moved(InstanceId instance, const Placement& before) {
  const Placement& after = state_[instance];
  std::vector<NodeId> nodes{before.primary, before.secondary, after.primary, after.secondary};
  std::erase_if(nodes, [](NodeId node) { return node.is_none(); });
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  for (const NodeId node : nodes) {
    sheet_.update(node);
    builder_.update(node);
  }
  if (reader_.counts_pairs()) {
    reader_.count_pairs();
    for (std::size_t i = 0; i < movable_.size(); ++i) read_source(i);
    return;
  }
  for (const NodeId node : nodes) {
    for (const auto* list : {&state_[node].forth_primaries, &state_[node].forth_secondaries}) {
      for (const InstanceId id : *list) {
        if (movable_of_[id.index()] >= 0)
          read_source(static_cast<std::size_t>(movable_of_[id.index()]));
      }
    }
  }
}

std::size_t FastFinder::order_of(MoveKind kind, std::size_t position) const {
  switch (kind) {
    case Failover:
      return 0;
    case FailoverToAny:
    case ReplaceSecondary:
      return 1 + 4 * position;
    case ReplaceAndFailover:
      return 2 + 4 * position;
    case ReplacePrimary:
      return 3 + 4 * position;
    case FailoverAndReplace:
      return 4 + 4 * position;
  }
  return 0;
}

void FastFinder::confirm(InstanceId instance, const Candidate& candidate, Scratch& scratch) const {
  const Move move{candidate.kind, candidate.target};
  const auto effect = evaluate(cluster_, state_, instance, move, options_.ignore_soft_errors);
  if (!effect) return;
  const double score = sheet_.total_with(changed_nodes(*effect));
  if (!(score < scratch.current)) return;
  const Best next{{StepChoice::Kind::Found, instance, move, score},
                  order_of(candidate.kind, candidate.position),
                  score};
  if (is_before(next, scratch.best)) scratch.best = next;
}

void FastFinder::collect(std::size_t index, MoveKind kind, Scratch& scratch) const {
  const Movable& movable = movable_[index];
  const double limit = scratch.best.score;
  if (bounds_.lowest(index, kind) > limit) return;
  set_source_changes(index, kind, scratch);
  const auto add = [&](std::size_t position) {
    if (!has_room(movable, kind, position)) return;
    const double bound = candidate_bound(index, kind, position, scratch);
    if (bound > limit) return;
    scratch.candidates.push_back(
        {bound, kind, kind == Failover ? NodeId() : layout_.targets[position], position});
  };
  if (kind == Failover) {
    add(0);
    return;
  }
  mark_shared(movable, kind, scratch);
  for (const std::size_t position : scratch.shared) add(position);
  const SourcePlace& place = places_[index];
  const double* row = bounds_.row(place.amounts, kind, movable.source.relaxed[index_of(kind)]);
  const double most = limit - bounds_.base(index, kind);
  for (std::size_t t = 0; t < layout_.targets.size(); ++t) {
    if (row[t] > most || scratch.is_shared[t] != 0) continue;
    if (static_cast<std::int32_t>(t) == place.primary ||
        static_cast<std::int32_t>(t) == place.secondary)
      continue;
    add(t);
  }
}

void FastFinder::search_instance(std::size_t index, Scratch& scratch) const {
  scratch.candidates.clear();
  for (const MoveKind kind : {Failover, FailoverToAny, ReplaceSecondary, ReplaceAndFailover,
                              ReplacePrimary, FailoverAndReplace}) {
    collect(index, kind, scratch);
  }
  auto& candidates = scratch.candidates;
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.bound < b.bound; });
  for (const Candidate& candidate : candidates) {
    if (candidate.bound > scratch.best.score) break;
    confirm(movable_[index].id, candidate, scratch);
  }
}

void FastFinder::search_range(std::size_t begin, std::size_t end, Scratch& scratch) const {
  auto& queue = scratch.queue;
  queue.clear();
  for (std::size_t i = begin; i < end; ++i) {
    if (places_[i].amounts < 0) continue;
    const double bound = bounds_.lowest(i);
    if (bound <= scratch.best.score) queue.emplace_back(bound, i);
  }
  const auto later = [](const auto& a, const auto& b) { return a > b; };
  std::make_heap(queue.begin(), queue.end(), later);
  while (!queue.empty() && queue.front().first <= scratch.best.score) {
    search_instance(queue.front().second, scratch);
    std::pop_heap(queue.begin(), queue.end(), later);
    queue.pop_back();
  }
}

void FastFinder::search_irregular(double current, Best& best) const {
  for (const Movable& movable : movable_) {
    if (!movable.source.is_considered || !movable.source.is_irregular) continue;
    StepChoice choice;
    double score = current;
    plain_.consider_all(movable.id, choice, score);
    if (choice.kind != StepChoice::Kind::Found) continue;
    const auto position =
        choice.move.target.is_none() ? 0 : layout_.position[choice.move.target.index()];
    const Best next{choice, order_of(choice.move.kind, static_cast<std::size_t>(position)), score};
    if (is_before(next, best)) best = next;
  }
}

// Space beyond a unit's total is used up first and does not show in the fractions.
bool FastFinder::has_excess() const {
  if (!cluster_.has_storage) return false;
  return std::any_of(layout_.targets.begin(), layout_.targets.end(), [&](NodeId node) {
    const auto& capacities = state_[node].capacities;
    return std::any_of(capacities.begin(), capacities.end(), [](const Capacity& c) {
      return c.excess_mib != 0 || c.forth_excess_mib != 0;
    });
  });
}

StepChoice FastFinder::best(double current) {
  if (has_excess()) return plain_.best(current);
  builder_.centre();
  const Arrays& a = builder_.arrays();
  for (std::size_t c = 0; c < layout_.width; ++c) {
    spread_[c] = a.deviations[c].spread;
    factor_[c] = a.deviations[c].factor;
    squeeze_[c] = a.deviations[c].squeeze;
  }
  plain_part_ = sheet_.plain_part();
  const auto count = static_cast<double>(a.count);
  tolerance_ = kUlp * (4 * count + 1024) * (std::abs(current) + std::abs(plain_part_) + 1);
  bounds_.refresh(movable_, places_, plain_part_, current, options_.ignore_soft_errors);
  Best best{{}, 0, current};
  search_irregular(current, best);
  for (Scratch& scratch : scratches_) {
    scratch.best = best;
    scratch.current = current;
  }
  // Each piece leaves out only what its own best beats, so the order of all decides whatever the
  // cut.
  for_pieces(movable_.size(), division_of(options_),
             [&](std::size_t begin, std::size_t end, std::size_t piece) {
               search_range(begin, end, scratches_[piece]);
             });
  for (const Scratch& scratch : scratches_) {
    if (is_before(scratch.best, best)) best = scratch.best;
  }
  return best.choice;
}

}  // namespace ballast::ganeti::fast
