// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>

#include "ballast/core/strings.hpp"
#include "ballast/core/utf8.hpp"
#include "ballast/ganeti/backend/text/text.hpp"
#include "name_index.hpp"
#include "policy.hpp"
#include "rows.hpp"
#include "storage.hpp"

namespace ballast::ganeti {
namespace {

std::string shown_fields(std::string_view line) {
  const std::vector<std::string_view> parts = split(line, '|');
  return shown_list(std::span<const std::string_view>(parts));
}

/// `Y` or `N`; anything else fails with `message` and the text.
template <class Message>
bool read_flag(RowReader& row, std::string_view text, Message message) {
  row.require(text == "Y" || text == "N", message);
  return text == "Y";
}

class TextReader {
 public:
  TextReader(const Sections& sections, const std::string& file, const TextOptions& options)
      : sections_(sections),
        file_(file),
        options_(options),
        group_index_(sections.at[0].size()),
        node_index_(sections.at[1].size()) {}

  Result<Snapshot> read() {
    if (const Status status = read_all(); !status) return fail(status.error());
    return std::move(snapshot_);
  }

 private:
  Status read_all() {
    Cluster& cluster = snapshot_.cluster;
    cluster.nodes.reserve(sections_.at[1].size());
    snapshot_.state.nodes.reserve(sections_.at[1].size());
    cluster.instances.reserve(sections_.at[2].size());
    snapshot_.state.placements.reserve(sections_.at[2].size());
    for (const std::string_view line : sections_.at[0]) {
      if (const Status status = read_group(line); !status) return status;
    }
    for (const std::string_view& line : sections_.at[1]) {
      if (const Status status = read_node(line); !status) return status;
    }
    for (const std::string_view& line : sections_.at[2]) {
      if (const Status status = read_instance(line); !status) return status;
    }
    cluster.tags.assign(sections_.at[3].begin(), sections_.at[3].end());
    PolicyReader policies(cluster);
    for (const std::string_view line : sections_.at[4]) {
      if (const Status status = policies.read(line); !status) return status;
    }
    return {};
  }

  Status read_group(std::string_view line);
  Status read_node(const std::string_view& line);
  Status read_instance(const std::string_view& line);
  void read_node_numbers(RowReader& row, const Fields& fields, Node& node);
  Status read_units(const std::string_view& line, const Fields& fields, Node& node);
  Status read_disks(const std::string_view& line, const Fields& fields, Instance& instance);
  [[nodiscard]] Place place_of(const std::string_view& line, std::string_view column) const {
    return {file_, sections_.line_number(line),
            static_cast<std::size_t>(column.data() - line.data()) + 1};
  }
  NodeId read_node_name(RowReader& row, std::string_view text, std::string_view instance);

