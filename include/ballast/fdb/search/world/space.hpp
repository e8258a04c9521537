// SPDX-License-Identifier: BSD-2-Clause
// Room on the disks of the simulated database.
#pragma once

#include <string>
#include <vector>

#include "ballast/fdb/search/world/world.hpp"

namespace ballast::fdb {

/// Refusal of an exclude for lack of room.
struct SpaceCheck {
  bool is_refused = false;
  bool is_checked = false;
  double ratio_a = 0;  ///< refused above 0.9
  double ratio_b = 0;  ///< refused at or below 0.1
  double utilisation = 0;
  double room = 0;  ///< bytes of the disks that keep data: in use and free
  int processes = 0;
  int excluded = 0;
  std::vector<std::string> numbers;  ///< for people
};
SpaceCheck check_space(const World& world, const std::vector<const Member*>& leaving);
/// After the data of `leaving` has moved away: the stored bytes lie evenly on the rest.
void spread_data(World& world);

}  // namespace ballast::fdb
