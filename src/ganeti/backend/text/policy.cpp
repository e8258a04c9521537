// SPDX-License-Identifier: BSD-2-Clause
#include "policy.hpp"

#include <fmt/format.h>

#include "ballast/core/decimal.hpp"
#include "ballast/core/strings.hpp"
#include "ballast/ganeti/model/ids_of.hpp"
#include "rows.hpp"

namespace ballast::ganeti {
namespace {

InstanceSpec read_spec(RowReader& row, const std::string& owner, std::string_view text) {
  constexpr std::size_t kColumns = 6;
  const std::vector<std::string_view> parts = split(text, ',');
  row.require(parts.size() >= kColumns, [&] {
    return fmt::format("Invalid ispec data for {}: {}", owner,
                       shown_list(std::span<const std::string_view>(parts)));
  });
  if (row.failed()) return {};
  InstanceSpec spec;
  spec.memory_mib = row.integer(owner + "/memsize", parts[0]);
  spec.cpu_count = row.integer(owner + "/cpucount", parts[1]);
  spec.disk_mib = row.integer(owner + "/disksize", parts[2]);
  spec.disk_count = row.integer(owner + "/diskcount", parts[3]);
  spec.nic_count = row.integer(owner + "/niccount", parts[4]);
  spec.spindle_use = row.integer(owner + "/spindleuse", parts[5]);
  return spec;
}

std::vector<SpecRange> read_ranges(RowReader& row, const std::string& owner,
                                   std::string_view text) {
  const std::vector<std::string_view> parts = split(text, ';');
  row.require(parts.size() % 2 == 0, [&] { return "Odd number of min/max specs for " + owner; });
  std::vector<SpecRange> ranges;
  for (std::size_t i = 0; i + 1 < parts.size() && !row.failed(); i += 2) {
    const InstanceSpec min = read_spec(row, owner + "/minspec", parts[i]);
    const InstanceSpec max = read_spec(row, owner + "/maxspec", parts[i + 1]);
    ranges.push_back({min, max});
  }
  return ranges;
}

std::vector<DiskTemplate> read_templates(RowReader& row, std::string_view text) {
  std::vector<DiskTemplate> templates;
  for (const std::string_view part : split(text, ',')) {
    const std::optional<DiskTemplate> disk_template = parse_disk_template(part);
    row.require(disk_template.has_value(), [&] {
      return "Invalid string value for type DiskTemplate: " + shown_string(part);
    });
    if (row.failed()) break;
    templates.push_back(*disk_template);
  }
  return templates;
}

std::string spec_text(const InstanceSpec& spec) {
  return fmt::format("{},{},{},{},{},{}", spec.memory_mib, spec.cpu_count, spec.disk_mib,
                     spec.disk_count, spec.nic_count, spec.spindle_use);
}

}  // namespace

PolicyReader::PolicyReader(Cluster& cluster) : cluster_(cluster) {
  for (const GroupId id : group_ids(cluster)) {
    const Group& group = cluster[id];
    groups_.emplace(group.name, id);
    if (group.uuid != group.name) groups_.emplace(group.uuid, id);
  }
}

Status PolicyReader::set(const std::string& owner, InstancePolicy policy) {
  if (owner.empty()) {
    cluster_.policy = std::move(policy);
    return {};
  }
  const auto [first, last] = groups_.equal_range(owner);
  if (first == last || std::next(first) != last)
    return fail(fmt::format("Wrong number of elems found with name {}", owner));
  cluster_.groups[first->second.index()].policy = std::move(policy);
  return {};
}

Status PolicyReader::read(std::string_view line) {
  constexpr std::size_t kColumns = 6;
  const Fields fields = split_fields(line, kColumns);
  if (fields.count < kColumns) {
    const std::vector<std::string_view> parts = split(line, '|');
    return fail(fmt::format("Invalid ipolicy data: '{}'",
                            shown_list(std::span<const std::string_view>(parts))));
  }
  const std::string owner(fields.at[0]);
  RowReader row(owner);
  InstancePolicy policy;
  policy.standard = read_spec(row, owner + "/stdspec", fields.at[1]);
  policy.ranges = read_ranges(row, owner, fields.at[2]);
  policy.disk_templates = read_templates(row, fields.at[3]);
  policy.vcpu_ratio = row.real(owner + "/vcpu_ratio", fields.at[4]);
  policy.spindle_ratio = row.real(owner + "/spindle_ratio", fields.at[5]);
  if (row.failed()) return fail(row.error());
  return set(owner, std::move(policy));
}

std::string policy_line(std::string_view owner, const InstancePolicy& policy) {
  std::string ranges;
  for (const SpecRange& range : policy.ranges) {
    if (!ranges.empty()) ranges += ';';
    ranges += spec_text(range.min) + ';' + spec_text(range.max);
  }
  std::string templates;
  for (const DiskTemplate disk_template : policy.disk_templates) {
    if (!templates.empty()) templates += ',';
    templates += text_of(disk_template);
  }
  return fmt::format("{}|{}|{}|{}|{}|{}", owner, spec_text(policy.standard), ranges, templates,
                     shown(policy.vcpu_ratio), shown(policy.spindle_ratio));
}

}  // namespace ballast::ganeti
