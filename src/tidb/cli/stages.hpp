// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/core/result.hpp"
#include "ballast/tidb/backend/load.hpp"
#include "ballast/tidb/search/basis/outcome.hpp"

#include <string>

namespace ballast::tidb {

/// Writes DIR/01-COMPONENT-SET.yaml and so on: one file per set that changes, in plan order, each
/// with the changes of all sets so far. The last one means the same as the desired file.
tl::expected<void, std::vector<Diagnostic>> write_stages(const std::string& directory,
                                                         const Outcome& outcome,
                                                         const Documents& current,
                                                         const Documents& desired,
                                                         const LoadRequest& request);

}  // namespace ballast::tidb
