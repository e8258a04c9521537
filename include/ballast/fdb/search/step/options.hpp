// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <optional>

namespace ballast::fdb {

/// Which flow is planned: the operator of release 2.33, or the flow of the first design document.
enum class Profile : std::uint8_t { Today, Seed };

/// Flags of the operator's own process that change its answers; values are its defaults, times in
/// seconds.
struct OperatorFlags {
  std::int64_t recovery_for_exclusion = 120;
  std::int64_t recovery_for_inclusion = 600;
  std::int64_t uptime_for_undesired_coordinator = 300;
  std::int64_t uptime_for_missing_coordinator = 120;
  std::int64_t uptime_for_configuration = 60;
  std::int64_t terminal_pod_age = 30;
  std::optional<double> high_run_loop_busy;
  bool replace_on_security_context = false;
  bool recovery_state = true;
  bool restart_incompatible = true;
};

/// How the numbers of new groups are told. Both show the lowest free ones; the note says from what
/// the operator draws.
enum class NewIds : std::uint8_t { Lowest, RandomNote };

struct PlanOptions {
  Profile profile = Profile::Today;
  OperatorFlags flags;
  bool assume_healthy = false;
  bool allow_unsafe = false;
  bool existing_zones = false;  ///< new pods land in the zone with the fewest groups of their class
  NewIds ids = NewIds::Lowest;
  bool runs_every_step = false;  ///< no shortcut through quiet passes: for tests of the shortcut
  std::optional<int> max_passes;
  std::optional<double> rate_mib;  ///< of one transfer
  int parallel = 1;
};

}  // namespace ballast::fdb
