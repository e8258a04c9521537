// SPDX-License-Identifier: BSD-2-Clause
// Pods and volume claims as the wish describes them.
#pragma once

#include <string_view>

#include "ballast/fdb/model/process_group.hpp"
#include "ballast/fdb/model/spec.hpp"

namespace ballast::fdb {

/// The pod that the operator would make for the group now; nothing of it has run yet.
Pod templated_pod(const ClusterSpec& spec, std::string_view cluster, const ProcessGroup& group);
Volume templated_volume(const ClusterSpec& spec, std::string_view cluster,
                        const ProcessGroup& group);

}  // namespace ballast::fdb
