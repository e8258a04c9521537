// SPDX-License-Identifier: BSD-2-Clause
// From what a backend read to a cluster that can be searched: utilisation, tags, attaching,
// statistics, checks.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ballast/core/result.hpp"
#include "ballast/ganeti/model/snapshot.hpp"

namespace ballast::ganeti {

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

}  // namespace ballast::ganeti
