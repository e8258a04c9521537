// SPDX-License-Identifier: BSD-2-Clause
// The answer of `hfdb spread` for people and for machines.
#pragma once

#include <string>
#include <string_view>

#include "ballast/core/value.hpp"
#include "ballast/fdb/search/spread.hpp"
#include "ballast/kube/node.hpp"

namespace ballast::fdb {

/// One block a class, then waits, labels, affinity and warnings; ends in a newline.
std::string spread_to_text(const Spread& spread, const Cluster& cluster);

/// What follows "classes" and stands around it in the JSON form: domains, mode, scope, classes[],
/// replacements, bytes, warnings[].
Value spread_to_value(const Spread& spread, const Cluster& cluster);

/// `affinity` of a pod whose logical domain is `key`.
kube::Node spread_affinity(const Spread& spread, const Cluster& cluster, ProcessClass c,
                           std::string_view key);

}  // namespace ballast::fdb
