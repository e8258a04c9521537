// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string_view>

#include "ballast/core/result.hpp"
#include "ballast/ganeti/search/capacity/capacity.hpp"

namespace ballast::ganeti::cli {

/// "disk,memory,vcpus" or "disk,memory,vcpus,spindles" (else 1 spindle); disk and memory with
/// units. Errors in the reference's words, which name the kind ("standard", "tiered").
Result<InstanceSize> read_instance_size(std::string_view kind, std::string_view text);

}  // namespace ballast::ganeti::cli
