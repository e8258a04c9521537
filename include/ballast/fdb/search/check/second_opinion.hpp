// SPDX-License-Identifier: BSD-2-Clause
// A second opinion on a finished trace. It knows nothing of passes and reconcilers: only the
// snapshot, the wish, and what must never happen.
#pragma once

#include <string>
#include <vector>

#include "ballast/fdb/model/cluster.hpp"
#include "ballast/fdb/search/step/options.hpp"
#include "ballast/fdb/search/step/trace_step.hpp"

namespace ballast::fdb {

/// What is judged.
struct Evidence {
  const Cluster& snapshot;
  const ClusterSpec& desired;
  const PlanOptions& options;
  const std::vector<TraceStep>& steps;

  [[nodiscard]] bool by_locality() const {
    return options.profile != Profile::Seed &&
           desired.excludes_by_locality(snapshot.status.running_version);
  }
};

/// Problems of a trace that no real operator could have made, "step 3: storage-1 is ..." each; the
/// independent check before a plan is printed. Empty: none.
std::vector<std::string> find_broken_rules(const Evidence& evidence);

// One rule each.

/// Groups are marked, excluded, emptied, deleted, included and dropped in this order, and nothing
/// that may still hold data is deleted.
void check_lives(const Evidence& evidence, std::vector<std::string>& problems);
/// Pods with data are down in no more zones at once than may fail, none is taken while copies are
/// missing, and what remains has zones enough for all copies.
void check_copies(const Evidence& evidence, std::vector<std::string>& problems);
/// A majority of the coordinators' addresses stays reachable.
void check_quorum(const Evidence& evidence, std::vector<std::string>& problems);
/// Exclusions leave the wanted groups but for the fault tolerance; no more groups are replaced at
/// once than the limits allow.
void check_budgets(const Evidence& evidence, std::vector<std::string>& problems);
/// Recoveries lie as far apart as the operator's gates want, and no server of an old version stays
/// behind a restart of all.
void check_recoveries(const Evidence& evidence, std::vector<std::string>& problems);

}  // namespace ballast::fdb
