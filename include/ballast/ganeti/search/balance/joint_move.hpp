// SPDX-License-Identifier: BSD-2-Clause
// Instances that a rule keeps together, moved together: what no single step can do.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "ballast/ganeti/search/balance/work_state.hpp"

namespace ballast::ganeti {

struct JointMove {
  std::vector<std::pair<InstanceId, Move>> moves;  ///< in the order in which they are made
  double score = 0;                                ///< after the last
};

/// What counts before the score where an instance can come to the target in several ways; less is
/// better. None: the score alone.
using Wrongness = std::function<double(InstanceId, const MoveEffect&)>;

/// All of them to the target, each by the kind of move that is least wrong, then by the one that
/// gives the lowest score. None where one of them cannot go. `work` is afterwards what it was when
/// it last kept its moves.
std::optional<JointMove> joint_move(WorkState& work, const std::vector<InstanceId>& all,
                                    NodeId target, const Wrongness& wrongness = {});

}  // namespace ballast::ganeti
