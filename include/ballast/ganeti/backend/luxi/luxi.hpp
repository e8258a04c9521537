// SPDX-License-Identifier: BSD-2-Clause
// Ganeti's local query socket (LUXI): four queries on one connection.
#pragma once

#include <chrono>
#include <string>

#include "ballast/core/result.hpp"
#include "ballast/ganeti/backend/luxi/client.hpp"
#include "ballast/ganeti/model/snapshot.hpp"

namespace ballast::ganeti {

/// The answers as the master sent them, without the end byte.
struct LuxiAnswers {
  std::string nodes;
  std::string instances;
  std::string cluster;
  std::string groups;
};

/// Asks nodes, instances, cluster information, groups, in this order. With `ignore_storage` the
/// requests are the reference's to the byte; otherwise nodes are asked for the field "storage", too
/// (a master that does not know it says so, and it counts as not told).
Result<LuxiAnswers> fetch_luxi(LuxiClient& client, bool ignore_storage);

/// Errors in the reference's words; the first of groups, nodes, instances, cluster information,
/// master counts.
Result<Snapshot> read_luxi(LuxiAnswers answers, bool ignore_storage);

}  // namespace ballast::ganeti
