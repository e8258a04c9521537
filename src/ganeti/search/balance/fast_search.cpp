// SPDX-License-Identifier: BSD-2-Clause
// One step: the bounds brought up to date, and what they leave looked at, lowest bound first.
#include <algorithm>
#include <cmath>
#include <limits>

#include "fast_finder.hpp"

namespace ballast::ganeti::fast {

namespace {

using enum MoveKind;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kUlp = std::numeric_limits<double>::epsilon() / 2;
constexpr std::array kAllKinds{Failover,           FailoverToAny,  ReplaceSecondary,
                               ReplaceAndFailover, ReplacePrimary, FailoverAndReplace};
/// What looking at one instance's row costs besides its entries, in entries.
constexpr std::size_t kWorkOfEntry = 64;
/// What the bound of one candidate costs.
constexpr std::size_t kWorkOfCandidate = 32;
/// What rebuilding costs for one kind of move of one instance, in entries.
constexpr std::size_t kWorkOfRebuild = 8;
/// After so many candidates that are no better, others are confirmed together.
constexpr std::size_t kFewEquals = 4;
constexpr std::size_t kMostWaiting = 4 * ScoreSheet::kTogether;
/// Instances that are read; below, another thread costs more than it saves.
constexpr std::size_t kLeastPerThread = 8;

}  // namespace

void FastFinder::set_block(Block& block) const {
  for (const MoveKind kind : kAllKinds) {
    const double* own = bounds_.own(kind);
    block.least[index_of(kind)] = smallest(own + block.begin, block.end - block.begin);
  }
}

void FastFinder::rebuild(double current) {
  team_.divide(changed_.size(), kLeastPerThread,
               [&](std::size_t begin, std::size_t end, std::size_t member) {
                 for (std::size_t i = begin; i < end; ++i)
                   read_source(changed_[i], scratch_[member]);
               });
  count_irregular();
  builder_.centre();
  bounds_.rebuild(movable_, places_, plain_part_, current, options_.ignore_soft_errors);
  for (Block& block : blocks_) set_block(block);
  changed_.clear();
  is_stale_ = false;
  usual_work_ = excess_work_ = 0;
}

// Only what the last moves have changed.
void FastFinder::follow() {
  std::vector<std::size_t> targets = builder_.follow();
  for (std::size_t& target : targets) target /= kTargetBlock;
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  std::atomic<std::size_t> next_box = 0;
  const auto work = [&](std::size_t begin, std::size_t end, std::size_t member) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t index = changed_[i];
      read_source(index, scratch_[member]);
      bounds_.update_source(movable_[index], places_[index], index, member);
    }
    while (true) {
      const std::size_t box = next_box.fetch_add(1, std::memory_order_relaxed);
      if (box >= layout_.boxes.size()) return;
      bounds_.update_box(box, targets, member);
    }
  };
  team_.divide(changed_.size(), kLeastPerThread, work);
  count_irregular();
  set_changed_blocks();
  changed_.clear();
  is_stale_ = bounds_.is_incomplete();
}

void FastFinder::set_changed_blocks() {
  std::size_t last = blocks_.size();
  for (const std::size_t index : changed_) {
    if (block_of_[index] != last) set_block(blocks_[block_of_[index]]);
    last = block_of_[index];
  }
}

void FastFinder::refresh(double current) {
  plain_part_ = sheet_.plain_part();
  if (!is_stale_) follow();
  if (is_stale_) rebuild(current);
  const Arrays& a = builder_.arrays();
  for (std::size_t c = 0; c < layout_.width; ++c) {
    spread_[c] = a.deviations[c].spread;
    factor_[c] = a.deviations[c].factor;
    squeeze_[c] = a.deviations[c].squeeze;
    shift_[c] = a.deviations[c].shift;
  }
  const auto count = static_cast<double>(a.count);
  tolerance_ = kUlp * (4 * count + 1024) * (std::abs(current) + std::abs(plain_part_) + 1);
  bounds_.set_constants(plain_part_, current);
}

// Chords that were laid for other deviations leave more to look at. Once that has cost what laying
// them anew costs, they are.
void FastFinder::note_work(std::size_t work) {
  if (usual_work_ == 0 || work < usual_work_) usual_work_ = work;
  excess_work_ += work - usual_work_;
  if (excess_work_ > movable_.size() * kKinds * kWorkOfRebuild) is_stale_ = true;
}

