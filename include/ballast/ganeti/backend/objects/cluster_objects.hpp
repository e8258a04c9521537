// SPDX-License-Identifier: BSD-2-Clause
// The parts of a request document: groups, nodes, instances. Each reads its keys in the reference's
// order, because the first error wins.
#pragma once

#include <string>

#include "ballast/ganeti/backend/objects/object_reader.hpp"
#include "ballast/ganeti/model/cluster.hpp"

namespace ballast::ganeti {

Result<Group> read_group(const std::string& uuid, json::Value value);
Result<Node> read_node(const std::string& name, json::Value value, const IndexByName& groups);
/// The description that instances and requests share; no nodes.
Result<Instance> read_instance(const std::string& name, json::Value value);
/// Primary, then secondary, if any, of an instance in the list.
Result<Placement> read_placement(const std::string& name, json::Value value,
                                 const IndexByName& nodes);

}  // namespace ballast::ganeti
