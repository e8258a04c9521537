// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/tidb/model/live.hpp"
#include "ballast/tidb/model/spec.hpp"

#include <map>
#include <string>
#include <vector>

namespace ballast::tidb {

/// Whether all requirements hold for the labels (Gt and Lt compare whole numbers).
bool matches_all(const std::vector<Requirement>& requirements,
                 const std::map<std::string, std::string>& labels);

/// Why a node is no candidate whatever room it has (state, taints, selector, affinity); empty: it
/// is one.
std::string node_refusal(const Machine& node, const Placement& asked);

}  // namespace ballast::tidb
