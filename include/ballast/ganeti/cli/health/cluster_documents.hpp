// SPDX-License-Identifier: BSD-2-Clause
// The --json forms of hinfo and hcheck.
#pragma once

#include "ballast/ganeti/cli/health/run.hpp"
#include "ballast/ganeti/cli/options/settings.hpp"
#include "ballast/ganeti/model/snapshot.hpp"
#include "ballast/report/document.hpp"

namespace ballast::ganeti::cli {

/// What there is: groups, units, nodes, instances, the metrics of the score over all nodes.
report::Document info_document(const Snapshot& snapshot, const std::vector<Part>& parts,
                               const Settings& settings);

/// The checks before and after the rebalancing, per group and in all. Precondition: `run` has
/// reported.
report::Document health_document(const Snapshot& snapshot, const HealthRun& run,
                                 const Settings& settings);

/// What an answer to a what-if question is added to: options, fingerprint, headline figures.
report::Document what_if_document(const Snapshot& snapshot, const Settings& settings);

}  // namespace ballast::ganeti::cli
