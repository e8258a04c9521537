// SPDX-License-Identifier: BSD-2-Clause
// hbal --make-room: the moves after which the allocator takes a new instance.
#pragma once

#include "ballast/ganeti/cli/balance/better_plan.hpp"

namespace ballast::ganeti::cli {

/// The allocator is asked as Ganeti asks it, global N+1 included. Where it would refuse for global
/// N+1 alone, the moves that make the room are given all the same, and the remark says so.
/// Fails where the policy forbids such an instance or no way was found.
OrExit<FoundPlan> room_for(const Snapshot& snapshot, const Part& part, const Settings& settings,
                           const RoomSpec& room, Output& output);

}  // namespace ballast::ganeti::cli
