// SPDX-License-Identifier: BSD-2-Clause
// hbal --since and --keep: what earlier plans moved stays where it is now.
#pragma once

#include "ballast/ganeti/cli/balance/better_plan.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ballast::ganeti::cli {

/// Names of the instances that the plans of --since move; with --keep only those of files that are
/// not older than that.
OrExit<std::vector<std::string>> moved_before(const SearchWish& wish, Output& output);

struct HeldSnapshot {
  std::vector<std::string> held;    ///< names of the held instances, in index order
  std::optional<Snapshot> changed;  ///< in which they do not move; none where nothing is held

  [[nodiscard]] const Snapshot& from(const Snapshot& whole) const {
    return changed ? *changed : whole;
  }
};

/// Instances on offline nodes are not held.
HeldSnapshot hold(const Snapshot& snapshot, const Part& part,
                  const std::vector<std::string>& names);

/// "Held, as an earlier plan moved it: ...", for text and plan.
std::string held_text(const std::vector<std::string>& held);

}  // namespace ballast::ganeti::cli
