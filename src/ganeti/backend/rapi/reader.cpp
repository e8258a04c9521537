// SPDX-License-Identifier: BSD-2-Clause
#include "reader.hpp"

#include "ballast/ganeti/backend/objects/storage_objects.hpp"
#include "ballast/ganeti/model/unit_resolver.hpp"

namespace ballast::ganeti {

using json::Kind;
using json::Value;

constexpr std::string_view kNoGroup = "00000000-0000-0000-0000-000000000000";

Status RapiReader::read_group(Value object) {
  Group group;
  const Owned whole{object, "Parsing new group", {}};
  if (auto e = read_into(group.name, whole, "name", json::to_string)) return fail(std::move(*e));
  const std::string owner = "Group '" + group.name + "'";
  const Owned data{object, owner, {}};
  auto e = read_into(group.uuid, data, "uuid", json::to_string);
  if (!e) e = read_into(group.alloc_policy, data, "alloc_policy", to_alloc_policy);
  if (!e) e = read_into(group.policy, data, "ipolicy", to_instance_policy);
  if (!e) e = read_into(group.tags, data, "tags", json::to_strings);
  if (e) return fail(std::move(*e));
  builder_.add(std::move(group));
  return {};
}

Status RapiReader::read_node(Value object) {
  Node node;
  const Owned whole{object, "Parsing new node", {}};
  if (auto e = read_into(node.name, whole, "name", json::to_string)) return fail(std::move(*e));
  const std::string owner = "Node '" + node.name + "', error while parsing data";
  if (auto e = read_node_into(node, Owned{object, owner, {}})) return fail(std::move(*e));
  if (!ignore_storage_) {
    if (auto status = read_node_storage(node, object, builder_.cluster()); !status) return status;
  }
  has_storage_ = has_storage_ || node.storage_told;
  builder_.add(std::move(node));
  return {};
}

Status RapiReader::read_instance(Value object) {
  Instance instance;
  const Owned whole{object, "Parsing new instance", {}};
  if (auto e = read_into(instance.name, whole, "name", json::to_string)) return fail(std::move(*e));
  const std::string owner = "Instance '" + instance.name + "', error while parsing data";
  Placement placement;
  if (auto e = read_instance_into(instance, placement, Owned{object, owner, {}}))
    return fail(std::move(*e));
  set_usual_takings(instance);
  const Value disks = json::optional(object, "disks");
  if (has_storage_ && !disks.is_missing() && disks.is(Kind::Array) &&
      disks.size() == instance.disks.size()) {
    if (auto status = read_disk_units(instance, object, builder_.cluster()); !status) return status;
  }
  builder_.add(std::move(instance), placement);
  return {};
}

Status RapiReader::read_info(Value object) {
  const Owned data{object, "Parsing cluster data", {}};
  std::string master;
  std::string hypervisor;
  auto e = read_into(master, data, "master", json::to_string);
  if (!e) e = read_into(builder_.cluster().tags, data, "tags", json::to_strings);
  if (!e) e = read_into(builder_.cluster().policy, data, "ipolicy", to_instance_policy);
  if (!e) e = read_into(hypervisor, data, "default_hypervisor", to_hypervisor);
  if (e) return fail(std::move(*e));
  return builder_.set_cluster(std::move(hypervisor), master);
}

MaybeError RapiReader::read_node_into(Node& node, const Owned& data) {
  bool is_offline = false;
  bool is_drained = false;
  bool is_vm_capable = true;
  if (auto e = read_into(is_offline, data, "offline", json::to_bool)) return e;
  if (auto e = read_into(is_drained, data, "drained", json::to_bool)) return e;
  if (auto e = read_optional(is_vm_capable, data, "vm_capable", json::to_bool)) return e;
  Value params;
  if (auto e = read_into(params, data, "ndparams", to_itself)) return e;
  if (!params.is(Kind::Object)) return Error{"not an object", {}, Fault::Input};
  const Owned owned_params{params, data.kind, {}};
  if (auto e =
          read_into(node.has_exclusive_storage, owned_params, "exclusive_storage", json::to_bool))
    return e;
  std::string group(kNoGroup);
  if (auto e = read_optional(group, data, "group.uuid", json::to_string)) return e;
  const auto found = builder_.group_of(group, node.name);
  if (!found) return found.error();
  node.group = *found;
  const bool is_live = !is_offline && is_vm_capable;
  node.is_offline = !is_live || is_drained;
  node.os_cpus = 0;
  if (auto e = read_spindles(node, data, owned_params, is_live)) return e;
  if (auto e = is_live ? read_live_figures(node, data) : std::nullopt) return e;
  return read_into(node.tags, data, "tags", json::to_strings);
}

MaybeError RapiReader::read_spindles(Node& node, const Owned& data, const Owned& params,
                                     bool is_live) {
  if (!node.has_exclusive_storage)
    return read_into(node.total_spindles, params, "spindle_count", json::to_int);
  node.total_spindles = 0;
  return is_live ? read_into(node.total_spindles, data, "sptotal", json::to_int) : std::nullopt;
}

MaybeError RapiReader::read_live_figures(Node& node, const Owned& data) {
  const Owned plain{data.object, {}, {}};
  if (auto e = read_optional(node.reported_free_spindles, plain, "spfree", json::to_int)) return e;
  if (auto e = read_into(node.total_mem, data, "mtotal", json::to_double)) return e;
  if (auto e = read_into(node.node_mem, data, "mnode", json::to_int)) return e;
  if (auto e = read_into(node.free_mem, data, "mfree", json::to_int)) return e;
  if (auto e = read_optional(node.total_disk, plain, "dtotal", json::to_double)) return e;
  if (auto e = read_optional(node.reported_free_disk, plain, "dfree", json::to_int)) return e;
  if (auto e = read_into(node.total_cpu, data, "ctotal", json::to_double)) return e;
  return read_into(node.os_cpus, data, "cnos", json::to_int);
}

MaybeError RapiReader::read_instance_into(Instance& instance, Placement& placement,
                                          const Owned& data) {
  if (auto e = read_into(instance.disk_mib, data, "disk_usage", json::to_int)) return e;
  if (auto e = read_disks(instance, data)) return e;
  Value params;
  if (auto e = read_into(params, data, "beparams", json::to_object)) return e;
  const Owned backend{params, data.kind, {}};
  if (auto e = read_memory(instance, data, backend)) return e;
  if (auto e = read_into(instance.vcpus, backend, "vcpus", json::to_int)) return e;
  if (auto e = read_nodes(placement, instance.name, data)) return e;
  if (auto e = read_into(instance.status, data, "status", to_instance_status)) return e;
  if (auto e = read_into(instance.tags, data, "tags", json::to_strings)) return e;
  if (auto e = read_into(instance.auto_balance, backend, "auto_balance", json::to_bool)) return e;
  if (auto e = read_into(instance.disk_template, data, "disk_template", to_disk_template)) return e;
  if (auto e = read_into(instance.spindle_use, backend, "spindle_use", json::to_int)) return e;
  const Value forthcoming = data.object.member("forthcoming");
  instance.is_forthcoming = !forthcoming.is_missing() && forthcoming.is(Kind::True);
  return std::nullopt;
}

MaybeError RapiReader::read_disks(Instance& instance, const Owned& data) {
  std::vector<std::int64_t> sizes;
  if (auto e = read_into(sizes, data, "disk.sizes", to_ints)) return e;
  std::vector<std::optional<std::int64_t>> spindles;
  if (auto e = read_into(spindles, data, "disk.spindles", to_optional_ints)) return e;
  instance.disks = disks_of(sizes, spindles);
  return std::nullopt;
}

/// What it runs with, else its record; the record is not needed where it runs.
MaybeError RapiReader::read_memory(Instance& instance, const Owned& data,
                                   const Owned& backend) const {
  Value seen;
  if (auto e = read_into(seen, data, "oper_ram", to_itself)) return e;
  std::int64_t recorded = 0;
  const auto first = read_into(recorded, backend, "memory", json::to_int);
  const auto second = first ? read_into(recorded, backend, "maxmem", json::to_int) : std::nullopt;
  const bool has_record = !first || !second;
  if (seen.is(Kind::Number)) {
    instance.memory_mib = *json::to_int(seen);
    if (!has_record) return std::nullopt;
    instance.seen_memory_mib = instance.memory_mib;
    instance.recorded_memory_mib = recorded;
    if (state_of_record_) instance.memory_mib = recorded;
    return std::nullopt;
  }
  instance.memory_mib = recorded;
  if (has_record) return std::nullopt;
  return Error{first->message + "; " + second->message, {}, Fault::Input};
}

MaybeError RapiReader::read_nodes(Placement& placement, const std::string& instance,
                                  const Owned& data) {
  std::string name;
  if (auto e = read_into(name, data, "pnode", json::to_string)) return e;
  const auto primary = builder_.node_of(name, instance);
  if (!primary) return primary.error();
  placement.primary = *primary;
  Value list;
  if (auto e = read_into(list, data, "snodes", json::to_list)) return e;
  if (list.size() == 0) return std::nullopt;
  if (!list.first().is(Kind::String)) return Error{"Wrong JSON type", {}, Fault::Input};
  const auto secondary = builder_.node_of(list.first().text(), instance);
  if (!secondary) return secondary.error();
  placement.secondary = *secondary;
  return std::nullopt;
}

}  // namespace ballast::ganeti
