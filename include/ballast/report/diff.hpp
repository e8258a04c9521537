// SPDX-License-Identifier: BSD-2-Clause
// What differs between two plans or two snapshots.
#pragma once

#include "ballast/plan/diff.hpp"
#include "ballast/report/document.hpp"

#include <string>

namespace ballast::report {

/// The plans are those of the diff; two empty ones where it is of snapshots.
std::string diff_to_text(const plan::Diff& diff, const plan::Plan& first, const plan::Plan& second);
/// {"kind": "report", "format": "ballast-diff", ...}; data/diff.schema.json states it.
std::string diff_to_json(const plan::Diff& diff, const plan::Plan& first, const plan::Plan& second);
/// The same for an HTML page, which diff_summary() heads.
Document diff_document(const plan::Diff& diff, const plan::Plan& first, const plan::Plan& second);
/// The difference in one line, without a period.
std::string diff_summary(const plan::Diff& diff);

}  // namespace ballast::report
