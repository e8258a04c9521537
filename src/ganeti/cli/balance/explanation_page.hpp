// SPDX-License-Identifier: BSD-2-Clause
// hbal --explain NAME as a page: the moves of one instance.
#pragma once

#include "ballast/ganeti/model/snapshot.hpp"
#include "ballast/ganeti/report/explain/explain.hpp"
#include "ballast/report/document.hpp"
#include "ballast/report/document_page.hpp"

namespace ballast::ganeti::cli {

/// `started` with the figures of the instance, what stands in the way, and the table `moves`.
report::Document explanation_document(report::Document started, const Cluster& cluster,
                                      const Explanation& explanation);
report::DocumentPage explanation_page(const Snapshot& snapshot, const Explanation& explanation);

}  // namespace ballast::ganeti::cli
