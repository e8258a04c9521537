// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/score/tag_pairs.hpp"

#include "ballast/ganeti/model/tag_conflicts.hpp"

namespace ballast::ganeti {

void TagPairs::change(const Times& before, const Times& after) {
  const auto add = [this](const std::pair<TagId, TagId>& pair, std::int64_t by) {
    if (by == 0) return;
    times_[pair] += by;
    total_ += by;
  };
  auto old = before.begin();
  for (const auto& [pair, count] : after) {
    for (; old != before.end() && old->first < pair; ++old) add(old->first, -old->second);
    const bool is_old = old != before.end() && old->first == pair;
    add(pair, is_old ? count - (old++)->second : count);
  }
  for (; old != before.end(); ++old) add(old->first, -old->second);
}

void TagPairs::drop_unused() {
  std::erase_if(times_, [](const auto& one) { return one.second == 0; });
}

std::int64_t TagPairs::conflicts_with(const TagPairs& changes) const {
  std::int64_t conflicts = this->conflicts();
  for (const auto& [pair, by] : changes.times_) {
    const auto known = times_.find(pair);
    conflicts += conflict_change(known == times_.end() ? 0 : known->second, by);
  }
  return conflicts;
}

}  // namespace ballast::ganeti
