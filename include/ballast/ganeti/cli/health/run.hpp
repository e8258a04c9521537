// SPDX-License-Identifier: BSD-2-Clause
// The run of hcheck: the checks, the simulated rebalancing, the checks again, and what is printed
// of them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ballast/ganeti/cli/health/report.hpp"
#include "ballast/ganeti/cli/options/output.hpp"
#include "ballast/ganeti/cli/options/settings.hpp"
#include "ballast/ganeti/cli/options/start.hpp"
#include "ballast/ganeti/model/snapshot.hpp"
#include "ballast/ganeti/search/redundancy/group_health.hpp"

namespace ballast::ganeti::cli {

class HealthRun {
 public:
  /// Both must outlive the run.
  HealthRun(const Snapshot& snapshot, const Settings& settings);

  /// Says what the reference says and, where storage counts, the tables of units. An exit status
  /// where the reference would have died.
  OrExit<void> report(Output& output);
  /// kFailed where rebalancing is needed, even if the simulation mended everything; kDone without
  /// simulation.
  [[nodiscard]] Exit status() const;

  // Valid after report().
  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }
  [[nodiscard]] const std::vector<GroupHealth>& initial() const { return initial_; }
  [[nodiscard]] const std::vector<GroupHealth>& final() const { return final_; }
  [[nodiscard]] bool needs_rebalancing() const { return needs_rebalancing_; }
  /// None: nothing was simulated.
  [[nodiscard]] const std::optional<Rebalancing>& rebalancing() const { return rebalancing_; }

 private:
  [[nodiscard]] bool is_silent() const;
  OrExit<void> say_initial(Output& output);
  OrExit<void> say_final(Output& output);
  void say_groups(std::span<const GroupHealth> groups, Stage stage, Output& output) const;
  [[nodiscard]] int fail_as_incomplete(Output& output) const;
  [[nodiscard]] std::string unit_tables() const;

  const Snapshot& snapshot_;
  const Settings& settings_;
  std::vector<Part> parts_;
  std::vector<GroupHealth> initial_;
  std::vector<GroupHealth> final_;
  std::optional<Rebalancing> rebalancing_;
  bool needs_rebalancing_ = false;
};

}  // namespace ballast::ganeti::cli