  const Sections& sections_;
  const std::string& file_;
  const TextOptions& options_;
  NameIndex group_index_;
  NameIndex node_index_;
  bool has_storage_ = false;  ///< some node read so far tells its units
  Snapshot snapshot_;
};

Status TextReader::read_group(std::string_view line) {
  constexpr std::size_t kNeeded = 4;
  const Fields fields = split_fields(line, kNeeded + 1);
  if (fields.count < kNeeded)
    return fail(fmt::format("Invalid/incomplete group data: '{}'", shown_fields(line)));
  const std::optional<AllocPolicy> policy = parse_alloc_policy(fields.at[2]);
  if (!policy)
    return fail("Invalid string value for type AllocPolicy: " + shown_string(fields.at[2]));
  Group group;
  group.name = fields.at[0];
  group.uuid = fields.at[1];
  group.alloc_policy = *policy;
  group.tags = comma_list(fields.at[3]);
  group.networks = comma_list(fields.get(4, ""));
  group_index_.put(fields.at[1], static_cast<std::int32_t>(snapshot_.cluster.groups.size()));
  snapshot_.cluster.groups.push_back(std::move(group));
  return {};
}

void TextReader::read_node_numbers(RowReader& row, const Fields& fields, Node& node) {
  node.total_mem = row.real(fields.at[1]);
  node.node_mem = row.integer(fields.at[2]);
  node.free_mem = row.integer(fields.at[3]);
  node.total_disk = row.real(fields.at[4]);
  node.reported_free_disk = row.integer(fields.at[5]);
  node.total_cpu = row.real(fields.at[6]);
  node.os_cpus = row.integer(fields.get(13, "1"));
  node.total_spindles = row.integer(fields.get(9, "1"));
  node.cpu_speed = row.real(fields.get(14, "1.0"));
  node.reported_free_spindles = row.integer(fields.get(12, "0"));
  const std::string_view exclusive = fields.get(11, "N");
  node.has_exclusive_storage = read_flag(row, exclusive, [&] {
    return fmt::format("Invalid exclusive_storage value for node '{}': {}", node.name, exclusive);
  });
  node.is_offline = fields.at[7] == "Y";
  node.is_master = fields.at[7] == "M";
  node.tags = comma_list(fields.get(10, ""));
}

Status TextReader::read_node(const std::string_view& line) {
  constexpr std::size_t kNeeded = 9;
  const Fields fields = split_fields(line, Fields::kMost);
  if (fields.count < kNeeded)
    return fail(fmt::format("Invalid/incomplete node data: '{}'", shown_fields(line)));
  const std::int32_t group = group_index_.find(fields.at[8]);
  if (group < 0)
    return fail(fmt::format("Unknown group '{}' for node {}", fields.at[8], fields.at[0]));
  Node node;
  node.name = fields.at[0];
  node.group = GroupId(group);
  if (std::find(fields.at.begin() + 1, fields.at.begin() + 7, "?") != fields.at.begin() + 7) {
    node.is_offline = true;
    node.os_cpus = 0;
    node.total_spindles = 0;
  } else {
    RowReader row(fields.at[0]);
    read_node_numbers(row, fields, node);
    if (row.failed()) return fail(row.error());
    if (const Status status = read_units(line, fields, node); !status) return status;
  }
  node_index_.put(fields.at[0], static_cast<std::int32_t>(snapshot_.cluster.nodes.size()));
  snapshot_.state.nodes.push_back(initial_state(node));
  snapshot_.cluster.nodes.push_back(std::move(node));
  snapshot_.node_lines.push_back(sections_.line_number(line));
  return {};
}

Status TextReader::read_units(const std::string_view& line, const Fields& fields, Node& node) {
  if (!fields.has_rest || options_.ignore_storage) return {};
  auto units = read_storage_column(fields.rest, place_of(line, fields.rest), snapshot_.cluster);
  if (!units) return fail(std::move(units.error()));
  node.units = std::move(*units);
  node.storage_told = true;
  has_storage_ = true;
  return {};
}

/// Precondition: the instance has the one disk that columns 3 and 12 describe; its spindles go to
/// the first disk that is told. Where no node tells storage, the column is a surplus one.
Status TextReader::read_disks(const std::string_view& line, const Fields& fields,
                              Instance& instance) {
  if (!fields.has_rest || !has_storage_) return {};
  auto disks = read_disks_column(fields.rest, place_of(line, fields.rest), snapshot_.cluster);
  if (!disks) return fail(std::move(disks.error()));
  const std::optional<std::int64_t> spindles = instance.disks.front().spindles;
  instance.disks = std::move(*disks);
  instance.disks_told = true;
  for (Disk& disk : instance.disks) {
    if (spindles) disk.spindles = &disk == instance.disks.data() ? *spindles : 0;
  }
  return {};
}

NodeId TextReader::read_node_name(RowReader& row, std::string_view text,
                                  std::string_view instance) {
  const std::int32_t index = node_index_.find(text);
  row.require(index >= 0,
              [&] { return fmt::format("Unknown node '{}' for instance {}", text, instance); });
  return NodeId(index);
}

Status TextReader::read_instance(const std::string_view& line) {
  constexpr std::size_t kNeeded = 10;
  const Fields fields = split_fields(line, kNeeded + 3);
  if (fields.count < kNeeded)
    return fail(fmt::format("Invalid/incomplete instance data: '{}'", shown_fields(line)));
  const std::string_view name = fields.at[0];
  RowReader row(name);
  Instance instance;
  Placement placement;
  instance.name = name;
  placement.primary = read_node_name(row, fields.at[6], name);
  if (!fields.at[7].empty()) placement.secondary = read_node_name(row, fields.at[7], name);
  instance.memory_mib = row.integer(fields.at[1]);
  instance.disk_mib = row.integer(fields.at[2]);
  instance.vcpus = row.integer(fields.at[3]);
  const std::optional<InstanceStatus> status = parse_instance_status(fields.at[4]);
  row.require(status.has_value(), [&] {
    return "Invalid string value for type InstanceStatus: " + shown_string(fields.at[4]);
  });
  instance.auto_balance = read_flag(row, fields.at[5], [&] {
    return fmt::format("Invalid auto_balance value '{}' for instance {}", fields.at[5], name);
  });
  const std::optional<DiskTemplate> disk_template = parse_disk_template(fields.at[8]);
  row.require(disk_template.has_value(), [&] {
    return fmt::format("Instance {}: Invalid string value for type DiskTemplate: {}", name,
                       shown_string(fields.at[8]));
  });
  instance.spindle_use = row.integer(fields.get(10, "1"));
  const std::string_view spindles = fields.get(11, "-");
  Disk disk;
  if (spindles != "-") disk.spindles = row.integer(spindles);
  const std::string_view forthcoming = fields.get(12, "N");
  instance.is_forthcoming = read_flag(row, forthcoming, [&] {
    return fmt::format("Invalid forthcoming value '{}' for instance {}", forthcoming, name);
  });
  row.require(!(disk_template == DiskTemplate::Drbd && placement.primary == placement.secondary),
              [&] {
                return fmt::format("Instance {} has same primary and secondary node - {}", name,
                                   fields.at[6]);
              });
  if (row.failed()) return fail(row.error());
  instance.status = *status;
  instance.disk_template = *disk_template;
  instance.tags = comma_list(fields.at[9]);
  disk.size_mib = instance.disk_mib;
  disk.taken_mib = instance.disk_mib;
  instance.disks.push_back(std::move(disk));
  if (const Status told = read_disks(line, fields, instance); !told) return told;
  snapshot_.cluster.instances.push_back(std::move(instance));
  snapshot_.state.placements.push_back(placement);
  snapshot_.instance_lines.push_back(sections_.line_number(line));
  return {};
}

}  // namespace

Result<Snapshot> read_text(std::string_view content, const std::string& file,
                           const TextOptions& options) {
  if (const std::size_t bad = first_invalid_utf8(content); bad != std::string_view::npos) {
    return fail(invalid_utf8(content, bad, file));
  }
  const Result<Sections> sections = split_sections(content);
  if (!sections) return fail(sections.error());
  return TextReader(*sections, file, options).read();
}

}  // namespace ballast::ganeti
