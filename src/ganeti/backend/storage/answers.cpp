// SPDX-License-Identifier: BSD-2-Clause
#include "answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ballast/ganeti/backend/objects/object_reader.hpp"

namespace ballast::ganeti {
namespace {

using json::Kind;
using json::Value;

std::string shortened(Value value) {
  constexpr std::size_t kMost = 80;
  std::string text = json::pretty(value);
  if (text.size() > kMost) text = text.substr(0, kMost) + "...";
  return text;
}

tl::unexpected<Error> unexpected_value(std::string_view where, Value value,
                                       std::string_view expected) {
  return fail(fmt::format("{}: {}: expected {}", where, shortened(value), expected));
}

/// Ganeti's storage type behind a template, where its storage query knows it.
std::optional<std::string_view> queried_type(DiskTemplate disk_template) {
  switch (disk_template) {
    case DiskTemplate::Drbd:
    case DiskTemplate::Plain:
      return "lvm-vg";
    case DiskTemplate::File:
      return "file";
    case DiskTemplate::SharedFile:
      return "sharedfile";
    case DiskTemplate::Gluster:
      return "gluster";
    default:
      return std::nullopt;
  }
}

std::optional<std::int64_t> size_of(Value value) {
  const auto number = json::to_int(value);
  return number && *number >= 0 ? std::optional(*number) : std::nullopt;
}

/// The text at `index` of a list; none where there is no such.
std::optional<std::string> text_at(Value list, std::uint32_t index) {
  if (list.is_missing() || !list.is(Kind::Array) || list.size() <= index) return std::nullopt;
  Value element = list.first();
  while (index-- > 0) element = element.after();
  return element.is(Kind::String) ? std::optional(element.text()) : std::nullopt;
}

/// plain: [volume group, volume]; file and the like: [driver, path]; ext: [provider, name]; drbd:
/// in its two children, data and metadata.
std::optional<DiskPlace> place_of(Value disk) {
  const Value type = disk.member("dev_type");
  const Value id = disk.member("logical_id");
  if (type.is_missing()) return std::nullopt;
  if (type.text_equals("drbd")) {
    const Value children = json::optional(disk, "children");
    if (children.is_missing() || !children.is(Kind::Array) || children.size() != 2)
      return std::nullopt;
    const Value data = children.first();
    const Value metadata = data.after();
    if (!data.is(Kind::Object) || !metadata.is(Kind::Object)) return std::nullopt;
    const auto key = text_at(data.member("logical_id"), 0);
    const auto metadata_key = text_at(metadata.member("logical_id"), 0);
    if (!key || !metadata_key) return std::nullopt;
    return DiskPlace{*key, *metadata_key};
  }
  const bool is_first = type.text_equals("plain") || type.text_equals("ext");
  const auto key = text_at(id, is_first ? 0 : 1);
  return key ? std::optional(DiskPlace{*key, {}}) : std::nullopt;
}

}  // namespace

std::vector<std::string> queried_types(const StorageFacts& facts) {
  std::vector<std::string> types;
  for (const DiskTemplate disk_template : facts.templates) {
    if (const auto type = queried_type(disk_template)) types.emplace_back(*type);
  }
  std::sort(types.begin(), types.end());
  types.erase(std::unique(types.begin(), types.end()), types.end());
  return types;
}

Status read_templates(StorageFacts& facts, Value cluster_info) {
  const auto templates = json::to_object(cluster_info).and_then([](Value info) {
    return json::required(info, "enabled_disk_templates", json::to_strings);
  });
  if (!templates) return fail("cluster info: " + templates.error().message);
  for (const std::string& name : *templates) {
    if (const auto known = parse_disk_template(name)) facts.templates.push_back(*known);
  }
  return {};
}

Status read_places(StorageFacts& facts, std::string_view type, Value rows,
                   const std::optional<std::string>& node) {
  const std::string where = fmt::format("storage query for {}", type);
  if (!rows.is(Kind::Array)) return unexpected_value(where, rows, "a list of rows");
  const std::uint32_t width = node ? 3 : 4;
  Value row = rows.first();
  for (std::uint32_t left = rows.size(); left > 0; --left, row = row.after()) {
    const std::string_view expected = node ? "[name, size, free]" : "[node, name, size, free]";
    if (!row.is(Kind::Array) || row.size() != width) return unexpected_value(where, row, expected);
    const auto owner = node ? node : text_at(row, 0);
    const Value name = node ? row.first() : row.first().after();
    const auto total = size_of(name.after());
    const auto free = size_of(name.after().after());
    if (!owner || !name.is(Kind::String) || !total || !free || *free > *total)
      return unexpected_value(where, row, expected);
    facts.places[*owner][std::string(type)].push_back({name.text(), *total, *free});
  }
  return {};
}

Status read_details(StorageFacts& facts, Value details) {
  if (!details.is(Kind::Object)) return unexpected_value("instance details", details, "an object");
  Value name = details.first();
  for (std::uint32_t left = details.size(); left > 0; --left, name = name.after().after()) {
    const std::string instance = name.text();
    const std::string where = fmt::format("details of instance {}", instance);
    const Value one = name.after();
    if (!one.is(Kind::Object)) return unexpected_value(where, one, "an object");
    const auto disks = json::required(one, "disks", json::to_list);
    if (!disks) return fail(where + ": " + disks.error().message);
    std::vector<DiskPlace>& places = facts.disks[instance];
    Value disk = disks->first();
    for (std::uint32_t d = disks->size(); d > 0; --d, disk = disk.after()) {
      if (!disk.is(Kind::Object)) return unexpected_value(where, disk, "a disk");
      const auto place = place_of(disk);
      if (!place) return unexpected_value(where, disk, "a disk with dev_type and logical_id");
      places.push_back(*place);
    }
  }
  return {};
}

Result<std::optional<Value>> job_result(Value status, Value results, std::string_view job) {
  const auto word = json::to_string(status);
  if (!word) return unexpected_value(fmt::format("job {}", job), status, "a status");
  constexpr std::array<std::string_view, 3> kEnded{"success", "error", "canceled"};
  if (std::find(kEnded.begin(), kEnded.end(), *word) == kEnded.end()) return std::nullopt;
  if (*word != "success")
    return fail(fmt::format("job {} ended as {}: {}", job, *word, shortened(results)));
  if (!results.is(Kind::Array) || results.size() != 1)
    return unexpected_value(fmt::format("job {}", job), results, "one result");
  return results.first();
}

}  // namespace ballast::ganeti
