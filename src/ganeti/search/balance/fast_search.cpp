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
/// What rebuilding costs for one kind of move of one instance, in entries.
constexpr std::size_t kWorkOfRebuild = 8;

}  // namespace

void FastFinder::set_block(Block& block) const {
  for (const MoveKind kind : kAllKinds) {
    const double* own = bounds_.own(kind);
    block.least[index_of(kind)] = *std::min_element(own + block.begin, own + block.end);
  }
}

void FastFinder::rebuild(double current) {
  builder_.centre();
  bounds_.rebuild(movable_, places_, plain_part_, current, options_.ignore_soft_errors);
  for (Block& block : blocks_) set_block(block);
  changed_.clear();
  is_stale_ = false;
  usual_work_ = excess_work_ = 0;
}

// Only what the last moves have changed.
void FastFinder::follow() {
  std::size_t last = layout_.targets.size();
  for (const std::size_t target : builder_.follow()) {
    if (last == layout_.targets.size() || last / kTargetBlock != target / kTargetBlock)
      bounds_.update_target(target);
    last = target;
  }
  for (const std::size_t index : changed_)
    bounds_.update_source(movable_[index], places_[index], index);
  for (const std::size_t index : changed_) set_block(blocks_[block_of_[index]]);
  changed_.clear();
  is_stale_ = bounds_.is_incomplete();
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
  const double limit = scratch.best.score;
  set_source_changes(index, kind, scratch);
  const auto add = [&](std::size_t position) {
    if (!has_room(movable, kind, position)) return;
    const double bound = candidate_bound(index, kind, position, scratch);
    if (bound > limit) return;
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
  const double most = limit - bounds_.base(index, kind);
  const std::size_t count = layout_.targets.size();
  for (std::size_t t0 = 0; t0 < count; t0 += kTargetBlock) {
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
void FastFinder::try_first(const Entry& entry, Scratch& scratch) const {
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

void FastFinder::search_entry(const Entry& entry, Scratch& scratch) const {
  if (scratch.best.choice.kind == StepChoice::Kind::None && entry.kind != Failover)
    try_first(entry, scratch);
  auto& candidates = scratch.candidates;
  candidates.clear();
  collect(entry, scratch);
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.bound < b.bound; });
  for (const Candidate& candidate : candidates) {
    if (candidate.bound > scratch.best.score) break;
    confirm(movable_[entry.index].id, candidate, scratch);
  }
}

void FastFinder::open_block(const Entry& entry, Scratch& scratch) const {
  const Block& block = blocks_[entry.index];
  const double* own = bounds_.own(entry.kind);
  const double constant = bounds_.constant(entry.kind);
  const double least[2] = {constant + bounds_.least(block.box, entry.kind, false),
                           constant + bounds_.least(block.box, entry.kind, true)};
  for (std::size_t i = block.begin; i < block.end; ++i) {
    if (own[i] == kInfinity) continue;
    const double bound = own[i] + least[movable_[i].source.relaxed[index_of(entry.kind)] ? 1 : 0];
    if (bound <= scratch.best.score) scratch.instances.push_back({bound, entry.kind, i});
  }
}

// The block with the lowest bound first: what it has to offer rules out most of the others.
void FastFinder::search(Scratch& scratch) const {
  auto& blocks = scratch.blocks;
  auto& instances = scratch.instances;
  scratch.work = 0;
  blocks.clear();
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    for (const MoveKind kind : kAllKinds) {
      const double own = blocks_[b].least[index_of(kind)];
      if (own == kInfinity) continue;
      const double bound = bounds_.constant(kind) + bounds_.least(blocks_[b].box, kind) + own;
      if (bound <= scratch.best.score) blocks.push_back({bound, kind, b});
    }
  }
  if (blocks.empty()) return;
  const auto look = [&] {
    std::sort(instances.begin(), instances.end());
    for (const Entry& entry : instances) {
      if (entry.bound > scratch.best.score) break;
      search_entry(entry, scratch);
    }
    instances.clear();
  };
  const auto first = std::min_element(blocks.begin(), blocks.end());
  open_block(*first, scratch);
  look();
  *first = blocks.back();
  blocks.pop_back();
  for (const Entry& block : blocks) {
    if (block.bound <= scratch.best.score) open_block(block, scratch);
  }
  look();
}

}  // namespace ballast::ganeti::fast
