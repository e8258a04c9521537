// SPDX-License-Identifier: BSD-2-Clause
// Moving instances to another tier of storage: which nodes, which commands, what is copied and for
// how much of it the instance is down. Ganeti converts between disk templates in place; to another
// volume group or pool of the same template the way is a backup that is imported again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ballast/core/result.hpp"
#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/model/node_ops.hpp"

namespace ballast::ganeti {

/// "NAMES:TYPE/KEY" or, without storage units, "NAMES:TEMPLATE"; NAMES is a name or a glob.
struct TierWish {
  std::string names;
  DiskTemplate disk_template = DiskTemplate::Plain;
  StorageKeyId unit;  ///< none: storage does not count
};
/// Errors quote the text and say what was expected, or which units there are.
Result<TierWish> read_tier_wish(const Cluster& cluster, std::string_view text);

struct TierMove {
  InstanceId instance;
  Placement after;
  MaybeRefusal refusal;               ///< no room; then nothing else is told
  std::string hindrance;              ///< Ganeti cannot do it at all
  std::vector<std::string> commands;  ///< in order, complete
  std::int64_t copied_mib = 0;        ///< mirrors included
  std::int64_t stopped_mib = 0;       ///< of these while it is down
};

/// For each instance that is meant and not there yet, in index order, each on the cluster with
/// those before it moved. The old disks stay until the new ones are there, so there must be room
/// for both.
std::vector<TierMove> tier_moves(const Cluster& cluster, const State& state, const TierWish& wish);

}  // namespace ballast::ganeti
