// SPDX-License-Identifier: BSD-2-Clause
// A node's storage units by key.
#pragma once

#include "ballast/ganeti/model/node.hpp"

namespace ballast::ganeti {

/// The node's unit of that key; null: it has none.
const StorageUnit* find_unit(const Node& node, StorageKeyId key);

}  // namespace ballast::ganeti
