// SPDX-License-Identifier: BSD-2-Clause
// hbal --since and --keep: what earlier plans moved stays where it is now.
#pragma once

#include "ballast/ganeti/cli/balance/better_plan.hpp"

#include <string>
#include <vector>

namespace ballast::ganeti::cli {

/// Names of the instances that the plans of --since move; with --keep only those of files that are
/// not older than that.
OrExit<std::vector<std::string>> moved_before(const SearchWish& wish, Output& output);

struct HeldSnapshot {
  Snapshot snapshot;              ///< in which the held instances do not move
  std::vector<std::string> held;  ///< their names, in index order
};

/// Instances on offline nodes are not held.
HeldSnapshot hold(const Snapshot& snapshot, const Part& part,
                  const std::vector<std::string>& names);

/// "Held, as an earlier plan moved it: ...", for text and plan.
std::string held_text(const std::vector<std::string>& held);

}  // namespace ballast::ganeti::cli
