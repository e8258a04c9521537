// SPDX-License-Identifier: BSD-2-Clause
// The forms of a report without a plan: --json, --format html, --report, --metrics.
#pragma once

#include <functional>

#include "ballast/ganeti/cli/options/output.hpp"
#include "ballast/ganeti/cli/options/settings.hpp"
#include "ballast/ganeti/cli/options/start.hpp"
#include "ballast/ganeti/model/snapshot.hpp"
#include "ballast/report/document.hpp"
#include "ballast/report/document_page.hpp"

namespace ballast::ganeti::cli {

/// What is printed in place of the text, and the files. `page` is asked only where one is wanted.
OrExit<void> deliver_document(const report::Document& document,
                              const std::function<report::DocumentPage()>& page,
                              const OutputSettings& how, Output& output);

/// DocumentPage::nodes: all nodes, as they are and as they are after something.
plan::Plan nodes_at_a_glance(const Snapshot& now, const Cluster& cluster_after,
                             const State& state_after);

}  // namespace ballast::ganeti::cli
