// SPDX-License-Identifier: BSD-2-Clause
// How many there are of each key: what nodes count of tags and of rules.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ballast::ganeti {

/// Counters are sorted by key.
template <class Key>
using Counters = std::vector<std::pair<Key, std::int64_t>>;

template <class Key>
auto counter_place(Counters<Key>& counters, const Key& key) {
  return std::lower_bound(
      counters.begin(), counters.end(), key,
      [](const auto& entry, const Key& wanted) { return entry.first < wanted; });
}

/// All keys at once, in time n log n of both: an instance may have very many tags.
template <class Key>
void count_up(Counters<Key>& counters, const std::vector<Key>& keys) {
  const auto known = static_cast<std::ptrdiff_t>(counters.size());
  const auto by_key = [](const auto& one, const auto& other) { return one.first < other.first; };
  std::vector<Key> added;
  for (const Key& key : keys) {
    const auto place = counter_place(counters, key);
    if (place != counters.end() && place->first == key) {
      ++place->second;
    } else {
      added.push_back(key);
    }
  }
  if (added.empty()) return;
  std::sort(added.begin(), added.end());
  for (const Key& key : added) {
    if (static_cast<std::ptrdiff_t>(counters.size()) > known && counters.back().first == key) {
      ++counters.back().second;
    } else {
      counters.emplace_back(key, 1);
    }
  }
  std::inplace_merge(counters.begin(), counters.begin() + known, counters.end(), by_key);
}

/// An entry goes when its count would reach zero; one that is not there is no error.
template <class Key>
void count_down(Counters<Key>& counters, const std::vector<Key>& keys) {
  bool some_go = false;
  for (const Key& key : keys) {
    const auto place = counter_place(counters, key);
    if (place == counters.end() || place->first != key || place->second == 0) continue;
    some_go = --place->second <= 0 || some_go;
  }
  if (some_go) std::erase_if(counters, [](const auto& entry) { return entry.second <= 0; });
}

}  // namespace ballast::ganeti
