// SPDX-License-Identifier: BSD-2-Clause
#include "reader.hpp"

#include <fmt/format.h>

#include <array>

#include "ballast/ganeti/backend/objects/storage_objects.hpp"
#include "ballast/ganeti/model/unit_resolver.hpp"

namespace ballast::ganeti {
namespace {

using json::Value;

/// Positions in the rows: the order of the requests below.
namespace node_at {
enum Index : std::size_t {
  Name,
  TotalMem,
  NodeMem,
  FreeMem,
  TotalDisk,
  FreeDisk,
  TotalCpu,
  OsCpus,
  Offline,
  Drained,
  VmCapable,
  Spindles,
  Group,
  Tags,
  Exclusive,
  TotalSpindles,
  FreeSpindles,
  Speed,
  Storage
};
}
constexpr std::array<std::string_view, 19> kNodeFields{
    "name",       "mtotal",     "mnode",
    "mfree",      "dtotal",     "dfree",
    "ctotal",     "cnos",       "offline",
    "drained",    "vm_capable", "ndp/spindle_count",
    "group.uuid", "tags",       "ndp/exclusive_storage",
    "sptotal",    "spfree",     "ndp/cpu_speed",
    "storage"};

namespace instance_at {
enum Index : std::size_t {
  Name,
  DiskUsage,
  Memory,
  Vcpus,
  Status,
  Primary,
  Secondaries,
  Tags,
  AutoBalance,
  Template,
  SpindleUse,
  Sizes,
  Spindles,
  Forthcoming
};
}
constexpr std::array<std::string_view, 14> kInstanceFields{
    "name",           "disk_usage", "be/memory",     "be/vcpus",        "status",
    "pnode",          "snodes",     "tags",          "be/auto_balance", "disk_template",
    "be/spindle_use", "disk.sizes", "disk.spindles", "forthcoming"};

namespace group_at {
enum Index : std::size_t { Uuid, Name, Policy, Limits, Tags };
}
constexpr std::array<std::string_view, 5> kGroupFields{"uuid", "name", "alloc_policy", "ipolicy",
                                                       "tags"};

template <std::size_t N>
std::string query(std::string_view what, const std::array<std::string_view, N>& fields,
                  std::size_t count = N) {
  return fmt::format(R"({{"method":"Query","args":["{}",["{}"],null]}})", what,
                     fmt::join(fields.begin(), fields.begin() + count, "\",\""));
}

Status check_length(const LuxiRow& row, std::string_view what, std::size_t least,
                    std::size_t most) {
  if (row.size() >= least && row.size() <= most) return {};
  return fail(fmt::format("Invalid {} query result: {}", what, internal(row)));
}

Result<std::string> name_of(const LuxiRow& row, std::size_t index, std::string_view what) {
  auto name = LuxiFields(row, {}, {}).bare(index, json::to_string);
  if (!name) return fail(fmt::format("Parsing new {}: {}", what, name.error().message));
  return name;
}

/// A figure that stays 0 whatever is wrong with it.
template <class Target, class Convert>
void read_if_good(Target& target, const LuxiFields& fields, std::size_t index, Convert convert) {
  if (const auto value = fields.bare(index, convert)) target = *value;
}

/// The field "storage" in the form that read_node_storage reads; a master that does not know it
/// tells nothing.
Status read_storage(Node& node, const LuxiRow& row, Cluster& cluster) {
  if (row.size() <= node_at::Storage) return {};
  const auto list = LuxiFields(row, {}, {}).bare(node_at::Storage, to_itself);
  return list ? read_storage_list(node, *list, cluster) : Status();
}

}  // namespace

std::string node_query(bool ignore_storage) {
  return query("node", kNodeFields, kNodeFields.size() - (ignore_storage ? 1 : 0));
}
std::string instance_query() { return query("instance", kInstanceFields); }
std::string group_query() { return query("group", kGroupFields); }

Status LuxiReader::read_group(const LuxiRow& row) {
  if (auto status = check_length(row, "group", kGroupFields.size(), kGroupFields.size()); !status)
    return status;
  Group group;
  auto name = name_of(row, group_at::Name, "group");
  if (!name) return fail(std::move(name.error()));
  group.name = std::move(*name);
  const LuxiFields fields(row, "Group", group.name);
  auto e = fields.read(group.uuid, group_at::Uuid, "uuid", json::to_string);
  if (!e) e = fields.read(group.alloc_policy, group_at::Policy, "alloc_policy", to_alloc_policy);
  if (!e) e = fields.read(group.policy, group_at::Limits, "ipolicy", to_instance_policy);
  if (!e) e = fields.read(group.tags, group_at::Tags, "tags", json::to_strings);
  if (e) return fail(std::move(*e));
  builder_.add(std::move(group));
  return {};
}

Status LuxiReader::read_node(const LuxiRow& row) {
  if (auto status = check_length(row, "node", kNodeFields.size() - 1, kNodeFields.size()); !status)
    return status;
  Node node;
  auto name = name_of(row, node_at::Name, "node");
  if (!name) return fail(std::move(name.error()));
  node.name = std::move(*name);
  if (auto e = read_node_into(node, LuxiFields(row, "Node", node.name))) return fail(std::move(*e));
  if (!ignore_storage_) {
    if (auto status = read_storage(node, row, builder_.cluster()); !status) return status;
  }
  builder_.add(std::move(node));
  return {};
}

MaybeError LuxiReader::read_node_into(Node& node, const LuxiFields& fields) {
  bool is_offline = false;
  bool is_drained = false;
  bool is_vm_capable = true;
  std::string group;
  if (auto e = fields.read(is_offline, node_at::Offline, "offline", json::to_bool)) return e;
  if (auto e = fields.read(is_drained, node_at::Drained, "drained", json::to_bool)) return e;
  if (auto e = fields.read(is_vm_capable, node_at::VmCapable, "vm_capable", json::to_bool))
    return e;
  if (auto e = fields.read(group, node_at::Group, "group.uuid", json::to_string)) return e;
  const auto found = builder_.group_of(group, node.name);
  if (!found) return found.error();
  node.group = *found;
  if (auto e = fields.read(node.tags, node_at::Tags, "tags", json::to_strings)) return e;
  if (auto e = fields.read(node.has_exclusive_storage, node_at::Exclusive, "exclusive_storage",
                           json::to_bool))
    return e;
  if (auto e = fields.read(node.cpu_speed, node_at::Speed, "cpu_speed", json::to_double)) return e;
  const bool is_live = !is_offline && is_vm_capable;
  node.is_offline = !is_live || is_drained;
  node.os_cpus = 0;
  if (auto e = read_spindles(node, fields, is_live)) return e;
  return is_live ? read_live_figures(node, fields) : std::nullopt;
}

MaybeError LuxiReader::read_spindles(Node& node, const LuxiFields& fields, bool is_live) {
  if (!node.has_exclusive_storage)
    return fields.read(node.total_spindles, node_at::Spindles, "spindles", json::to_int);
  node.total_spindles = 0;
  return is_live ? fields.read(node.total_spindles, node_at::TotalSpindles, "sptotal", json::to_int)
                 : std::nullopt;
}

MaybeError LuxiReader::read_live_figures(Node& node, const LuxiFields& fields) {
  read_if_good(node.reported_free_spindles, fields, node_at::FreeSpindles, json::to_int);
  read_if_good(node.total_disk, fields, node_at::TotalDisk, json::to_double);
  read_if_good(node.reported_free_disk, fields, node_at::FreeDisk, json::to_int);
  if (auto e = fields.read(node.total_mem, node_at::TotalMem, "mtotal", json::to_double)) return e;
  if (auto e = fields.read(node.node_mem, node_at::NodeMem, "mnode", json::to_int)) return e;
  if (auto e = fields.read(node.free_mem, node_at::FreeMem, "mfree", json::to_int)) return e;
  if (auto e = fields.read(node.total_cpu, node_at::TotalCpu, "ctotal", json::to_double)) return e;
  return fields.read(node.os_cpus, node_at::OsCpus, "cnos", json::to_int);
}

Status LuxiReader::read_instance(const LuxiRow& row) {
  if (auto status = check_length(row, "instance", kInstanceFields.size(), kInstanceFields.size());
      !status)
    return status;
  Instance instance;
  auto name = name_of(row, instance_at::Name, "instance");
  if (!name) return fail(std::move(name.error()));
  instance.name = std::move(*name);
  Placement placement;
  if (auto e = read_instance_into(instance, placement, LuxiFields(row, "Instance", instance.name)))
    return fail(std::move(*e));
  set_usual_takings(instance);
  builder_.add(std::move(instance), placement);
  return {};
}

MaybeError LuxiReader::read_instance_into(Instance& instance, Placement& placement,
                                          const LuxiFields& fields) {
  using namespace instance_at;  // NOLINT(google-build-using-namespace): an enumeration
  if (auto e = fields.read(instance.disk_mib, DiskUsage, "disk_usage", json::to_int)) return e;
  if (auto e = fields.read(instance.memory_mib, Memory, "be/memory", json::to_int)) return e;
  if (auto e = fields.read(instance.vcpus, Vcpus, "be/vcpus", json::to_int)) return e;
  if (auto e = read_places(placement, instance.name, fields)) return e;
  if (auto e = fields.read(instance.status, Status, "status", to_instance_status)) return e;
  if (auto e = fields.read(instance.tags, Tags, "tags", json::to_strings)) return e;
  if (auto e = fields.read(instance.auto_balance, AutoBalance, "auto_balance", json::to_bool))
    return e;
  if (auto e = fields.read(instance.disk_template, Template, "disk_template", to_disk_template))
    return e;
  if (auto e = fields.read(instance.spindle_use, SpindleUse, "be/spindle_use", json::to_int))
    return e;
  if (auto e = read_disks(instance, fields)) return e;
  return fields.read(instance.is_forthcoming, Forthcoming, "forthcoming", json::to_bool);
}

MaybeError LuxiReader::read_places(Placement& placement, const std::string& instance,
                                   const LuxiFields& fields) {
  std::string name;
  if (auto e = fields.read(name, instance_at::Primary, "pnode", json::to_string)) return e;
  const auto primary = builder_.node_of(name, instance);
  if (!primary) return primary.error();
  placement.primary = *primary;
  std::vector<std::string> secondaries;
  if (auto e = fields.read(secondaries, instance_at::Secondaries, "snodes", json::to_strings))
    return e;
  if (secondaries.empty()) return std::nullopt;
  const auto secondary = builder_.node_of(secondaries.front(), instance);
  if (!secondary) return secondary.error();
  placement.secondary = *secondary;
  return std::nullopt;
}

MaybeError LuxiReader::read_disks(Instance& instance, const LuxiFields& fields) {
  std::vector<std::int64_t> sizes;
  if (auto e = fields.read(sizes, instance_at::Sizes, "disk.sizes", to_ints)) return e;
  auto list = fields.bare(instance_at::Spindles, to_itself);
  if (!list) return std::move(list.error());
  const auto spindles = to_optional_ints(*list);
  if (!spindles) return fields.owned("disk.spindles", spindles.error());
  instance.disks = disks_of(sizes, *spindles);
  return std::nullopt;
}

Status LuxiReader::read_cluster(Value info) {
  if (!info.is(json::Kind::Object)) return fail("Cannot parse cluster info, not a JSON record");
  const Owned data{info, "Parsing cluster info", {}};
  std::string master;
  std::string hypervisor;
  auto e = read_into(builder_.cluster().tags, data, "tags", json::to_strings);
  if (!e) e = read_into(builder_.cluster().policy, data, "ipolicy", to_instance_policy);
  if (!e) e = read_into(master, data, "master", json::to_string);
  if (!e) e = read_into(hypervisor, data, "default_hypervisor", to_hypervisor);
  if (e) return fail(std::move(*e));
  return builder_.set_cluster(std::move(hypervisor), master);
}

}  // namespace ballast::ganeti
