// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/operators/cli/planner.hpp"
#include "ballast/tidb/backend/load.hpp"
#include "ballast/tidb/search/basis/input.hpp"

#include <tl/expected.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace ballast::tidb {

/// Files that say what `input` says, by name: current.yaml (what runs, as a specification, with its
/// status), desired.yaml (the wish, --set applied), kube.json, and pd-store.json, pd-member.json,
/// pd-health.json, pd-config.json where they are known. Nodes and volumes are left out: they are
/// the same as before. `current` and `desired` are the documents that the input was read from.
using StateFiles = operators::Files;
tl::expected<StateFiles, std::vector<Diagnostic>> state_files(const Input& input,
                                                              const Documents& current,
                                                              const Documents& desired,
                                                              const LoadRequest& request);

/// Writes them into a folder; what goes wrong is told of the option that asked for it.
tl::expected<void, std::vector<Diagnostic>> write_files(std::string_view option,
                                                        const std::string& folder,
                                                        const operators::Files& files);

}  // namespace ballast::tidb
