// SPDX-License-Identifier: BSD-2-Clause
#include "screen.hpp"

#include <algorithm>
#include <cmath>

namespace ballast::ganeti::alloc {

void Screen::offer(std::size_t candidate, Running::Estimate of) {
  const auto [score, error] = of;
  if (!std::isfinite(score) || !std::isfinite(error)) {
    is_blind_ = true;
    return;
  }
  if (score - error > limit_) return;
  limit_ = std::min(limit_, score + error);
  entries_.push_back({candidate, score - error});
  if (entries_.size() < next_cleaning_) return;
  drop_hopeless();
  next_cleaning_ = std::max(kFirstCleaning, 2 * entries_.size());
}

void Screen::drop_hopeless() {
  std::erase_if(entries_, [&](const Entry& entry) { return entry.lowest > limit_; });
}

std::optional<std::vector<std::size_t>> Screen::finalists() {
  if (is_blind_) return std::nullopt;
  drop_hopeless();
  std::vector<std::size_t> result;
  for (const Entry& entry : entries_) result.push_back(entry.candidate);
  return result;
}

}  // namespace ballast::ganeti::alloc
