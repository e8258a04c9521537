// SPDX-License-Identifier: BSD-2-Clause
// The parts of request explanations, each on the world as it is when an instance's turn comes.
#pragma once

#include "ballast/ganeti/search/explain_allocation.hpp"
#include "evacuate.hpp"

namespace ballast::ganeti::alloc {

/// `restricted`: the request's own list of nodes.
AllocationExplanation explain_new(const World& world, const NewInstance& wanted,
                                  const std::optional<std::vector<std::string>>& restricted,
                                  const AllocatorOptions& options);

/// Every target, or ordered pair of targets, with the rule that the first refused step meets.
AllocationExplanation explain_move(const World& world, const Record& record,
                                   const Evacuator::Plan& plan);

}  // namespace ballast::ganeti::alloc
