// SPDX-License-Identifier: BSD-2-Clause
// Why a new instance fits where it fits, and what stands against it elsewhere.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ballast/ganeti/model/refusal.hpp"
#include "ballast/ganeti/search/allocator.hpp"
#include "ballast/ganeti/search/balance.hpp"

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
  std::vector<BalanceStep> more_room;   ///< where no single move helps: several, in order
  std::vector<NodeId> more_room_nodes;  ///< where the instance then goes
};

/// What a request asks of one instance. Moved instances: the candidates are the nodes or pairs
/// where they could go, with neither change nor room.
struct InstanceExplanation {
  Instance instance;
  bool is_new = false;
  AllocationExplanation explanation;
};

/// One entry per instance, in the order of the request, each on the cluster as it is when its turn
/// comes. Without `all`, instances that move somewhere are left out (new ones never are), and room
/// is only looked for by single moves. Quadratic in the nodes where pairs are asked for.
std::vector<InstanceExplanation> explain_request(const Cluster& cluster, const State& state,
                                                 const Request& request,
                                                 const AllocatorOptions& options, bool all);

/// Nothing for requests other than allocate. Quadratic in the nodes where pairs are asked for.
std::optional<AllocationExplanation> explain_allocation(const Cluster& cluster, const State& state,
                                                        const Request& request,
                                                        const AllocatorOptions& options);

}  // namespace ballast::ganeti
