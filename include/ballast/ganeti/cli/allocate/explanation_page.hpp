// SPDX-License-Identifier: BSD-2-Clause
// hail --explain as a page: where a request's instances fit, and what stands against the rest.
#pragma once

#include "ballast/ganeti/model/snapshot.hpp"
#include "ballast/ganeti/report/explain/allocation.hpp"
#include "ballast/report/document.hpp"
#include "ballast/report/document_page.hpp"

namespace ballast::ganeti::cli {

/// One finding for each instance, and the table `candidates`.
report::Document request_document(const Snapshot& snapshot,
                                  const std::vector<InstanceExplanation>& all);
report::DocumentPage request_page(const Snapshot& snapshot,
                                  const std::vector<InstanceExplanation>& all);

}  // namespace ballast::ganeti::cli
