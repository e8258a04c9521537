// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string_view>

namespace ballast::fdb {

/// What a redundancy mode asks for. Unknown modes count as `single`.
struct Redundancy {
  int fault_tolerance = 0;  ///< F: zones that may fail
  int minimum_domains = 1;  ///< zones that must exist
  int replicas = 1;         ///< copies within one region
  int default_logs = 3;
  bool is_three_data_hall = false;
};

/// An empty mode is `double`.
Redundancy redundancy_of(std::string_view mode);
bool is_known_redundancy_mode(std::string_view mode);
/// Minimum domains + F; 9 with several regions or three data halls.
int coordinator_count(const Redundancy& redundancy, int usable_regions);

}  // namespace ballast::fdb
