// SPDX-License-Identifier: BSD-2-Clause
// Storage units in request documents: the node key "storage", and what tells the unit of a disk.
#pragma once

#include "ballast/ganeti/backend/objects/cluster_objects.hpp"

namespace ballast::ganeti {

/// Reads the node's "storage"; absent or null: not told. Errors name node, entry and value.
Status read_node_storage(Node& node, json::Value object, Cluster& cluster);

/// The same from the list itself.
Status read_storage_list(Node& node, json::Value list, Cluster& cluster);

/// The units of the disks as the document states them ("sunit", "vg", "provider", "metavg") and
/// what they take; disks that state none keep none. `object` is the instance's description.
/// Precondition: "disks" is a list as long as the instance's.
Status read_disk_units(Instance& instance, json::Value object, Cluster& cluster);

}  // namespace ballast::ganeti
