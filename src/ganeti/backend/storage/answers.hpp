// SPDX-License-Identifier: BSD-2-Clause
// The results of storage and instance query jobs. Errors name the place in the result and what was
// expected.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ballast/ganeti/backend/json/json.hpp"
#include "ballast/ganeti/backend/storage/query.hpp"

namespace ballast::ganeti {

/// Ganeti's storage types that the enabled templates use and that its query jobs know.
std::vector<std::string> queried_types(const StorageFacts& facts);

/// The cluster's "enabled_disk_templates".
Status read_templates(StorageFacts& facts, json::Value cluster_info);
/// Rows [node, name, size, free]; where `node` is given, rows [name, size, free] of that node.
Status read_places(StorageFacts& facts, std::string_view type, json::Value rows,
                   const std::optional<std::string>& node);
/// {"NAME": {"disks": [...], ...}, ...}
Status read_details(StorageFacts& facts, json::Value details);

/// The result of a job's only operation, once the job has ended; nothing: it runs. Its status and
/// results are those of the keys or positions "status" and "opresult".
Result<std::optional<json::Value>> job_result(json::Value status, json::Value results,
                                              std::string_view job);

}  // namespace ballast::ganeti
