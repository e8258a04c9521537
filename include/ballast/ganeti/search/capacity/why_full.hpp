// SPDX-License-Identifier: BSD-2-Clause
// Why no node takes one more instance: the rule that each one meets, and for global N+1 the node
// that could not be emptied any more, of which instance, and whether that was so before.
#pragma once

#include <string>
#include <vector>

#include "ballast/ganeti/search/capacity/capacity.hpp"

namespace ballast::ganeti {

struct FullNode {
  NodeId primary;
  NodeId secondary;  ///< none: the primary refuses, or there is no other node
  /// GlobalNPlusOne: `node` is the one that could not be emptied, `wanted` the stuck one's memory.
  Refusal refusal;
  std::string stuck_instance;  ///< GlobalNPlusOne; NPlusOne of a run that tried nothing
  bool is_stuck_new = false;   ///< that instance is one of those that the run placed
  bool was_so_before = false;  ///< the same node could not be emptied before anything was placed
  bool gets_worse = false;     ///< and, with no_worse, would leave one more without a place
};

}  // namespace ballast::ganeti
