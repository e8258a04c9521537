// SPDX-License-Identifier: BSD-2-Clause
// Moving instances to another tier of storage: which nodes, which commands, what is copied and for
// how much of it the instance is down.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/core/result.hpp"
#include "ballast/ganeti/moves/tier.hpp"
#include "ballast/plan/plan.hpp"

namespace ballast::ganeti {

/// "NAMES:TYPE/KEY" or, without storage units, "NAMES:TEMPLATE"; NAMES is a name or a glob.
struct TierWish {
  std::string names;
  Tier tier;
};
/// Errors quote the text and say what was expected, or which units there are.
Result<TierWish> read_tier_wish(const Cluster& cluster, std::string_view text);

/// "drbd8/ssd", or the template where storage does not count.
std::string tier_name(const Cluster& cluster, const Tier& tier);

struct TierMove {
  InstanceId instance;
  Placement before;
  Placement after;
  MaybeRefusal refusal;               ///< no room, or a rule; then nothing else is told
  std::string hindrance;              ///< Ganeti cannot do it at all
  std::string why;                    ///< either of them in words; empty where it can go
  std::vector<std::string> commands;  ///< in order, complete
  TierCost cost;
};

/// For each instance that is meant and not there yet, in index order, each on the cluster with
/// those before it moved. The old disks stay until the new ones are there, so there must be room
/// for both.
std::vector<TierMove> tier_moves(const Cluster& cluster, const State& state, const TierWish& wish);

/// The same as the value that all renderers print, without what the tool knows: tool, version,
/// options, fingerprint. What cannot go is blocked (code NO_ROOM, or NOT_CONVERTED where Ganeti
/// cannot do it).
plan::Plan tier_plan(const Cluster& cluster, const State& state, const TierWish& wish,
                     const std::vector<TierMove>& moves);

}  // namespace ballast::ganeti
