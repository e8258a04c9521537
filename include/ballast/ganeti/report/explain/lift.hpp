// SPDX-License-Identifier: BSD-2-Clause
// What would be if a rule did not stand in the way: so that the rules behind it show, too.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ballast/ganeti/moves/move.hpp"

namespace ballast::ganeti {

/// Gives the node or the instance just what the refusal lacks. `state` is that of refusal.node.
/// False where nothing can be given (no such secondary, an unknown unit, ...).
bool lift(const Refusal& refusal, Cluster& cluster, NodeState& state, Instance& instance);

/// Rules that stand against an attempt, in the order in which they refuse it.
struct Lifted {
  std::vector<Refusal> refusals;
  bool is_all = false;  ///< none is left behind them
};
/// Attempts again and again; `lift_one` takes the rule that refused out of the way, or tells that
/// it cannot.
Lifted lift_all(const std::function<MaybeRefusal()>& attempt,
                const std::function<bool(const Refusal&)>& lift_one);

/// All rules that stand against a move, in the order in which they refuse it; `is_all` where none
/// is left behind them.
struct Blockers {
  std::vector<Refusal> refusals;
  std::vector<std::string> texts;    ///< why, with figures
  std::vector<std::string> changes;  ///< what would have to change, one for each
  bool is_all = false;
};
Blockers blockers_of(const Cluster& cluster, const State& state, InstanceId instance, Move move,
                     bool force);

/// "8193 MiB more memory on tgt", "--max-cpu=4.25", "without tag service:dns on dns1"
std::string change_for(const Cluster& cluster, const NodeState& state, const Instance& instance,
                       const Refusal& refusal);

}  // namespace ballast::ganeti
