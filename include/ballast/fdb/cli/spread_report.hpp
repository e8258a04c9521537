// SPDX-License-Identifier: BSD-2-Clause
// The answer of `hfdb spread` for people and for machines.
#pragma once

#include <string>
#include <string_view>

#include "ballast/doc/tree.hpp"
#include "ballast/fdb/search/spread/spread.hpp"
#include "ballast/report/document.hpp"

namespace ballast::fdb {

/// One block a class, then waits, labels, affinity and warnings; ends in a newline.
std::string spread_to_text(const Spread& spread, const Cluster& cluster);

/// The same with cells that keep their types: tables of classes, domains, replaced and added
/// groups, and what pods of each domain get. Dangers are findings of severity "error".
report::Document spread_document(const Spread& spread, const Cluster& cluster);

/// `affinity` of a pod whose logical domain is `key`.
doc::Tree spread_affinity(const Spread& spread, const Cluster& cluster, ProcessClass c,
                          std::string_view key);

}  // namespace ballast::fdb
