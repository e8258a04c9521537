// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/ganeti/model/snapshot.hpp"

namespace ballast::ganeti {

/// What is odd about a snapshot's storage, one line for each kind of oddity. Precondition:
/// capacities are set.
std::vector<std::string> storage_warnings(const Snapshot& snapshot);

}  // namespace ballast::ganeti
