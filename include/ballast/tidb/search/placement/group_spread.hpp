// SPDX-License-Identifier: BSD-2-Clause
// How operator v2 spreads the instances of a group over topologies, by weight (EvenlySpread): the
// next one goes where there are fewest for the weight, the first to go stands where there are most.
#pragma once

#include "ballast/tidb/model/live.hpp"
#include "ballast/tidb/model/spec.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ballast::tidb {

/// "us-west-2a": the values of its labels.
std::string name_of(const Topology& topology);

/// Index of the first topology whose labels the node carries; none for a node of no topology.
std::optional<std::size_t> topology_of(const std::vector<Topology>& spread, const Machine& node);

/// Where the next instance goes, given how many each topology holds; of equals the first.
/// Precondition: there is a topology; `counts` is as long as `spread`.
std::size_t emptiest(const std::vector<Topology>& spread, const std::vector<std::int64_t>& counts);

/// "az-1 3, az-2 2".
std::string counts_text(const std::vector<Topology>& spread,
                        const std::vector<std::int64_t>& counts);

}  // namespace ballast::tidb
