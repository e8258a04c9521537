// SPDX-License-Identifier: BSD-2-Clause
// Disk templates, instance states and allocation policies, with the texts of the snapshot formats.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ballast::ganeti {

/// In the reference's enumeration order.
enum class DiskTemplate : std::uint8_t {
  Diskless,
  File,
  SharedFile,
  Plain,
  Blockdev,
  Drbd,
  Rbd,
  Ext,
  Gluster
};
inline constexpr std::array kDiskTemplates{
    DiskTemplate::Diskless, DiskTemplate::File,     DiskTemplate::SharedFile,
    DiskTemplate::Plain,    DiskTemplate::Blockdev, DiskTemplate::Drbd,
    DiskTemplate::Rbd,      DiskTemplate::Ext,      DiskTemplate::Gluster};

enum class Mirroring : std::uint8_t { None, Internal, External };

std::string_view text_of(DiskTemplate disk_template);   ///< "drbd"
std::string_view shown_of(DiskTemplate disk_template);  ///< "DTDrbd8", as verbose output shows it
std::optional<DiskTemplate> parse_disk_template(std::string_view text);

Mirroring mirroring_of(DiskTemplate disk_template);
bool is_movable_by_default(DiskTemplate disk_template);  ///< diskless is not: a quirk that is kept
/// plain, drbd: takes node disk in the old accounting
constexpr bool uses_local_disk(DiskTemplate disk_template) {
  return disk_template == DiskTemplate::Plain || disk_template == DiskTemplate::Drbd;
}
/// drbd, whatever the secondary index says
constexpr bool has_secondary(DiskTemplate disk_template) {
  return disk_template == DiskTemplate::Drbd;
}
bool is_shared_for_evacuation(DiskTemplate disk_template);  ///< of the global N+1 check; blockdev
                                                            ///< is not: a quirk that is kept

enum class InstanceStatus : std::uint8_t {
  AdminDown,
  AdminOffline,
  ErrorDown,
  ErrorUp,
  ErrorNodeDown,
  ErrorNodeOffline,
  Running,
  UserDown,
  ErrorWrongNode
};
std::string_view text_of(InstanceStatus status);
std::optional<InstanceStatus> parse_instance_status(std::string_view text);
bool status_uses_memory(InstanceStatus status);
bool status_is_running(InstanceStatus status);
bool status_is_offline(InstanceStatus status);

enum class AllocPolicy : std::uint8_t { Preferred, LastResort, Unallocable };
std::string_view text_of(AllocPolicy policy);
std::optional<AllocPolicy> parse_alloc_policy(std::string_view text);

}  // namespace ballast::ganeti
