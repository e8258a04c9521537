// SPDX-License-Identifier: BSD-2-Clause
// What is known of each process group after one update of the status.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ballast/fdb/search/world/world.hpp"

namespace ballast::fdb {

struct GroupRow {
  std::string id;
  ProcessClass process_class = ProcessClass::Unset;
  std::string domain;
  std::vector<std::string> addresses;
  int reporting = 0;  ///< processes
  int expected = 0;
  std::optional<std::int64_t> stored_bytes;
  std::optional<Time> marked;
  std::optional<Time> excluded;
  bool exclusion_skipped = false;
  bool time_unknown = false;  ///< of the mark
  std::vector<std::pair<Condition, Time>>
      conditions;                  ///< oldest first, then in the order of the enumeration
  std::vector<std::string> flags;  ///< "coordinator", "skipped", "pending-resources"
};

struct GroupTable {
  std::vector<GroupRow> rows;  ///< by ID
  bool is_rebuilt = false;     ///< the snapshot had no status with groups
  std::vector<Remark> disagreements;
  std::vector<std::string> not_recoverable;  ///< only where rebuilt
};

/// `world` is one that update_status has run on.
GroupTable group_table(const World& world);

}  // namespace ballast::fdb
