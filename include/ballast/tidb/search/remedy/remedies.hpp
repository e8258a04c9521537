// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/tidb/search/basis/input.hpp"
#include "ballast/tidb/search/basis/outcome.hpp"

#include <string>
#include <vector>

namespace ballast::tidb {

using Candidate = operators::WayOut<Input>;

/// The ways out of a block that are worth a try, in no order.
std::vector<Candidate> candidates_for(const Input& input, const Line& block);

/// Names the cycle of each block, and adds the remedies of the first one: each is planned again,
/// and only what gets through is told, the least harmful first; where nothing does, what gets past
/// the block at least. What changes nothing is no remedy.
void add_remedies(const Input& input, Outcome& outcome);

/// "tikv.replicas", "tikv.extra[big].replicas" or "tikv[big].replicas": how --set names a key of a
/// set; for a group its name and the key.
std::string set_key(const ClusterSpec& spec, Component component, const std::string& set,
                    const std::string& key);

/// A name for a set beside another one: its own with "-2" and so on; the component's for `default`.
std::string name_beside(const ClusterSpec& spec, Component component, const std::string& set);

/// Who waits for whom, the last for the first; empty where the block is a dead end and no cycle.
std::vector<std::string> cycle_of(const Input& input, const Line& block);

}  // namespace ballast::tidb
