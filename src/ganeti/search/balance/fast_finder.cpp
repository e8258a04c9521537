// SPDX-License-Identifier: BSD-2-Clause
#include "fast_finder.hpp"

#include "ballast/ganeti/moves/ends.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace ballast::ganeti::fast {

namespace {

using enum MoveKind;

bool is_before(const Best& a, const Best& b) {
  if (a.choice.kind != b.choice.kind) return a.choice.kind == StepChoice::Kind::Found;
  if (a.score != b.score) return a.score < b.score;
  if (a.choice.instance != b.choice.instance) return a.choice.instance < b.choice.instance;
  return a.order < b.order;
}

constexpr std::size_t kMostInBlock = 32;

/// Instances: below, a thread costs more than it saves.
constexpr std::size_t kLeastPerThread = 1500;

std::size_t count_movable(const Cluster& cluster, const Part& part) {
  return static_cast<std::size_t>(std::count_if(
      part.instances.begin(), part.instances.end(),
      [&](InstanceId id) { return cluster[id].is_movable && cluster[id].auto_balance; }));
}

std::size_t threads_for(const Cluster& cluster, const Part& part, const BalanceOptions& options) {
  return std::clamp<std::size_t>(count_movable(cluster, part) / kLeastPerThread, 1,
                                 static_cast<std::size_t>(std::max(1, options.threads)));
}

}  // namespace

FastFinder::FastFinder(const Cluster& cluster, const State& state, const Part& part,
                       const BalanceOptions& options)
    : cluster_(cluster),
      state_(state),
      options_(options),
      team_(threads_for(cluster, part, options)),
      layout_(make_layout(cluster, state, part)),
      sheet_(cluster, state, part.nodes),
      plain_(cluster, state, part, options, &sheet_),
      builder_(cluster, state, layout_),
      reader_(cluster, state, options, layout_),
      movable_of_(cluster.instances.size(), -1),
      bounds_(layout_, builder_.arrays(), count_movable(cluster, part), team_),
      scratch_(team_.size()) {
  for (const InstanceId id : part.instances) {
    if (layout_.class_of[id.index()] >= 0) movable_.push_back({id, {}});
  }
  make_blocks();
  places_.resize(movable_.size(), {0, 0, -1});
  spread_.resize(layout_.width);
  factor_.resize(layout_.width);
  squeeze_.resize(layout_.width);
  shift_.resize(layout_.width);
  candidate_job_ = {layout_.width, spread_.data(), factor_.data(), squeeze_.data(),
                    nullptr,       nullptr,        nullptr};
  for (Scratch& scratch : scratch_) {
    scratch.is_shared.resize(layout_.targets.size());
    scratch.source.resize(layout_.width);
    scratch.source_delta.resize(layout_.width);
  }
  changed_.resize(movable_.size());
  std::iota(changed_.begin(), changed_.end(), std::size_t{0});
}

void FastFinder::make_blocks() {
  const auto box = [&](const Movable& movable) {
    return layout_.box_of[static_cast<std::size_t>(layout_.class_of[movable.id.index()])];
  };
  std::stable_sort(movable_.begin(), movable_.end(),
                   [&](const Movable& a, const Movable& b) { return box(a) < box(b); });
  for (std::size_t i = 0; i < movable_.size(); ++i) {
    movable_of_[movable_[i].id.index()] = static_cast<std::int32_t>(i);
    if (blocks_.empty() || blocks_.back().box != box(movable_[i]) ||
        i - blocks_.back().begin == kMostInBlock)
      blocks_.push_back({i, i, box(movable_[i]), {}});
    blocks_.back().end = i + 1;
    block_of_.push_back(blocks_.size() - 1);
  }
}

void FastFinder::read_source(std::size_t index, Scratch& scratch) {
  Movable& movable = movable_[index];
  scratch.irregular -= movable.source.is_irregular ? 1 : 0;
  movable.source = reader_.read(movable.id);
  scratch.irregular += movable.source.is_irregular ? 1 : 0;
  const Placement& placement = state_[movable.id];
  const auto none = static_cast<std::int32_t>(layout_.targets.size());
  const bool is_regular = movable.source.is_considered && !movable.source.is_irregular;
  places_[index] = {
      layout_.position[placement.primary.index()],
      placement.secondary.is_none() ? none : layout_.position[placement.secondary.index()],
      is_regular ? layout_.class_of[movable.id.index()] : -1};
}