void FastFinder::collect(const Entry& entry, Scratch& scratch) const {
  const std::size_t index = entry.index;
  const MoveKind kind = entry.kind;
  const Movable& movable = movable_[index];
  set_source_changes(index, kind, scratch);
  const auto add = [&](std::size_t position) {
    if (!has_room(movable, kind, position)) return;
    scratch.work += kWorkOfCandidate;
    const double bound = candidate_bound(index, kind, position, scratch);
    if (bound > limit_.load(std::memory_order_relaxed)) return;
    scratch.candidates.push_back(
        {bound, kind, kind == Failover ? NodeId() : layout_.targets[position], position});
  };
  scratch.work += kWorkOfEntry;
  if (kind == Failover) {
    add(0);
    return;
  }
  mark_shared(movable, kind, scratch);
  for (const std::size_t position : scratch.shared) add(position);
  const SourcePlace& place = places_[index];
  const Bounds::Row row =
      bounds_.row(blocks_[block_of_[index]].box, kind, movable.source.relaxed[index_of(kind)]);
  const double base = bounds_.base(index, kind);
  const std::size_t count = layout_.targets.size();
  for (std::size_t t0 = 0; t0 < count; t0 += kTargetBlock) {
    const double most = limit_.load(std::memory_order_relaxed) - base;
    if (row.blocks[t0 / kTargetBlock] > most) continue;
    scratch.work += kTargetBlock;
    const std::size_t end = std::min(count, t0 + kTargetBlock);
    for (std::size_t t = t0; t < end; ++t) {
      if (row.entries[t] > most || scratch.is_shared[t] != 0) continue;
      if (static_cast<std::int32_t>(t) == place.primary ||
          static_cast<std::int32_t>(t) == place.secondary)
        continue;
      add(t);
    }
  }
}

// The target that the row puts first, so that the others meet a limit that is worth something.
void FastFinder::try_first(const Entry& entry, Scratch& scratch) {
  const Movable& movable = movable_[entry.index];
  const SourcePlace& place = places_[entry.index];
  const double* row = bounds_
                          .row(blocks_[block_of_[entry.index]].box, entry.kind,
                               movable.source.relaxed[index_of(entry.kind)])
                          .entries;
  std::size_t first = layout_.targets.size();
  double least = kInfinity;
  for (std::size_t t = 0; t < layout_.targets.size(); ++t) {
    if (!(row[t] < least) || static_cast<std::int32_t>(t) == place.primary ||
        static_cast<std::int32_t>(t) == place.secondary)
      continue;
    least = row[t];
    first = t;
  }
  if (first < layout_.targets.size() && has_room(movable, entry.kind, first))
    confirm(movable.id, {least, entry.kind, layout_.targets[first], first}, scratch);
}

void FastFinder::search_entry(const Entry& entry, Scratch& scratch) {
  if (limit_.load(std::memory_order_relaxed) == current_ && entry.kind != Failover)
    try_first(entry, scratch);
  auto& candidates = scratch.candidates;
  candidates.clear();
  collect(entry, scratch);
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.bound < b.bound; });
  for (const Candidate& candidate : candidates) {
    if (candidate.bound > limit_.load(std::memory_order_relaxed)) break;
    if (scratch.equals < kFewEquals) {
      confirm(movable_[entry.index].id, candidate, scratch);
      continue;
    }
    scratch.waiting.emplace_back(movable_[entry.index].id, candidate);
    if (scratch.waiting.size() == kMostWaiting) confirm_waiting(scratch);
  }
}

void FastFinder::open_block(const Entry& entry) {
  const Block& block = blocks_[entry.index];
  const double* own = bounds_.own(entry.kind);
  const double constant = bounds_.constant(entry.kind);
  const double least[2] = {constant + bounds_.least(block.box, entry.kind, false),
                           constant + bounds_.least(block.box, entry.kind, true)};
  for (std::size_t i = block.begin; i < block.end; ++i) {
    if (own[i] == kInfinity) continue;
    const double bound = own[i] + least[movable_[i].source.relaxed[index_of(entry.kind)] ? 1 : 0];
    if (bound <= limit_.load(std::memory_order_relaxed))
      instances_.push_back({bound, entry.kind, i});
  }
}

void FastFinder::find_blocks() {
  open_blocks_.clear();
  std::int32_t box = -1;
  std::array<double, kKinds> others;  // what is not the block's own
  const double limit = limit_.load(std::memory_order_relaxed);
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    if (blocks_[b].box != box) {
      box = blocks_[b].box;
      for (const MoveKind kind : kAllKinds)
        others[index_of(kind)] = bounds_.constant(kind) + bounds_.least(box, kind);
    }
    for (const MoveKind kind : kAllKinds) {
      const double bound = others[index_of(kind)] + blocks_[b].least[index_of(kind)];
      if (bound <= limit) open_blocks_.push_back({bound, kind, b});
    }
  }
}

void FastFinder::look_at_instances() {
  std::sort(instances_.begin(), instances_.end());
  std::atomic<std::size_t> next = 0;
  const auto look = [&](std::size_t member) {
    while (true) {
      const std::size_t i = next.fetch_add(1, std::memory_order_relaxed);
      if (i >= instances_.size() || instances_[i].bound > limit_.load(std::memory_order_relaxed))
        break;
      search_entry(instances_[i], scratch_[member]);
    }
    confirm_waiting(scratch_[member]);
  };
  instances_.size() < 2 ? look(0) : team_.run(look);
  instances_.clear();
}

// The block with the lowest bound first: what it has to offer rules out most of the others.
void FastFinder::search() {
  find_blocks();
  if (open_blocks_.empty()) return;
  const auto first = std::min_element(open_blocks_.begin(), open_blocks_.end());
  open_block(*first);
  look_at_instances();
  *first = open_blocks_.back();
  open_blocks_.pop_back();
  for (const Entry& block : open_blocks_) {
    if (block.bound <= limit_.load(std::memory_order_relaxed)) open_block(block);
  }
  look_at_instances();
}

}  // namespace ballast::ganeti::fast
