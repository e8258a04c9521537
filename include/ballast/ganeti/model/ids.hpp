// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/core/id.hpp"

namespace ballast::ganeti {

/// Indices follow the order of the snapshot's lines (keys, for JSON) and count from 0.
using GroupId = Id<struct GroupTag>;
using NodeId = Id<struct NodeTag>;
using InstanceId = Id<struct InstanceTag>;
/// A (type, key) pair of storage units; index into Cluster::storage_keys, which is sorted by type,
/// then key, as bytes.
using StorageKeyId = Id<struct StorageKeyTag>;
/// An interned tag text; index into Cluster::symbols, sorted by bytes (so ids compare as the texts
/// do).
using TagId = Id<struct TagTag>;

}  // namespace ballast::ganeti