void FastFinder::count_irregular() {
  for (Scratch& scratch : scratch_) irregular_ += std::exchange(scratch.irregular, 0);
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
    is_stale_ = true;
    changed_.resize(movable_.size());
    std::iota(changed_.begin(), changed_.end(), std::size_t{0});
    return;
  }
  for (const NodeId node : nodes) {
    for (const auto* list : {&state_[node].forth_primaries, &state_[node].forth_secondaries}) {
      for (const InstanceId id : *list) {
        if (movable_of_[id.index()] >= 0)
          changed_.push_back(static_cast<std::size_t>(movable_of_[id.index()]));
      }
    }
  }
  std::sort(changed_.begin(), changed_.end());
  changed_.erase(std::unique(changed_.begin(), changed_.end()), changed_.end());
}

std::size_t FastFinder::order_of(MoveKind kind, std::size_t position) const {
  return row_of(kind).has_target() ? row_index(kind) + kMoveKinds.size() * position : 0;
}

void FastFinder::lower_limit(double score) {
  double limit = limit_.load(std::memory_order_relaxed);
  while (score < limit && !limit_.compare_exchange_weak(limit, score, std::memory_order_relaxed)) {
  }
}

void FastFinder::confirm(InstanceId instance, const Candidate& candidate, Scratch& scratch) {
  const Move move{candidate.kind, candidate.target};
  const auto effect = evaluate(cluster_, state_, instance, move, options_.ignore_soft_errors);
  if (!effect) return;
  take(instance, candidate, sheet_.total_with(changed_nodes(*effect)), scratch);
}

void FastFinder::take(InstanceId instance, const Candidate& candidate, double score,
                      Scratch& scratch) {
  const bool is_better = score < limit_.load(std::memory_order_relaxed);
  scratch.equals = is_better ? 0 : scratch.equals + 1;
  if (!(score < current_)) return;
  const Best next{{StepChoice::Kind::Found, instance, {candidate.kind, candidate.target}, score},
                  order_of(candidate.kind, candidate.position),
                  score};
  if (is_before(next, scratch.best)) scratch.best = next;
  lower_limit(score);
}

void FastFinder::confirm_waiting(Scratch& scratch) {
  auto& waiting = scratch.waiting;
  std::vector<MoveEffect> effects;
  std::erase_if(waiting, [&](const auto& one) {
    const auto& [instance, candidate] = one;
    auto effect = evaluate(cluster_, state_, instance, {candidate.kind, candidate.target},
                           options_.ignore_soft_errors);
    if (effect) effects.push_back(std::move(*effect));
    return !effect;
  });
  std::size_t i = 0;
  for (; i + ScoreSheet::kTogether <= waiting.size(); i += ScoreSheet::kTogether) {
    ScoreSheet::Together together;
    for (std::size_t k = 0; k < together.size(); ++k) together[k] = changed_nodes(effects[i + k]);
    const auto scores = sheet_.totals_with(together);
    for (std::size_t k = 0; k < together.size(); ++k)
      take(waiting[i + k].first, waiting[i + k].second, scores[k], scratch);
  }
  for (; i < waiting.size(); ++i)
    take(waiting[i].first, waiting[i].second, sheet_.total_with(changed_nodes(effects[i])),
         scratch);
  waiting.clear();
}

void FastFinder::search_irregular(double current, Best& best) const {
  if (irregular_ == 0) return;
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
  refresh(current);
  current_ = current;
  Best best{{}, 0, current};
  search_irregular(current, best);
  limit_ = best.score;
  for (Scratch& scratch : scratch_) {
    scratch.best = best;
    scratch.work = 0;
    scratch.equals = 0;
  }
  search();
  std::size_t work = 0;
  for (const Scratch& scratch : scratch_) {
    work += scratch.work;
    if (is_before(scratch.best, best)) best = scratch.best;
  }
  note_work(work);
  return best.choice;
}

}  // namespace ballast::ganeti::fast
