// SPDX-License-Identifier: BSD-2-Clause
#include "storage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "ballast/ganeti/model/unit_resolver.hpp"

namespace ballast::ganeti {
namespace {

/// One field with its escapes resolved, and where it began (bytes from the column's start).
struct Field {
  std::string text;
  std::size_t offset = 0;
};

struct Entry {
  std::vector<Field> fields;
  std::string_view raw;
  std::size_t offset = 0;
};

/// Entries separated by ';', fields by ','. A backslash makes the next character literal; a bare
/// '|' ends the column.
class ColumnReader {
 public:
  ColumnReader(std::string_view column, const Place& place, std::string_view what)
      : column_(column), place_(place), what_(what) {}

  Result<std::vector<Entry>> read() {
    std::vector<Entry> entries;
    if (column_.empty() || column_.front() == '|') return entries;
    for (;;) {
      Entry entry;
      entry.offset = at_;
      if (const Status status = read_entry(entry); !status) return fail(status.error());
      entries.push_back(std::move(entry));
      if (at_ == column_.size() || column_[at_] == '|') return entries;
      ++at_;
    }
  }

  [[nodiscard]] tl::unexpected<Error> bad(const Entry& entry, std::size_t offset,
                                          std::string_view why) const {
    Place place = place_;
    place.column += offset;
    return fail(fmt::format("{} entry {}: {}", what_, quoted(entry.raw), why), std::move(place));
  }

 private:
  Status read_entry(Entry& entry) {
    entry.fields.push_back({{}, at_});
    std::size_t problem = std::string_view::npos;
    std::string_view why;
    for (; at_ < column_.size(); ++at_) {
      char c = column_[at_];
      if (c == ';' || c == '|') break;
      if (c == ',') {
        entry.fields.push_back({{}, at_ + 1});
        continue;
      }
      if (c == '\\' && at_ + 1 == column_.size()) {
        problem = at_;
        why = "a backslash with nothing after it";
        continue;
      }
      if (c == '\\') c = column_[++at_];
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
        problem = at_;
        why = "a control character";
      }
      entry.fields.back().text += c;
    }
    entry.raw = column_.substr(entry.offset, at_ - entry.offset);
    if (problem != std::string_view::npos) return bad(entry, problem, why);
    return {};
  }

  std::string_view column_;
  const Place& place_;
  std::string_view what_;
  std::size_t at_ = 0;
};

/// Empty text where the field is a size; else why it is not one.
std::string_view read_size(const std::string& text, std::int64_t& size) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, size);
  if (error == std::errc::result_out_of_range) return "is too large a number";
  if (error != std::errc() || stop != end) return "is not a number";
  if (size < 0) return "is negative";
  return {};
}

std::vector<std::string> parameters_from(const Entry& entry, std::size_t first) {
  std::vector<std::string> parameters;
  for (std::size_t i = first; i < entry.fields.size(); ++i)
    parameters.push_back(entry.fields[i].text);
  return parameters;
}

Status read_sizes(const ColumnReader& reader, const Entry& entry,
                  std::initializer_list<std::string_view> names,
                  std::initializer_list<std::int64_t*> sizes) {
  const std::size_t needed = names.size() + 2;
  if (entry.fields.size() < needed) {
    return reader.bad(entry, entry.offset,
                      fmt::format("{} field{} instead of {} or more", entry.fields.size(),
                                  entry.fields.size() == 1 ? "" : "s", needed));
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Field& field = entry.fields[i];
    const std::string_view why = read_size(field.text, *sizes.begin()[i]);
    if (!why.empty())
      return reader.bad(entry, field.offset, fmt::format("{} {}", names.begin()[i], why));
  }
  const Field& type = entry.fields[names.size()];
  if (type.text.empty()) return reader.bad(entry, type.offset, "type is empty");
  return {};
}

void append_escaped(std::string& text, std::string_view part) {
  for (const char c : part) {
    if (c == ',' || c == ';' || c == '|' || c == '\\') text += '\\';
    text += c;
  }
}

void append_key(std::string& text, const StorageKey& key,
                const std::vector<std::string>& parameters) {
  text += ',';
  append_escaped(text, key.type);
  text += ',';
  append_escaped(text, key.key);
  for (const std::string& parameter : parameters) {
    text += ',';
    append_escaped(text, parameter);
  }
}

}  // namespace

Result<std::vector<StorageUnit>> read_storage_column(std::string_view column, const Place& place,
                                                     Cluster& cluster) {
  ColumnReader reader(column, place, "storage");
  const Result<std::vector<Entry>> entries = reader.read();
  if (!entries) return fail(entries.error());
  std::vector<StorageUnit> units;
  for (const Entry& entry : *entries) {
    StorageUnit unit;
    if (const Status status =
            read_sizes(reader, entry, {"free", "total"}, {&unit.free_mib, &unit.total_mib});
        !status) {
      return fail(status.error());
    }
    if (unit.free_mib > unit.total_mib) {
      return reader.bad(entry, entry.offset,
                        fmt::format("free {} is above total {}", unit.free_mib, unit.total_mib));
    }
    unit.key = intern_storage_key(cluster, entry.fields[2].text, entry.fields[3].text);
    unit.parameters = parameters_from(entry, 4);
    if (std::any_of(units.begin(), units.end(),
                    [&](const StorageUnit& other) { return other.key == unit.key; })) {
      return reader.bad(
          entry, entry.offset,
          fmt::format("the node has a unit {} already", to_string(cluster[unit.key])));
    }
    units.push_back(std::move(unit));
  }
  return units;
}

Result<std::vector<Disk>> read_disks_column(std::string_view column, const Place& place,
                                            Cluster& cluster) {
  ColumnReader reader(column, place, "disks");
  const Result<std::vector<Entry>> entries = reader.read();
  if (!entries) return fail(entries.error());
  std::vector<Disk> disks;
  for (const Entry& entry : *entries) {
    Disk disk;
    if (const Status status = read_sizes(reader, entry, {"size"}, {&disk.size_mib}); !status) {
      return fail(status.error());
    }
    disk.taken_mib = disk.size_mib;
    disk.unit = intern_storage_key(cluster, entry.fields[1].text, entry.fields[2].text);
    disk.parameters = parameters_from(entry, 3);
    disks.push_back(std::move(disk));
  }
  return disks;
}

std::string storage_column(const Cluster& cluster, const Node& node, const NodeState& state) {
  std::string text;
  for (const StorageUnit& unit : node.units) {
    const bool is_set =
        unit.capacity >= 0 && static_cast<std::size_t>(unit.capacity) < state.capacities.size();
    const std::int64_t free =
        is_set ? state.capacities[static_cast<std::size_t>(unit.capacity)].free_mib : unit.free_mib;
    if (!text.empty()) text += ';';
    text += fmt::format("{},{}", free, unit.total_mib);
    append_key(text, cluster[unit.key], unit.parameters);
  }
  return text;
}

std::string disks_column(const Cluster& cluster, const Instance& instance) {
  std::string text;
  for (const Disk& disk : instance.disks) {
    if (disk.unit.is_none()) continue;
    if (!text.empty()) text += ';';
    text += std::to_string(disk.taken_mib);
    append_key(text, cluster[disk.unit], disk.parameters);
    if (disk.meta_unit.is_none()) continue;
    text += ';' + std::to_string(disk.meta_mib);
    append_key(text, cluster[disk.meta_unit], {});
  }
  return text;
}

}  // namespace ballast::ganeti
