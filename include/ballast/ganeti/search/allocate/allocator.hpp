// SPDX-License-Identifier: BSD-2-Clause
// Answers to allocator requests: where a new instance goes, where evacuated ones go. Same choices,
// ties and texts as the reference.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/model/request.hpp"
#include "ballast/ganeti/moves/node_ops.hpp"

namespace ballast::ganeti {

struct AllocatorOptions {
  bool ignore_soft_errors = false;
  bool ignore_all_soft_errors =
      false;  ///< secondaries of new instances too, which the reference always checks strictly
  bool capacity_checks = true;                                ///< global N+1
  std::optional<std::vector<std::string>> restrict_to_nodes;  ///< overrides the request's
  bool evacuate_in_place =
      false;  ///< "all": keep the half of a mirrored instance that is outside already
};

/// One step of a job.
struct AllocatorOperation {
  enum class Kind : std::uint8_t { Migrate, Failover, ReplaceSecondary };
  Kind kind = Kind::Migrate;
  NodeId target;  ///< none: to the secondary
};

struct PlacedInstance {
  std::string name;
  std::vector<NodeId> nodes;
};

struct MovedInstance {
  InstanceId instance;
  GroupId group;  ///< of the new primary
  std::vector<NodeId> nodes;
  std::vector<AllocatorOperation> job;
  /// Of instances that a rule keeps together and that follow one another in the answer: how many
  /// are left of them, this one included. 0: it moves alone.
  std::int32_t set_left = 0;
};

struct FailedInstance {
  std::string name;
  std::string text;
  MaybeRefusal rule;  ///< that keeps it together with others, where not all of them find a place
};

struct MultiAllocateResult {
  std::vector<PlacedInstance> placed;
  std::vector<FailedInstance> failed;
};

struct EvacuateResult {
  std::vector<MovedInstance> moved;
  std::vector<FailedInstance> failed;
};

struct SecondaryResult {
  NodeId node;
};

/// Empty nodes list: nothing was found.
using AllocatorResult =
    std::variant<std::vector<NodeId>, SecondaryResult, MultiAllocateResult, EvacuateResult>;

/// The instance map after the answer, in key order (a single new instance comes first, as the
/// reference saves it).
struct InstanceAfter {
  Instance instance;
  Placement placement;
};

struct AllocatorAnswer {
  bool success = false;
  std::string info;  ///< without "Request successful: " or "Request failed: "
  AllocatorResult result;
  std::vector<NodeId> nodes;  ///< what the node table after the answer shows
  State state;                ///< nodes by index; placements of the snapshot's instances
  std::vector<InstanceAfter> instances;
  /// The reference dies here, looking up this key: no answer.
  std::optional<std::int64_t> dies_at_key;
};

/// Is this request answered by the lost-allocations metric instead of the score?
bool is_dedicated(const Cluster& cluster, const Request& request);

/// Pure and deterministic. `state` is the loaded cluster.
AllocatorAnswer answer_request(const Cluster& cluster, const State& state, const Request& request,
                               const AllocatorOptions& options);

}  // namespace ballast::ganeti
