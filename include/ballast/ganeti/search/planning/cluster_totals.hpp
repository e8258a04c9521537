// SPDX-License-Identifier: BSD-2-Clause
// Sums over all nodes of a cluster, as hspace reports them.
#pragma once

#include <cstdint>

#include "ballast/ganeti/model/cluster.hpp"

namespace ballast::ganeti {

/// Memory and disk in MiB. Whole numbers wrap; doubles are summed in node order.
struct ClusterTotals {
  std::int64_t free_mem = 0;       ///< unallocated
  std::int64_t available_mem = 0;  ///< unallocated and not reserved
  std::int64_t largest_available_mem = 0;
  std::int64_t free_disk = 0;
  std::int64_t available_disk = 0;  ///< above the low-water mark
  std::int64_t largest_available_disk = 0;
  std::int64_t free_spindles = 0;
  std::int64_t inst_mem = 0;
  std::int64_t inst_disk = 0;
  std::int64_t inst_spindles = 0;
  std::int64_t inst_cpus = 0;  ///< the nodes' own included
  std::int64_t overhead_mem = 0;
  double total_mem = 0;
  double total_disk = 0;
  double total_spindles = 0;
  double total_cpus = 0;
  std::int64_t virtual_cpus = 0;  ///< what the policies' ratios allow
  double used_cpus = 0;           ///< inst_cpus in physical ones, by the policies' ratios
  std::int64_t instances = 0;     ///< primaries; forthcoming ones are none
  double score = 0;

  [[nodiscard]] double mem_efficiency() const { return static_cast<double>(inst_mem) / total_mem; }
  [[nodiscard]] double disk_efficiency() const {
    return static_cast<double>(inst_disk) / total_disk;
  }
  [[nodiscard]] double cpu_efficiency() const {
    return static_cast<double>(inst_cpus) / static_cast<double>(virtual_cpus);
  }
  [[nodiscard]] double spindle_efficiency() const {
    return static_cast<double>(inst_spindles) / total_spindles;
  }
};

ClusterTotals cluster_totals(const Cluster& cluster, const State& state);

}  // namespace ballast::ganeti
