// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/backend/objects/cluster_objects.hpp"

#include <algorithm>
#include <array>

namespace ballast::ganeti {
namespace {

using json::Kind;
using json::Value;

/// Null is a node without local storage; the reference cannot read it.
Result<std::int64_t> to_int_or_null(Value value) {
  return value.is(Kind::Null) ? Result<std::int64_t>(0) : json::to_int(value);
}
Result<double> to_double_or_null(Value value) {
  return value.is(Kind::Null) ? Result<double>(0.0) : json::to_double(value);
}

MaybeError not_an_object() { return Error{"not an object", {}, Fault::Input}; }

MaybeError read_live_figures(Node& node, const Owned& data) {
  if (auto e = read_into(node.reported_free_spindles, data, "free_spindles", json::to_int))
    return e;
  if (auto e = read_into(node.total_mem, data, "total_memory", json::to_double)) return e;
  if (auto e = read_into(node.node_mem, data, "reserved_memory", json::to_int)) return e;
  if (auto e = read_into(node.free_mem, data, "free_memory", json::to_int)) return e;
  if (auto e = read_into(node.total_disk, data, "total_disk", to_double_or_null)) return e;
  if (auto e = read_into(node.reported_free_disk, data, "free_disk", to_int_or_null)) return e;
  if (auto e = read_into(node.total_cpu, data, "total_cpus", json::to_double)) return e;
  return read_into(node.os_cpus, data, "reserved_cpus", json::to_int);
}

MaybeError read_spindles(Node& node, const Owned& data, const Owned& params, bool is_live) {
  if (!node.has_exclusive_storage)
    return read_into(node.total_spindles, params, "spindle_count", json::to_int);
  node.total_spindles = 0;
  return is_live ? read_into(node.total_spindles, data, "total_spindles", json::to_int)
                 : std::nullopt;
}

MaybeError read_node_into(Node& node, const Owned& data, const IndexByName& groups) {
  bool is_offline = false;
  bool is_drained = false;
  bool is_vm_capable = true;
  std::string group;
  if (auto e = read_into(is_offline, data, "offline", json::to_bool)) return e;
  if (auto e = read_into(is_drained, data, "drained", json::to_bool)) return e;
  if (auto e = read_into(group, data, "group", json::to_string)) return e;
  if (auto e = read_optional(is_vm_capable, data, "vm_capable", json::to_bool)) return e;
  const auto found = groups.find(group);
  if (found == groups.end())
    return Error{"Unknown group '" + group + "' for node " + node.name, {}, Fault::Input};
  node.group = GroupId(found->second);
  Value params;
  if (auto e =
          read_into(params, data, "ndparams", [](Value value) { return Result<Value>(value); }))
    return e;
  if (!params.is(Kind::Object)) return not_an_object();
  if (auto e = read_optional(node.tags, Owned{data.object, {}, {}}, "tags", json::to_strings))
    return e;
  const Owned owned_params{params, data.kind, data.name};
  if (auto e =
          read_into(node.has_exclusive_storage, owned_params, "exclusive_storage", json::to_bool))
    return e;
  const bool is_live = !is_offline && is_vm_capable;
  node.is_offline = !is_live || is_drained;
  node.os_cpus = 0;
  if (auto e = read_spindles(node, data, owned_params, is_live)) return e;
  return is_live ? read_live_figures(node, data) : std::nullopt;
}

constexpr std::array<std::string_view, 3> kNicModes{"bridged", "routed", "openvswitch"};

MaybeError read_nic(Nic& nic, Value value, const std::string& instance) {
  if (!value.is(Kind::Object)) return not_an_object();
  const Owned plain{value, {}, {}};
  if (auto e = read_optional(nic.mac, plain, "mac", json::to_string)) return e;
  if (auto e = read_optional(nic.ip, plain, "ip", json::to_string)) return e;
  const bool has_mode = !json::optional(value, "mode").is_missing();
  if (auto e = read_optional(nic.mode, plain, "mode", json::to_string)) return e;
  if (has_mode && std::find(kNicModes.begin(), kNicModes.end(), nic.mode) == kNicModes.end()) {
    return Error{"invalid NIC mode in instance " + instance, {}, Fault::Input};
  }
  if (auto e = read_optional(nic.link, plain, "link", json::to_string)) return e;
  if (auto e = read_optional(nic.bridge, plain, "bridge", json::to_string)) return e;
  return read_optional(nic.network, plain, "network", json::to_string);
}

/// The value of a key that must be an array; its own error has no owner.
MaybeError read_array(Value& target, const Owned& data, std::string_view key) {
  if (auto e = read_into(target, data, key, [](Value value) { return Result<Value>(value); }))
    return e;
  if (target.is(Kind::Array)) return std::nullopt;
  return Error{"Invalid input, expected array but got " + json::pretty(target), {}, Fault::Input};
}

MaybeError read_disks(std::vector<Disk>& disks, const Owned& data) {
  Value list;
  if (auto e = read_array(list, data, "disks")) return e;
  disks.resize(list.size());
  Value element = list.first();
  for (std::size_t i = 0; i < disks.size(); ++i, element = element.after()) {
    if (!element.is(Kind::Object)) return not_an_object();
  }
  element = list.first();
  for (Disk& disk : disks) {
    if (auto e =
            read_into(disk.size_mib, Owned{element, data.kind, data.name}, "size", json::to_int))
      return e;
    element = element.after();
  }
  element = list.first();
  for (Disk& disk : disks) {
    if (auto e = read_optional(disk.spindles, Owned{element, data.kind, data.name}, "spindles",
                               json::to_int))
      return e;
    element = element.after();
  }
  return std::nullopt;
}

MaybeError read_nics(std::vector<Nic>& nics, const Owned& data) {
  Value list;
  if (auto e = read_array(list, data, "nics")) return e;
  nics.resize(list.size());
  Value element = list.first();
  for (std::size_t i = 0; i < nics.size(); ++i, element = element.after()) {
    if (!element.is(Kind::Object)) return not_an_object();
  }
  element = list.first();
  for (Nic& nic : nics) {
    if (auto e = read_nic(nic, element, std::string(data.name))) return e;
    element = element.after();
  }
  return std::nullopt;
}

InstanceStatus status_of(Value object) {
  const Value state = object.member("admin_state");
  if (state.is_missing() || !state.is(Kind::String)) return InstanceStatus::Running;
  if (state.text_equals("down")) return InstanceStatus::AdminDown;
  return state.text_equals("offline") ? InstanceStatus::AdminOffline : InstanceStatus::Running;
}

MaybeError read_instance_into(Instance& instance, const Owned& data) {
  if (auto e = read_into(instance.disk_mib, data, "disk_space_total", json::to_int)) return e;
  if (auto e = read_disks(instance.disks, data)) return e;
  if (auto e = read_into(instance.memory_mib, data, "memory", json::to_int)) return e;
  if (auto e = read_into(instance.vcpus, data, "vcpus", json::to_int)) return e;
  if (auto e = read_into(instance.tags, data, "tags", json::to_strings)) return e;
  if (auto e = read_into(instance.disk_template, data, "disk_template", to_disk_template)) return e;
  if (auto e = read_into(instance.spindle_use, data, "spindle_use", json::to_int)) return e;
  if (auto e = read_nics(instance.nics, data)) return e;
  instance.status = status_of(data.object);
  const Value forthcoming = data.object.member("forthcoming");
  instance.is_forthcoming = !forthcoming.is_missing() && forthcoming.is(Kind::True);
  instance.is_movable = is_movable_by_default(instance.disk_template);
  return std::nullopt;
}

Result<NodeId> read_node_name(Value value, const std::string& instance, const IndexByName& nodes) {
  if (!value.is(Kind::String)) return fail("Wrong JSON type");
  const std::string name = value.text();
  const auto found = nodes.find(name);
  if (found == nodes.end()) return fail("Unknown node '" + name + "' for instance " + instance);
  return NodeId(found->second);
}

}  // namespace

Result<Group> read_group(const std::string& uuid, Value value) {
  if (!value.is(Kind::Object)) return fail(*not_an_object());
  const Owned data{value, "invalid data for group", uuid};
  Group group;
  group.uuid = uuid;
  auto error = read_into(group.name, data, "name", json::to_string);
  if (!error) error = read_into(group.alloc_policy, data, "alloc_policy", to_alloc_policy);
  if (!error) error = read_into(group.networks, data, "networks", json::to_strings);
  if (!error) error = read_into(group.policy, data, "ipolicy", to_instance_policy);
  if (!error) error = read_into(group.tags, data, "tags", json::to_strings);
  if (error) return fail(std::move(*error));
  return group;
}

Result<Node> read_node(const std::string& name, Value value, const IndexByName& groups) {
  if (!value.is(Kind::Object)) return fail(*not_an_object());
  Node node;
  node.name = name;
  if (auto error = read_node_into(node, Owned{value, "invalid data for node", name}, groups))
    return fail(std::move(*error));
  return node;
}

Result<Instance> read_instance(const std::string& name, Value value) {
  Instance instance;
  instance.name = name;
  if (auto error = read_instance_into(instance, Owned{value, "invalid data for instance", name})) {
    return fail(std::move(*error));
  }
  return instance;
}

Result<Placement> read_placement(const std::string& name, Value value, const IndexByName& nodes) {
  const auto list = json::required(value, "nodes", json::to_list);
  if (!list) return fail(list.error());
  if (list->size() == 0) return fail("empty node list for instance " + name);
  const auto primary = read_node_name(list->first(), name, nodes);
  if (!primary) return fail(primary.error());
  if (list->size() == 1) return Placement{*primary, NodeId(), 0};
  const auto secondary = read_node_name(list->first().after(), name, nodes);
  if (!secondary) return fail(secondary.error());
  return Placement{*primary, *secondary, 0};
}

}  // namespace ballast::ganeti
