// SPDX-License-Identifier: BSD-2-Clause
// A report without a plan, for people.
#pragma once

#include "ballast/plan/plan.hpp"
#include "ballast/report/document.hpp"

#include <string>

namespace ballast::report {

struct DocumentPage {
  std::string headline;     ///< one sentence; what stands behind "; " is read second
  std::string no_findings;  ///< what stands where there are none; empty: nothing
  /// Only its summaries (Plan::before, Plan::after) and Plan::objects are looked at: the nodes at a
  /// glance. Empty: not drawn.
  plan::Plan nodes;
};

/// One self-contained file, as report::plan_to_html().
std::string document_to_html(const Document& document, const DocumentPage& page);
/// As report::plan_to_markdown(). Tables without rows are left out, and so are the nodes.
std::string document_to_markdown(const Document& document, const DocumentPage& page);
/// The headline, then each finding, a line each.
std::string document_to_brief(const Document& document, const DocumentPage& page);

}  // namespace ballast::report
