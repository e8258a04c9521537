// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/score/tag_pairs.hpp"

#include "ballast/ganeti/model/tag_conflicts.hpp"

namespace ballast::ganeti {

std::int64_t TagPairs::add(const Pair& pair, std::int64_t by) {
  if (by == 0) return 0;
  std::int64_t& times = times_[pair];
  const std::int64_t change = conflict_change(times, by);
  times += by;
  total_ += by;
  return change;
}

void TagPairs::change(const Times& before, const Times& after) {
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

std::int64_t TagPairs::change_by(const TagPairs& changes) const {
  std::int64_t change = 0;
  for (const auto& [pair, by] : changes.times_) {
    const auto known = times_.find(pair);
    change += conflict_change(known == times_.end() ? 0 : known->second, by);
  }
  return change;
}

}  // namespace ballast::ganeti
