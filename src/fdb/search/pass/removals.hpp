// SPDX-License-Identifier: BSD-2-Clause
// Groups on their way out, sorted by how far they are.
#pragma once

#include <vector>

#include "ballast/fdb/search/world/world.hpp"

namespace ballast::fdb {

struct Removals {
  std::vector<Member*> to_verify;
  std::vector<Member*> ready;        ///< excluded, may be removed
  std::vector<Member*> terminating;  ///< excluded, their resources vanish or have vanished
  std::vector<Member*> waiting;      ///< exclusion not complete
};

inline bool is_terminating(const Member& group) {
  return group.conditions.has(Condition::ResourcesTerminating);
}

/// Marked groups by their own notes. The operator trusts these only for groups that report.
Removals collect_removals(World& world);

/// Sorts `to_verify` into those that are done and those that are not; the database is asked again
/// for those that nobody sees. False where the pass ends.
bool verify_exclusions(World& world, Removals& work);

}  // namespace ballast::fdb
