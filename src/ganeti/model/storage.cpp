// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/model/storage.hpp"

#include <algorithm>
#include <array>

namespace ballast::ganeti {
namespace {

constexpr std::array<std::string_view, 10> kKnownTypes{
    "drbd8",   "lvm-vg", "lvm-pv",   "file", "sharedfile",
    "gluster", "rados",  "blockdev", "ext",  "diskless"};
constexpr std::array<std::string_view, 5> kSharedTypes{"sharedfile", "gluster", "rados", "blockdev",
                                                       "ext"};

template <class Texts>
bool holds(const Texts& texts, std::string_view text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

}  // namespace

std::string to_string(const StorageKey& key) { return key.type + "/" + key.key; }

std::string canonical_storage_type(std::string_view type) {
  return std::string(type == "drbd" ? std::string_view("drbd8") : type);
}

bool is_known_storage_type(std::string_view type) { return holds(kKnownTypes, type); }
bool is_shared_storage_type(std::string_view type) { return holds(kSharedTypes, type); }

std::optional<std::string_view> storage_type_of(DiskTemplate disk_template) {
  switch (disk_template) {
    case DiskTemplate::Diskless:
      return std::nullopt;
    case DiskTemplate::File:
      return "file";
    case DiskTemplate::SharedFile:
      return "sharedfile";
    case DiskTemplate::Plain:
      return "lvm-vg";
    case DiskTemplate::Blockdev:
      return "blockdev";
    case DiskTemplate::Drbd:
      return "drbd8";
    case DiskTemplate::Rbd:
      return "rados";
    case DiskTemplate::Ext:
      return "ext";
    case DiskTemplate::Gluster:
      return "gluster";
  }
  return std::nullopt;
}

}  // namespace ballast::ganeti
