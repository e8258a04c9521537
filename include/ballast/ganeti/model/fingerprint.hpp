// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/ganeti/model/cluster.hpp"

#include <string>

namespace ballast::ganeti {

/// SHA-256 of the model's canonical text: every fact that decides a plan, objects sorted by name,
/// so that neither the order nor the white space of a snapshot matters.
std::string fingerprint(const Cluster& cluster, const State& state);

}  // namespace ballast::ganeti
