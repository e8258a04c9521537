// SPDX-License-Identifier: BSD-2-Clause
#include "pair_pick.hpp"

#include <algorithm>
#include <cmath>

namespace ballast::ganeti::alloc {
namespace {

bool is_same_in(const PairScan::Column& column, std::size_t a, std::size_t b) {
  return !column.is_changed ||
         (column.change[a] == column.change[b] && column.scaled[a] == column.scaled[b]);
}

}  // namespace

PairPicker::PairPicker(const PairScan& scan, const Running& reference)
    : scan_(scan), bound_(scan, reference) {
  const auto& status = scan.status();
  for (std::size_t i = 0; i < status.size(); ++i) {
    count(status[i], 1, all_);
    if (status[i] == PairScan::kFits) order_.push_back(i);
  }
  const std::vector<double>& part = bound_.parts().plain;
  std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
    return part[a] != part[b] ? part[a] < part[b] : a > b;
  });
  next_kind_.resize(order_.size());
  std::size_t end = order_.size();
  for (std::size_t at = order_.size(); at-- > 0;) {
    next_kind_[at] = end;
    if (at > 0 && !is_same(order_[at - 1], order_[at])) end = at;
  }
}

bool PairPicker::is_same(std::size_t a, std::size_t b) const {
  const auto same = [&](const PairScan::Column& column) { return is_same_in(column, a, b); };
  return std::ranges::all_of(scan_.columns(), same);
}

void PairPicker::count(std::int8_t status, std::int64_t change, Pick& pick) const {
  if (status >= 0) pick.failures[static_cast<std::size_t>(status)] += change;
  if (status == PairScan::kFits) pick.successes += change;
}

void PairPicker::offer(std::size_t position, double score, Pick& pick) {
  if (!std::isfinite(score)) pick.is_sure = false;
  const bool is_worse =
      pick.best &&
      (pick.best->score < score || (pick.best->score == score && position < pick.best->position));
  if (!is_worse) pick.best = Best{position, score};
}

bool PairPicker::is_plain(NodeId primary, std::size_t position) const {
  if (scan_.position_of(primary) == static_cast<std::int32_t>(position)) return false;
  const auto exceptions = scan_.exceptions(primary);
  return !std::binary_search(exceptions.begin(), exceptions.end(), position);
}

void PairPicker::pick_plain(NodeId primary, const Running& running, double offset, double error,
                            Pick& pick) const {
  const std::vector<double>& part = bound_.parts().plain;
  for (std::size_t at = 0; at < order_.size();) {
    const std::size_t position = order_[at];
    if (pick.best && offset + part[position] > pick.best->score + error) return;
    if (!is_plain(primary, position)) {
      ++at;
      continue;
    }
    offer(position, scan_.score_of(position, running), pick);
    at = next_kind_[at];
  }
}

void PairPicker::pick_exceptions(NodeId primary, const Running& running, double offset,
                                 double error, Pick& pick) {
  for (const std::size_t position : scan_.exceptions(primary)) {
    if (scan_.position_of(primary) == static_cast<std::int32_t>(position)) continue;
    const std::int8_t usual = scan_.status()[position];
    const std::int8_t status = scan_.place_exception(primary, position, scratch_);
    count(usual, -1, pick);
    count(status, 1, pick);
    if (status != PairScan::kFits) continue;
    const double bound = offset + bound_.parts().exceptions[position];
    if (usual == PairScan::kFits && pick.best && bound > pick.best->score + error) continue;
    offer(position, scan_.score_of_exception(primary, position, scratch_, running), pick);
  }
}

PairPicker::Pick PairPicker::pick(NodeId primary, const Running& running) {
  Pick pick = all_;
  const std::int32_t own = scan_.position_of(primary);
  if (own >= 0) count(scan_.status()[static_cast<std::size_t>(own)], -1, pick);
  const PairBound::Lowest offsets = bound_.offsets(running);
  // Once for the bound and once for the score, both against what exact arithmetic gives.
  const double error = 2 * running.error_of_next();
  pick_plain(primary, running, offsets.plain, error, pick);
  pick_exceptions(primary, running, offsets.exceptions, error, pick);
  return pick;
}

}  // namespace ballast::ganeti::alloc
