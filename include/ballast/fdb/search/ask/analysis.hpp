// SPDX-License-Identifier: BSD-2-Clause
// The state of a cluster on one screen.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ballast/fdb/search/simulate/simulate.hpp"

namespace ballast::fdb {

struct ClassHealth {
  ProcessClass process_class = ProcessClass::Unset;
  int wanted = 0;
  int groups = 0;     ///< that are not marked
  int leaving = 0;    ///< marked for removal
  int unhealthy = 0;  ///< not marked, with a condition
  int zones = 0;      ///< of the groups that are not marked
  std::optional<std::int64_t> stored_bytes;
};

/// A group that the database was told to empty and that is there still.
struct RunningExclusion {
  std::string id;
  bool is_marked = true;
  bool is_complete = false;  ///< no role is left on it; needs a status document
  std::optional<std::int64_t> bytes_left;
};

struct TerminatingResource {
  std::string id;
  std::string what;  ///< "pod", "volume claim"
  std::optional<Time> since;
  bool is_stuck = false;  ///< for longer than the operator waits for it
};

struct Analysis {
  bool is_known = false;  ///< a status document was given
  bool is_available = true;
  std::string primary;       ///< data center that the clients write to; empty: not told
  std::string replication;   ///< what it lacks; empty: nothing
  std::string coordinators;  ///< what is wrong with them; empty: nothing
  int coordinators_reachable = 0;
  int coordinators_total = 0;
  std::vector<std::string> left;  ///< what differs from the wish; empty: reconciled
  std::size_t steps = 0;          ///< that the operator would make
  std::vector<std::string> blocked;
  std::vector<std::string> unhealthy;  ///< "storage-1: MissingProcesses, PodPending"
  std::vector<ClassHealth> classes;    ///< of classes that are wanted or there
  std::vector<RunningExclusion> exclusions;
  std::vector<TerminatingResource> terminating;
  std::string maintenance_zone;

  /// Nothing to do and nothing to worry about.
  [[nodiscard]] bool is_well() const {
    return is_available && replication.empty() && coordinators.empty() && left.empty() &&
           steps == 0 && blocked.empty() && unhealthy.empty() && exclusions.empty() &&
           terminating.empty() && maintenance_zone.empty();
  }
};

Analysis analyse(const Cluster& snapshot, const ClusterSpec& desired, const PlanOptions& options);

}  // namespace ballast::fdb
