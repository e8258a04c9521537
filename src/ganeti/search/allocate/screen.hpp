// SPDX-License-Identifier: BSD-2-Clause
// The best of many candidates whose exact scores are sums over all nodes: incremental scores, and
// how far they can be off, tell which few can be the best at all.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "ballast/ganeti/score/running.hpp"

namespace ballast::ganeti::alloc {

class Screen {
 public:
  void offer(std::size_t candidate, Running::Estimate of);
  /// Offers above it are dropped: some candidate's exact score is not above.
  [[nodiscard]] double limit() const { return limit_; }
  /// All that can have the least exact score, in the order in which they were offered. Nothing
  /// where some score is not finite or has no finite error bound: every candidate has to be looked
  /// at then.
  [[nodiscard]] std::optional<std::vector<std::size_t>> finalists();

 private:
  struct Entry {
    std::size_t candidate;
    double lowest;  ///< its exact score is not below
  };
  void drop_hopeless();

  static constexpr std::size_t kFirstCleaning = 64;
  bool is_blind_ = false;
  std::vector<Entry> entries_;
  std::size_t next_cleaning_ = kFirstCleaning;
  double limit_ = std::numeric_limits<double>::infinity();
};

}  // namespace ballast::ganeti::alloc
