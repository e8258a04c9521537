// SPDX-License-Identifier: BSD-2-Clause
// As much of a plan as fits into a window of time, and into what each node may read and write.
#pragma once

#include "ballast/ganeti/search/balance/balance.hpp"

#include <cstdint>
#include <optional>

namespace ballast::ganeti {

struct Window {
  std::optional<std::int64_t> seconds;       ///< needs the rate
  std::optional<double> rate_mib;            ///< MiB/s of one transfer
  std::int64_t parallel = 1;                 ///< transfers at a time
  std::optional<std::int64_t> per_node_mib;  ///< most that a node receives, and most that it sends

  [[nodiscard]] bool is_open() const { return !seconds && !per_node_mib; }
  /// MiB that can be copied within the time at most; none: no limit.
  [[nodiscard]] std::optional<std::int64_t> most_mib() const;
};

/// Leaves out the steps that do not fit; those after them are made where they still can be. What
/// raises the score at the end is left out, too. Moves that are joined stay or go together. The
/// first `settled` steps stay whatever they take, and count.
void fit_into(const Cluster& cluster, const State& start, const Part& part,
              const BalanceOptions& options, const Window& window, BalanceResult& plan,
              std::size_t settled = 0);

/// The least time that the steps take, as plans tell it.
std::int64_t seconds_of(const Cluster& cluster, const std::vector<BalanceStep>& steps,
                        const Window& window);

}  // namespace ballast::ganeti
