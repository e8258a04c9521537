// SPDX-License-Identifier: BSD-2-Clause
// The size of an instance that does not exist yet, as the command line says it.
#pragma once

#include "ballast/core/result.hpp"
#include "ballast/ganeti/model/instance.hpp"

#include <string>
#include <string_view>

namespace ballast::ganeti::cli {

struct RoomSpec {
  std::int64_t memory_mib = 0;
  std::int64_t disk_mib = 1024;
  std::int64_t vcpus = 1;
  DiskTemplate disk_template = DiskTemplate::Drbd;
};

/// "memory=14G,disk=20G,vcpus=2,template=drbd": only memory must be there, in any order. The error
/// names the part that cannot be read and what was expected.
Result<RoomSpec> parse_room(std::string_view text);
/// In the form that parse_room reads, sizes in MiB.
std::string to_string(const RoomSpec& room);
/// One disk, whose storage unit is not known yet; running, balanced automatically.
Instance instance_of(const RoomSpec& room);

}  // namespace ballast::ganeti::cli
