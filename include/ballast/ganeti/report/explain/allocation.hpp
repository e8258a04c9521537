// SPDX-License-Identifier: BSD-2-Clause
// Why a new instance fits where it fits, and what stands against it elsewhere.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/ganeti/model/refusal.hpp"
#include "ballast/ganeti/search/allocate/allocator.hpp"
#include "ballast/ganeti/search/balance/balance.hpp"

namespace ballast::ganeti {

/// One node, or an ordered pair, that could have been taken.
struct CandidateVerdict {
  NodeId primary;
  NodeId secondary;                 ///< none: a single node was asked for
  std::optional<Refusal> refusal;   ///< none: it fits
  double score = 0;                 ///< where it fits, the price included
  double price = 0;                 ///< by how much breaches of priced rules raise it
  std::string stuck_instance = {};  ///< rule GlobalNPlusOne: whose escape fails, on refusal->node
};

/// What would have to change for one candidate, in the order in which the rules refuse.
struct SmallestChange {
  CandidateVerdict candidate;
  std::vector<Refusal> lifted;  ///< each with the figures that were short
};

/// Moves of existing instances, in order, after which the allocator finds a place.
struct MadeRoom {
  std::vector<BalanceStep> moves;
  std::vector<NodeId> nodes;  ///< where the instance then goes: primary, then secondary if any
};

/// A size up to the one that was asked for. Memory and disk in MiB.
struct FittingSize {
  std::int64_t memory_mib = 0;
  std::int64_t disk_mib = 0;  ///< as the request counts it, DRBD's metadata included
  std::int64_t vcpus = 0;
  std::size_t moves = 0;  ///< of existing instances that have to come first
};

/// What else would let an instance in that fits nowhere.
struct WaysIn {
  std::vector<std::string> options;        ///< each is enough: "--no-capacity-checks"; several
                                           ///< options that only help together stand in one
  std::vector<std::string> groups;         ///< it fits there where the request names the group
  std::optional<FittingSize> less_memory;  ///< now, with the rest as asked for
  std::optional<FittingSize> less_disk;    ///< likewise
  std::optional<FittingSize> smaller;      ///< all in proportion, now
  std::optional<FittingSize> after_moves;  ///< all in proportion, larger than `smaller`
};

struct AllocationExplanation {
  std::vector<CandidateVerdict> candidates;
  std::optional<SmallestChange> change;  ///< only where nothing fits
  std::size_t moves_sought = 0;  ///< room was looked for by at most that many moves; 0: not at all,
                                 ///< as something fits or moves cannot help
  std::optional<MadeRoom> room;
  std::optional<WaysIn> ways;  ///< only where nothing fits and all is asked for
};

/// What a request asks of one instance. Only for new ones room is looked for; where a moved one
/// fits nowhere, no change either.
struct InstanceExplanation {
  enum class Role {
    New,
    Mirrored,  ///< it gets a secondary: the instance as it will be; candidates are its pairs
    Moved      ///< candidates are the nodes or pairs where it could go
  };
  Instance instance;
  Role role = Role::New;
  AllocationExplanation explanation;
};

/// One entry per instance, in the order of the request, each on the cluster as it is when its turn
/// comes. Without `all`, instances that move somewhere are left out (others never are), and room is
/// only looked for by single moves. Quadratic in the nodes where pairs are asked for.
std::vector<InstanceExplanation> explain_request(const Cluster& cluster, const State& state,
                                                 const Request& request,
                                                 const AllocatorOptions& options, bool all);

/// Why there is nothing to try for an instance without candidates: "its disks have no second ...".
std::string_view no_candidates_text(const InstanceExplanation& one);

}  // namespace ballast::ganeti
