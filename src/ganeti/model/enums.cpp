// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/model/enums.hpp"

#include <cstddef>

namespace ballast::ganeti {
namespace {

struct TemplateRow {
  std::string_view text;
  std::string_view shown;
  Mirroring mirroring;
  bool is_movable;
  bool is_shared;
};

constexpr std::array<TemplateRow, 9> kTemplates{{
    {"diskless", "DTDiskless", Mirroring::External, false, true},
    {"file", "DTFile", Mirroring::None, false, false},
    {"sharedfile", "DTSharedFile", Mirroring::External, true, true},
    {"plain", "DTPlain", Mirroring::None, false, false},
    {"blockdev", "DTBlock", Mirroring::External, true, false},
    {"drbd", "DTDrbd8", Mirroring::Internal, true, false},
    {"rbd", "DTRbd", Mirroring::External, true, true},
    {"ext", "DTExt", Mirroring::External, true, true},
    {"gluster", "DTGluster", Mirroring::External, true, true},
}};

struct StatusRow {
  std::string_view text;
  bool uses_memory;
  bool is_running;
  bool is_offline;
};

constexpr std::array<StatusRow, 9> kStatuses{{
    {"ADMIN_down", false, false, false},
    {"ADMIN_offline", false, false, true},
    {"ERROR_down", false, false, false},
    {"ERROR_up", true, true, false},
    {"ERROR_nodedown", true, false, false},
    {"ERROR_nodeoffline", true, false, false},
    {"running", true, true, false},
    {"USER_down", false, false, false},
    {"ERROR_wrongnode", true, false, false},
}};

constexpr std::array<std::string_view, 3> kAllocPolicies{"preferred", "last_resort", "unallocable"};

const TemplateRow& row(DiskTemplate value) { return kTemplates[static_cast<std::size_t>(value)]; }
const StatusRow& row(InstanceStatus value) { return kStatuses[static_cast<std::size_t>(value)]; }

}  // namespace

std::string_view text_of(DiskTemplate disk_template) { return row(disk_template).text; }
std::string_view shown_of(DiskTemplate disk_template) { return row(disk_template).shown; }

std::optional<DiskTemplate> parse_disk_template(std::string_view text) {
  for (std::size_t i = 0; i < kTemplates.size(); ++i) {
    if (kTemplates[i].text == text) return static_cast<DiskTemplate>(i);
  }
  return std::nullopt;
}

Mirroring mirroring_of(DiskTemplate disk_template) { return row(disk_template).mirroring; }
bool is_movable_by_default(DiskTemplate disk_template) { return row(disk_template).is_movable; }
bool is_shared_for_evacuation(DiskTemplate disk_template) { return row(disk_template).is_shared; }

std::string_view text_of(InstanceStatus status) { return row(status).text; }

std::optional<InstanceStatus> parse_instance_status(std::string_view text) {
  for (std::size_t i = 0; i < kStatuses.size(); ++i) {
    if (kStatuses[i].text == text) return static_cast<InstanceStatus>(i);
  }
  return std::nullopt;
}

bool status_uses_memory(InstanceStatus status) { return row(status).uses_memory; }
bool status_is_running(InstanceStatus status) { return row(status).is_running; }
bool status_is_offline(InstanceStatus status) { return row(status).is_offline; }

std::string_view text_of(AllocPolicy policy) {
  return kAllocPolicies[static_cast<std::size_t>(policy)];
}

std::optional<AllocPolicy> parse_alloc_policy(std::string_view text) {
  for (std::size_t i = 0; i < kAllocPolicies.size(); ++i) {
    if (kAllocPolicies[i] == text) return static_cast<AllocPolicy>(i);
  }
  return std::nullopt;
}

}  // namespace ballast::ganeti
