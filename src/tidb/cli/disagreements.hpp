// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/report/document.hpp"
#include "ballast/tidb/search/basis/input.hpp"

#include <vector>

namespace ballast::tidb {

/// One finding per thing that does not fit: specification against StatefulSet, pods without a set,
/// stores or members without a pod, pods without a store, left-over claims, a status older than the
/// objects.
std::vector<report::Finding> disagreements(const Input& input);

}  // namespace ballast::tidb
