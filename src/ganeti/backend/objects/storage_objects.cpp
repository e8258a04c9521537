// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/backend/objects/storage_objects.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ballast/ganeti/model/unit_resolver.hpp"

namespace ballast::ganeti {
namespace {

using json::Kind;
using json::Value;

/// A short form of a value for an error text.
std::string shown_value(Value value) {
  std::string text = json::pretty(value);
  constexpr std::size_t kMost = 60;
  if (text.size() > kMost) text = text.substr(0, kMost) + "...";
  return text;
}

struct Unit {
  StorageKeyId key;
  std::vector<std::string> parameters;
};

/// [type, key] or [type, key, [parameter, ...]]
Result<Unit> read_unit(Value value, Cluster& cluster) {
  const auto bad = [&] {
    return fail(fmt::format("sunit {}: expected [type, key, [parameters]]", shown_value(value)));
  };
  if (!value.is(Kind::Array) || value.size() < 2 || value.size() > 3) return bad();
  const Value type = value.first();
  const Value key = type.after();
  if (!type.is(Kind::String) || !key.is(Kind::String) || type.raw().empty()) return bad();
  Unit unit{intern_storage_key(cluster, type.text(), key.text()), {}};
  if (value.size() == 2) return unit;
  const Value list = key.after();
  if (!list.is(Kind::Array)) return bad();
  Value parameter = list.first();
  for (std::uint32_t left = list.size(); left > 0; --left, parameter = parameter.after()) {
    unit.parameters.push_back(parameter.is(Kind::String) ? parameter.text()
                                                         : json::pretty(parameter));
  }
  return unit;
}

Result<std::int64_t> read_size(Value entry, std::string_view key) {
  const Value value = entry.member(key);
  if (value.is_missing()) return fail(fmt::format("{} is missing", key));
  const auto size = json::to_int(value);
  const bool is_whole = size && value.raw().find_first_of(".eE") == std::string_view::npos;
  if (!is_whole || *size < 0 || value.raw().size() > 19) {
    return fail(fmt::format("{} {}: expected a size in MiB", key, shown_value(value)));
  }
  return *size;
}

Result<StorageUnit> read_entry(Value entry, const Node& node, Cluster& cluster) {
  if (!entry.is(Kind::Object))
    return fail(fmt::format("{}: expected an object", shown_value(entry)));
  const Value sunit = entry.member("sunit");
  if (sunit.is_missing()) return fail("sunit is missing");
  auto unit = read_unit(sunit, cluster);
  if (!unit) return fail(unit.error());
  const auto free = read_size(entry, "free");
  if (!free) return fail(free.error());
  const auto total = read_size(entry, "total");
  if (!total) return fail(total.error());
  if (*free > *total) return fail(fmt::format("free {} is above total {}", *free, *total));
  const auto is_same = [&](const StorageUnit& other) { return other.key == unit->key; };
  if (std::any_of(node.units.begin(), node.units.end(), is_same)) {
    return fail(fmt::format("the node has a unit {} already", to_string(cluster[unit->key])));
  }
  StorageUnit result;
  result.key = unit->key;
  result.free_mib = *free;
  result.total_mib = *total;
  result.parameters = std::move(unit->parameters);
  return result;
}

std::optional<std::string> text_member(Value disk, std::string_view key) {
  const Value value = json::optional(disk, key);
  if (value.is_missing() || !value.is(Kind::String)) return std::nullopt;
  return value.text();
}

/// Steps 1 and 2: the template gives the type, "vg" or "provider" the key.
std::optional<std::string> key_from_message(DiskTemplate disk_template, Value disk) {
  switch (disk_template) {
    case DiskTemplate::Drbd:
    case DiskTemplate::Plain:
      return text_member(disk, "vg");
    case DiskTemplate::Ext:
      return text_member(disk, "provider");
    default:
      return std::nullopt;
  }
}

Status read_disk_unit(Disk& disk, DiskTemplate disk_template, Value object, Cluster& cluster,
                      bool& is_told) {
  disk.taken_mib = disk.size_mib;
  const Value sunit = json::optional(object, "sunit");
  if (!sunit.is_missing()) {
    auto unit = read_unit(sunit, cluster);
    if (!unit) return fail(unit.error());
    disk.unit = unit->key;
    disk.parameters = std::move(unit->parameters);
    is_told = true;
  } else if (const auto key = key_from_message(disk_template, object)) {
    disk.unit = intern_storage_key(cluster, *storage_type_of(disk_template), *key);
  }
  if (disk_template != DiskTemplate::Drbd) return {};
  const auto meta = text_member(object, "metavg");
  if (!meta || (!disk.unit.is_none() && cluster[disk.unit].key == *meta)) {
    disk.taken_mib += kDrbdMetadataMib;
    return {};
  }
  disk.meta_unit = intern_storage_key(cluster, "drbd8", *meta);
  disk.meta_mib = kDrbdMetadataMib;
  return {};
}

}  // namespace

Status read_storage_list(Node& node, Value list, Cluster& cluster) {
  const std::string start = "invalid data for node '" + node.name + "': key 'storage': ";
  if (!list.is(Kind::Array)) return fail(start + shown_value(list) + ": expected a list");
  node.storage_told = true;
  Value entry = list.first();
  for (std::uint32_t i = 0; i < list.size(); ++i, entry = entry.after()) {
    auto unit = read_entry(entry, node, cluster);
    if (!unit) return fail(fmt::format("{}entry {}: {}", start, i, unit.error().message));
    node.units.push_back(std::move(*unit));
  }
  return {};
}

Status read_node_storage(Node& node, Value object, Cluster& cluster) {
  const Value list = json::optional(object, "storage");
  return list.is_missing() ? Status() : read_storage_list(node, list, cluster);
}

Status read_disk_units(Instance& instance, Value object, Cluster& cluster) {
  const Value list = object.member("disks");
  Value element = list.first();
  for (std::size_t i = 0; i < instance.disks.size(); ++i, element = element.after()) {
    const auto status = read_disk_unit(instance.disks[i], instance.disk_template, element, cluster,
                                       instance.disks_told);
    if (!status) {
      return fail(fmt::format("invalid data for instance '{}': disk {}: {}", instance.name, i,
                              status.error().message));
    }
  }
  return {};
}

}  // namespace ballast::ganeti
