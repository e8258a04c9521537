// SPDX-License-Identifier: BSD-2-Clause
// A cluster with its placements, as it was read; and its parts by name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/ganeti/model/cluster.hpp"

namespace ballast::ganeti {

/// What every backend yields: the cluster with the snapshot's own figures, and the placements;
/// nothing attached or derived yet. State::nodes holds the initial node states (initial_state). The
/// JSON allocator source runs the pipeline once itself, so that its instances are attached twice in
/// the end: a quirk of the reference that is kept.
struct Snapshot {
  Cluster cluster;
  State state;
  std::vector<std::string> warnings;  ///< about storage, one line each, for standard error
  /// From 1, by NodeId; empty where the source has no lines.
  std::vector<std::size_t> node_lines{};
  std::vector<std::size_t> instance_lines{};
};

/// What somebody measured of an instance.
struct Utilisation {
  std::string name;
  Load load;
};

/// Index of the first exact match, else of the only name that begins with `text` and a dot.
template <class Named>
std::optional<std::size_t> resolve_name(const std::vector<Named>& all, std::string_view text) {
  std::optional<std::size_t> only;
  bool is_ambiguous = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string_view name = all[i].name;
    if (!name.starts_with(text)) continue;
    if (name.size() == text.size()) return i;
    if (name[text.size()] != '.') continue;
    is_ambiguous = is_ambiguous || only.has_value();
    only = i;
  }
  return is_ambiguous ? std::nullopt : only;
}

}  // namespace ballast::ganeti
