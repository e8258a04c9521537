// SPDX-License-Identifier: BSD-2-Clause
// The answers of `hfdb analyze` and `hfdb fix-addresses`, for people and for machines.
#pragma once

#include <string>

#include "ballast/fdb/search/ask/analysis.hpp"
#include "ballast/fdb/search/ask/fix_addresses.hpp"
#include "ballast/report/document.hpp"

namespace ballast::fdb {

/// One screen; ends in a newline.
std::string analysis_to_text(const Analysis& analysis, const Cluster& cluster);
/// Tables of classes, exclusions and terminating resources; what is not well as findings.
report::Document analysis_document(const Analysis& analysis, const Cluster& cluster);

/// Both connection strings, where each coordinator is now, and the steps.
std::string fixed_addresses_to_text(const FixedAddresses& fixed);
/// The steps as a script that stops at the first that fails.
std::string fixed_addresses_to_shell(const FixedAddresses& fixed);
report::Document fixed_addresses_document(const FixedAddresses& fixed);

}  // namespace ballast::fdb
