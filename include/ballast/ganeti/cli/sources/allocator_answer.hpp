// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "ballast/ganeti/search/allocate/allocator.hpp"

namespace ballast::ganeti::cli {

/// The reference's one line of JSON, with its line end: {"success":...,"info":...,"result":...}.
std::string answer_line(const Cluster& cluster, const AllocatorAnswer& answer);

/// The same form for a request that could not be read: success false, nothing found.
std::string refusal_line(const std::string& reason);

}  // namespace ballast::ganeti::cli
