// SPDX-License-Identifier: BSD-2-Clause
// The steps that evacuations are made of.
#pragma once

#include <string>
#include <vector>

#include "ballast/ganeti/search/allocate/engine.hpp"

namespace ballast::ganeti::alloc {

/// Planned instances are failed over, real ones migrated.
AllocatorOperation::Kind move_kind(const Record& record);

/// "Changing secondary to new primary: FailMem"
std::string failed_step(std::string_view step, const Refusal& refusal);
inline constexpr std::string_view kFinalSecondary = "Changing secondary to final secondary";

/// The first half of moving both: the instance runs on its new primary, its old partner is still
/// the secondary.
struct Halfway {
  Overlay overlay;
  Record record;
  std::vector<AllocatorOperation> job;
};
Outcome<Halfway> move_primary(const ScopedCluster& scope, const Record& record, NodeId target,
                              bool force);

}  // namespace ballast::ganeti::alloc
