// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/tidb/search/input.hpp"

#include <string>
#include <vector>

namespace ballast::tidb {

/// One line per thing that does not fit: specification against StatefulSet, pods without a set,
/// stores or members without a pod, pods without a store, left-over claims, a status older than the
/// objects.
std::vector<std::string> disagreements(const Input& input);

}  // namespace ballast::tidb
