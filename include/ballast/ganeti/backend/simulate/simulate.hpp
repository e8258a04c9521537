// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "ballast/core/result.hpp"
#include "ballast/ganeti/model/snapshot.hpp"

namespace ballast::ganeti {

/// Simulated clusters, one group per specification
/// "policy,nodes,disk,memory,cpus[,spindles[,exclusive]][;SIZE,TYPE,KEY[,parameter...]]..."; the
/// last one of the command line becomes group 1. Indices are shown from 1. Errors in the
/// reference's words where it has them.
Result<Snapshot> simulate(const std::vector<std::string>& specifications, bool ignore_storage);

}  // namespace ballast::ganeti
