// SPDX-License-Identifier: BSD-2-Clause
// All pods have new addresses and the database is not there: the connection string that names the
// coordinators where they are now, and what a person does with it.
#pragma once

#include <string>
#include <vector>

#include "ballast/fdb/model/cluster.hpp"
#include "ballast/plan/plan.hpp"

namespace ballast::fdb {

struct FixedCoordinator {
  std::string before;  ///< address in the connection string
  std::string group;   ///< empty: of no group of this object
  std::string after;   ///< the same as before where nothing better is known
};

struct FixedAddresses {
  std::string before;  ///< connection strings
  std::string after;
  std::vector<FixedCoordinator> coordinators;
  std::vector<plan::Remedy> steps;  ///< in order; empty where the strings are equal

  [[nodiscard]] bool changes() const { return before != after; }
};

/// Needs a connection string that can be read, and pods. A coordinator is told by the address that
/// the status of its group names; the pod says what it is now.
FixedAddresses fix_addresses(const Cluster& cluster);

}  // namespace ballast::fdb
