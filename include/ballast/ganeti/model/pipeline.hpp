// SPDX-License-Identifier: BSD-2-Clause
// From what a backend read to a cluster that can be searched: utilisation, tags, attaching,
// statistics, checks.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/core/result.hpp"
#include "ballast/ganeti/model/cluster.hpp"

namespace ballast::ganeti {

/// What every backend yields: the cluster with the snapshot's own figures, and the placements;
/// nothing attached or derived yet. State::nodes holds the initial node states (initial_state
/// below). The JSON allocator source runs the pipeline once itself, so that its instances are
/// attached twice in the end: a quirk of the reference that is kept.
struct Snapshot {
  Cluster cluster;
  State state;
  std::vector<std::string> warnings;  ///< about storage, one line each, for standard error
  /// From 1, by NodeId; empty where the source has no lines.
  std::vector<std::size_t> node_lines{};
  std::vector<std::size_t> instance_lines{};
};

struct Utilisation {
  std::string name;
  Load load;
};

struct PipelineOptions {
  std::vector<Utilisation> utilisation;
  bool ignore_dynamic = false;
  std::vector<std::string>
      exclusion_prefixes;  ///< from the command line, without the colon that is appended
  std::vector<std::string> selected_instances;
  std::vector<std::string> excluded_instances;
  std::int64_t static_kvm_memory = 4096;
  std::vector<StorageKey> default_storage;  ///< --default-storage TYPE=KEY
  bool ignore_storage = false;
  /// Nodes are N+1 happy or not by unallocated memory, as after each move. Else by the free memory
  /// that was reported, as in the reference: its figures are corrected only afterwards.
  bool corrected_n1 = false;
  /// Measured loads (MonD): called once all nodes are finished, before the memory statistics. May
  /// be empty.
  std::function<Status(Snapshot&)> measured_loads;
};

/// A node's state before any instance is attached (reference manual: figures straight from the
/// file).
NodeState initial_state(const Node& node);

/// Runs the whole pipeline in place. The warnings are the reference's messages about inconsistent
/// figures ("node n1 is missing 12 MB ram and 0 GB disk"), in the order in which they are shown
/// (reverse node order). Errors: unknown instances of the two lists. Running it again on its result
/// attaches every instance twice, as the reference does with allocator requests; storage is set up
/// anew.
Result<std::vector<std::string>> run_pipeline(Snapshot& snapshot, const PipelineOptions& options);

/// Exclusion and desired-location tags of an instance that is not in the snapshot, by the same
/// rules. Its tags must be among the symbols (a backend adds those of a request before the pipeline
/// runs).
void set_request_tags(const Cluster& cluster, Instance& instance);

/// Applied by the tools after loading. Names resolve like instances: exact, else unique "NAME."
/// prefix. The error lists the bad names in reverse order of the command line (reference text,
/// without "Error: ").
Status set_offline(Snapshot& snapshot, const std::vector<std::string>& names);
void set_min_disk(Snapshot& snapshot, double ratio);
void set_max_cpu(Snapshot& snapshot, double ratio);

/// --reserve [TYPE/KEY=]SIZE|largest
struct Reserve {
  std::optional<StorageKey>
      unit;  ///< none: every unit, or the node's disk where there is no storage
  std::optional<std::int64_t>
      size_mib;  ///< none: "largest", the largest single disk of the group that asks for the unit
};
/// For each unit the last reserve that names it counts, else the last one without a unit. Fails for
/// a unit that no node has.
Status set_reserves(Snapshot& snapshot, const std::vector<Reserve>& reserves);

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
