// SPDX-License-Identifier: BSD-2-Clause
// Why a new instance fits where it fits, and what stands against it elsewhere.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ballast/ganeti/model/refusal.hpp"
#include "ballast/ganeti/search/allocator.hpp"

namespace ballast::ganeti {

/// One node, or an ordered pair, that could have been taken.
struct CandidateVerdict {
  NodeId primary;
  NodeId secondary;                ///< none: a single node was asked for
  std::optional<Refusal> refusal;  ///< none: it fits
  double score = 0;                ///< where it fits
  std::string stuck_instance;      ///< rule GlobalNPlusOne: whose escape fails, on refusal->node
};

/// What would have to change for one candidate, in the order in which the rules refuse.
struct SmallestChange {
  CandidateVerdict candidate;
  std::vector<Refusal> lifted;  ///< each with the figures that were short
};

/// One move of an existing instance after which a candidate fits.
struct RoomMaker {
  InstanceId instance;
  NodeId from;
  NodeId to;
  bool is_secondary = false;  ///< its mirror moves, not the instance itself
  CandidateVerdict candidate;
};

struct AllocationExplanation {
  std::vector<CandidateVerdict> candidates;
  std::optional<SmallestChange> change;  ///< only where nothing fits
  std::optional<RoomMaker> room;
};

/// Nothing for requests other than allocate. Quadratic in the nodes where pairs are asked for.
std::optional<AllocationExplanation> explain_allocation(const Cluster& cluster, const State& state,
                                                        const Request& request,
                                                        const AllocatorOptions& options);

}  // namespace ballast::ganeti
