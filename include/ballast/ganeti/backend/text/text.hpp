// SPDX-License-Identifier: BSD-2-Clause
// The text format (man/ballast-text.5).
#pragma once

#include <string>
#include <string_view>

#include "ballast/core/result.hpp"
#include "ballast/ganeti/model/snapshot.hpp"

namespace ballast::ganeti {

struct TextOptions {
  bool ignore_storage = false;  ///< node column 16 and instance column 14 are not even parsed
};

/// Errors in the reference's words where it has them (without place); storage errors with file,
/// line, column.
Result<Snapshot> read_text(std::string_view content, const std::string& file,
                           const TextOptions& options);

/// The snapshot's current figures, in the format that read_text reads; storage columns only where
/// the snapshot has storage.
std::string write_text(const Cluster& cluster, const State& state);
/// The same with the nodes and instances of one part only (all groups, tags and policies). None for
/// a node needed by name that is not in the part: the index of that node (the reference dies
/// there).
tl::expected<std::string, NodeId> write_text(const Cluster& cluster, const State& state,
                                             const Part& part);

/// A "name cpu mem disk net" file. Errors in the reference's words, without "can't parse
/// utilisation data: "; those with a place are ours.
Result<std::vector<Utilisation>> read_utilisation(std::string_view content,
                                                  const std::string& file = {});

}  // namespace ballast::ganeti
