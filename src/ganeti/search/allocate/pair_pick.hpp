// SPDX-License-Identifier: BSD-2-Clause
// The best secondary of one primary without scoring all: secondaries are tried in the order of a
// lower bound that is nearly the same for every primary, until none that is left can be better.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "pair_bound.hpp"

namespace ballast::ganeti::alloc {

class PairPicker {
 public:
  /// Sums "with some primary". Precondition: the scan is usable, has no locations, and its bound
  /// was prepared in them.
  PairPicker(const PairScan& scan, const Running& reference);

  struct Best {
    std::size_t position;
    double score;
  };
  struct Pick {
    std::optional<Best> best;  ///< of equal scores the last, as among all pairs of the primary
    std::array<std::int64_t, kReasons> failures{};
    std::int64_t successes = 0;
    bool is_sure = true;  ///< false: some score is not finite; scan all
  };
  [[nodiscard]] Pick pick(NodeId primary, const Running& running);

 private:
  void count(std::int8_t status, std::int64_t change, Pick& pick) const;
  void pick_plain(NodeId primary, const Running& running, double offset, double error,
                  Pick& pick) const;
  void pick_exceptions(NodeId primary, const Running& running, double offset, double error,
                       Pick& pick);
  static void offer(std::size_t position, double score, Pick& pick);
  [[nodiscard]] bool is_same(std::size_t a, std::size_t b) const;
  [[nodiscard]] bool is_plain(NodeId primary, std::size_t position) const;

  const PairScan& scan_;
  PairBound bound_;
  Pick all_;  ///< counts over all secondaries as if none were an exception
  /// Secondaries that fit, lowest part of the bound first; those that change the same figures in
  /// the same way have the same score, and of them the last comes first.
  std::vector<std::size_t> order_;
  std::vector<std::size_t> next_kind_;  ///< by place in order_: where the next kind begins
  NodeState scratch_;
};

}  // namespace ballast::ganeti::alloc
