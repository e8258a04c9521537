// SPDX-License-Identifier: BSD-2-Clause
// The reference's sort, which matters where NaN makes the order inconsistent: a stable bottom-up
// merge sort that only asks "is a greater than b".
#pragma once

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace ballast::ganeti {

/// Less and equal are what they are; everything else, so every comparison with NaN, counts as
/// greater.
inline bool is_greater(double a, double b) { return !(a < b) && !(a == b); }

template <class T, class Greater>
std::vector<std::vector<T>> sorted_runs(std::vector<T>& items, Greater greater) {
  std::vector<std::vector<T>> runs;
  std::size_t begin = 0;
  while (begin < items.size()) {
    std::size_t end = begin + 1;
    const bool is_descending = end < items.size() && greater(items[begin], items[end]);
    while (end < items.size() && greater(items[end - 1], items[end]) == is_descending) ++end;
    const auto first = items.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = items.begin() + static_cast<std::ptrdiff_t>(end);
    if (is_descending) std::reverse(first, last);
    runs.emplace_back(std::make_move_iterator(first), std::make_move_iterator(last));
    begin = end;
  }
  return runs;
}

template <class T, class Greater>
std::vector<T> merged_runs(std::vector<T>& a, std::vector<T>& b, Greater greater) {
  std::vector<T> result;
  result.reserve(a.size() + b.size());
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    const bool take_right = greater(a[i], b[j]);
    result.push_back(std::move(take_right ? b[j++] : a[i++]));
  }
  std::move(a.begin() + static_cast<std::ptrdiff_t>(i), a.end(), std::back_inserter(result));
  std::move(b.begin() + static_cast<std::ptrdiff_t>(j), b.end(), std::back_inserter(result));
  return result;
}

template <class T, class Greater>
void reference_sort(std::vector<T>& items, Greater greater) {
  std::vector<std::vector<T>> runs = sorted_runs(items, greater);
  while (runs.size() > 1) {
    std::vector<std::vector<T>> next;
    for (std::size_t i = 0; i + 1 < runs.size(); i += 2)
      next.push_back(merged_runs(runs[i], runs[i + 1], greater));
    if (runs.size() % 2 == 1) next.push_back(std::move(runs.back()));
    runs = std::move(next);
  }
  if (!runs.empty()) items = std::move(runs.front());
}

}  // namespace ballast::ganeti
