// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>

#include "ballast/ganeti/cli/capacity/report.hpp"
#include "ballast/ganeti/cli/options/output.hpp"
#include "ballast/ganeti/cli/options/settings.hpp"
#include "ballast/ganeti/cli/options/start.hpp"

namespace ballast::ganeti::cli {

/// `units`: of new disks, by group.
CapacityOptions capacity_options(const Cluster& cluster, const Settings& settings,
                                 std::vector<StorageKeyId> units);

/// hspace from the loaded cluster on: each step computes and tells, in the reference's order, so
/// that what was told before a failure stays.
class CapacityPresentation {
 public:
  /// Tells what the cluster consists of. All three must outlive this.
  static OrExit<CapacityPresentation> begin(Snapshot& snapshot, const Settings& settings,
                                            Output& output);
  ~CapacityPresentation();
  CapacityPresentation(CapacityPresentation&&) noexcept;
  CapacityPresentation& operator=(CapacityPresentation&&) noexcept;
  CapacityPresentation(const CapacityPresentation&) = delete;
  CapacityPresentation& operator=(const CapacityPresentation&) = delete;

  /// In very verbose runs: bad nodes and groups, candidates.
  OrExit<void> tell_scope();
  OrExit<void> tell_tiered();
  OrExit<void> tell_standard();
  /// What --thorough and --explain add.
  OrExit<void> tell_more();
  /// The last lines, or the document; the exit status.
  [[nodiscard]] int end();

 private:
  class Impl;
  explicit CapacityPresentation(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace ballast::ganeti::cli
