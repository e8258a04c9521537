// SPDX-License-Identifier: BSD-2-Clause
// What the allocator can be asked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ballast/ganeti/model/ids.hpp"
#include "ballast/ganeti/model/instance.hpp"

namespace ballast::ganeti {

/// An instance that does not exist yet, and what its request says about where it may go.
struct NewInstance {
  Instance instance;
  std::int64_t required_nodes = 0;
  std::optional<std::string> group;  ///< name or UUID
};

struct AllocateRequest {
  NewInstance wanted;
  std::optional<std::vector<std::string>> restrict_to_nodes;  ///< full names
};

struct MultiAllocateRequest {
  std::vector<NewInstance> wanted;
};

struct RelocateRequest {
  InstanceId instance;
  std::int64_t required_nodes = 0;
  std::vector<NodeId> from;
};

struct ChangeGroupRequest {
  std::vector<InstanceId> instances;
  std::vector<GroupId> targets;  ///< empty: any group
};

enum class EvacuateMode : std::uint8_t { Primary, Secondary, All };

struct NodeEvacuateRequest {
  std::vector<InstanceId> instances;
  EvacuateMode mode = EvacuateMode::All;
};

struct AllocateSecondaryRequest {
  InstanceId instance;
};

using Request = std::variant<AllocateRequest, MultiAllocateRequest, RelocateRequest,
                             ChangeGroupRequest, NodeEvacuateRequest, AllocateSecondaryRequest>;

/// Those that are to come; they live as long as the request.
std::vector<Instance*> new_instances(Request& request);

}  // namespace ballast::ganeti
