// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/balance/room_spec.hpp"

#include "ballast/core/strings.hpp"
#include "ballast/ganeti/backend/json/number.hpp"
#include "ballast/ganeti/backend/simulate/size.hpp"
#include "ballast/ganeti/model/unit_resolver.hpp"

#include <fmt/format.h>

namespace ballast::ganeti::cli {
namespace {

bool set_size(std::int64_t& target_mib, std::string_view text) {
  const auto size = parse_size(text);
  if (!size || *size < 0) return false;
  target_mib = *size;
  return true;
}

bool set_count(std::int64_t& target, std::string_view text) {
  const auto number = parse_int("vcpus", text);
  if (!number || *number < 1) return false;
  target = *number;
  return true;
}

bool set_template(DiskTemplate& target, std::string_view text) {
  const auto disk_template = parse_disk_template(text);
  if (!disk_template) return false;
  target = *disk_template;
  return true;
}

bool set_part(RoomSpec& room, std::string_view part) {
  const std::size_t equals = part.find('=');
  if (equals == std::string_view::npos) return false;
  const std::string_view key = part.substr(0, equals);
  const std::string_view text = part.substr(equals + 1);
  if (key == "memory") return set_size(room.memory_mib, text);
  if (key == "disk") return set_size(room.disk_mib, text);
  if (key == "vcpus") return set_count(room.vcpus, text);
  return key == "template" && set_template(room.disk_template, text);
}

}  // namespace

Result<RoomSpec> parse_room(std::string_view text) {
  RoomSpec room;
  for (const std::string_view part : split(text, ',')) {
    if (set_part(room, part)) continue;
    return fail(fmt::format(
        "cannot read '{}': expected memory=SIZE, disk=SIZE, vcpus=N or template=NAME", part));
  }
  if (room.memory_mib <= 0)
    return fail(fmt::format("'{}' asks for no memory: expected memory=SIZE", text));
  return room;
}

std::string to_string(const RoomSpec& room) {
  return fmt::format("memory={},disk={},vcpus={},template={}", room.memory_mib, room.disk_mib,
                     room.vcpus, text_of(room.disk_template));
}

Instance instance_of(const RoomSpec& room) {
  Instance instance;
  instance.name = instance.alias = "new instance";
  instance.memory_mib = room.memory_mib;
  instance.vcpus = room.vcpus;
  instance.disk_template = room.disk_template;
  if (room.disk_template == DiskTemplate::Diskless) return instance;
  Disk disk;
  disk.size_mib = room.disk_mib;
  instance.disks.push_back(disk);
  set_usual_takings(instance);
  // Ganeti asks the allocator for the metadata, too.
  instance.disk_mib = instance.disks.front().taken_mib;
  return instance;
}

}  // namespace ballast::ganeti::cli
