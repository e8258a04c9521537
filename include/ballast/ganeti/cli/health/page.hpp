// SPDX-License-Identifier: BSD-2-Clause
// What hcheck and hinfo found, as a page.
#pragma once

#include "ballast/ganeti/cli/health/run.hpp"
#include "ballast/report/document_page.hpp"

namespace ballast::ganeti::cli {

/// The nodes as they are and as rebalancing would leave them, and a headline from the counts. `run`
/// has reported.
report::DocumentPage health_page(const Snapshot& snapshot, const HealthRun& run);

/// The nodes as they are; the headline asks the question.
report::DocumentPage what_if_page(const Snapshot& snapshot, const Settings& settings);

/// The nodes as they are; the headline counts what there is.
report::DocumentPage info_page(const Snapshot& snapshot);

}  // namespace ballast::ganeti::cli
