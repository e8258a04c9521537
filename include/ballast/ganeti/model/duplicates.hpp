// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <string>

#include "ballast/ganeti/model/snapshot.hpp"

namespace ballast::ganeti {

/// Two nodes or two instances of one name, with where both stand: "two nodes are named n2, on lines
/// 5 and 6". None: every name tells one thing. The reference's answers bear with such input, where
/// the later one counts; whatever speaks of things by name cannot.
std::optional<std::string> duplicate_name(const Snapshot& snapshot);

}  // namespace ballast::ganeti
