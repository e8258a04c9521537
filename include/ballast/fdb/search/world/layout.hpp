// SPDX-License-Identifier: BSD-2-Clause
// What a pod looks like inside: its servers, their IDs, ports and directories, and the template
// that starts them.
#pragma once

#include <string>
#include <vector>

#include "ballast/core/value.hpp"
#include "ballast/fdb/search/step/trace_step.hpp"

namespace ballast::fdb {

struct World;
struct Member;

/// Precondition: the group has a pod. Ports are those of the addresses that are required now.
GroupLayout layout_of(const World& world, const Member& group);

/// "storage-4: storage-4-1 on 4501, storage-4-2 on 4503, from fdbmonitor-conf-storage-density-2".
std::string layout_text(const GroupLayout& layout);
/// pod, config_map_key, servers[] of process_id, ports[], data_directory.
Value layout_value(const GroupLayout& layout);

}  // namespace ballast::fdb
