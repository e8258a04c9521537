// SPDX-License-Identifier: BSD-2-Clause
#include "request.hpp"

#include <algorithm>

#include "ballast/core/strings.hpp"
#include "ballast/ganeti/backend/objects/storage_objects.hpp"
#include "ballast/ganeti/loading/pipeline.hpp"
#include "ballast/ganeti/model/group_name.hpp"
#include "ballast/ganeti/model/ids_of.hpp"
#include "ballast/ganeti/model/near_name.hpp"
#include "ballast/ganeti/model/unit_resolver.hpp"

namespace ballast::ganeti {
namespace {

using json::Kind;
using json::Value;

Owned owned_request(Value request) { return {request, "invalid request dict", {}}; }

/// Finds things by either of two names; a name must mean exactly one.
class TwoNames {
 public:
  void add(const std::string& name, const std::string& other, std::int32_t index) {
    note(name, index);
    if (other != name) note(other, index);
  }

  [[nodiscard]] Result<std::int32_t> find(const std::string& name) const {
    const auto found = found_.find(name);
    if (found != found_.end() && found->second >= 0) return found->second;
    return fail("Wrong number of elems found with name " + name);
  }

 private:
  static constexpr std::int32_t kSeveral = -1;
  void note(const std::string& name, std::int32_t index) {
    const auto [place, is_new] = found_.emplace(name, index);
    if (!is_new) place->second = kSeveral;
  }
  IndexByName found_;
};

template <class Named>
TwoNames by_name_or_alias(const std::vector<Named>& all) {
  TwoNames names;
  for (std::size_t i = 0; i < all.size(); ++i)
    names.add(all[i].name, all[i].alias, static_cast<std::int32_t>(i));
  return names;
}

template <class Id, class Named>
Result<std::vector<Id>> resolved(const TwoNames& names, const std::vector<std::string>& texts,
                                 const std::vector<Named>& all, bool tells_near_names) {
  std::vector<Id> ids;
  for (const std::string& text : texts) {
    const auto index = names.find(text);
    if (!index) return fail(index.error().message + (tells_near_names ? near_name(text, all) : ""));
    ids.emplace_back(*index);
  }
  return ids;
}

Result<std::vector<Value>> to_objects(Value value) {
  if (!value.is(Kind::Array)) return fail("Unable to read list");
  std::vector<Value> objects;
  Value element = value.first();
  for (std::uint32_t left = value.size(); left > 0; --left, element = element.after()) {
    if (!element.is(Kind::Object)) return fail("Unable to read JSObject");
    objects.push_back(element);
  }
  return objects;
}

bool has_same_units(const Instance& a, const Instance& b) {
  return std::equal(a.disks.begin(), a.disks.end(), b.disks.begin(),
                    [](const Disk& x, const Disk& y) { return x.unit == y.unit; });
}

/// The units of one new instance: the same in all groups where it may go.
Status resolve_disks(NewInstance& wanted, const Cluster& cluster, UnitResolver& resolver) {
  Instance& instance = wanted.instance;
  std::optional<Instance> resolved;
  std::optional<Error> problem;
  for (const GroupId id : group_ids(cluster)) {
    const Group& group = cluster[id];
    if (wanted.group && !is_called(group, *wanted.group)) continue;
    Instance tried = instance;
    const auto status = resolver.resolve_request(tried, id);
    if (!status) {
      if (!problem) problem = status.error();
    } else if (!resolved) {
      resolved = std::move(tried);
    } else if (!has_same_units(*resolved, tried)) {
      return fail("instance " + instance.name +
                  ": its disks would go to different storage units in different groups; "
                  "--default-storage TYPE=KEY tells which to use");
    }
  }
  if (resolved) instance = std::move(*resolved);
  if (!resolved && problem) return fail(std::move(*problem));
  return {};
}

}  // namespace

Result<Request> RequestReader::read(Value request) const {
  const auto type = owned_request(request).need("type", json::to_string);
  if (!type) return fail(type.error());
  if (*type == "allocate") return read_allocate(request);
  if (*type == "multi-allocate") return read_multi_allocate(request);
  if (*type == "relocate") return read_relocate(request);
  if (*type == "change-group") return read_change_group(request);
  if (*type == "node-evacuate") return read_node_evacuate(request);
  if (*type == "allocate-secondary") return read_allocate_secondary(request);
  return fail("Invalid request type '" + *type + "'");
}

Result<NewInstance> RequestReader::read_new_instance(Value description, Value request) const {
  NewInstance wanted;
  const auto name = owned_request(description).need("name", json::to_string);
  if (!name) return fail(name.error());
  if (auto error =
          read_optional(wanted.group, Owned{request, {}, {}}, "group_name", json::to_string))
    return fail(std::move(*error));
  wanted.instance.name = *name;
  return wanted;
}

Result<NewInstance> RequestReader::read_whole_instance(Value description, Value request) const {
  auto wanted = read_new_instance(description, request);
  if (!wanted) return wanted;
  const auto count = owned_request(description).need("required_nodes", json::to_int);
  if (!count) return fail(count.error());
  auto instance = read_instance(wanted->instance.name, description);
  if (!instance) return fail(instance.error());
  instance->alias = instance->name;  // common suffixes are cut off the cluster's own only
  set_request_tags(cluster_, *instance);
  return NewInstance{std::move(*instance), *count, std::move(wanted->group)};
}

Result<Request> RequestReader::read_allocate(Value request) const {
  // Its name is asked for before the nodes, the rest after them.
  if (const auto named = read_new_instance(request, request); !named) return fail(named.error());
  AllocateRequest result;
  if (auto error = read_optional(result.restrict_to_nodes, Owned{request, {}, {}},
                                 "restrict-to-nodes", json::to_strings))
    return fail(std::move(*error));
  auto wanted = read_whole_instance(request, request);
  if (!wanted) return fail(wanted.error());
  result.wanted = std::move(*wanted);
  return result;
}

Result<Request> RequestReader::read_multi_allocate(Value request) const {
  const auto elements = owned_request(request).need("instances", to_objects);
  if (!elements) return fail(elements.error());
  MultiAllocateRequest result;
  for (const Value element : *elements) {
    auto wanted = read_whole_instance(element, request);
    if (!wanted) return fail(wanted.error());
    result.wanted.push_back(std::move(*wanted));
  }
  return result;
}

Result<InstanceId> RequestReader::read_exact_name(Value request) const {
  const auto name = owned_request(request).need("name", json::to_string);
  if (!name) return fail(name.error());
  for (std::size_t i = cluster_.instances.size(); i-- > 0;) {
    if (cluster_.instances[i].name == *name) return InstanceId(i);
  }
  return fail("Unknown instance '" + *name + "'" +
              (tells_near_names_ ? near_name(*name, cluster_.instances) : ""));
}

Result<Request> RequestReader::read_relocate(Value request) const {
  const auto instance = read_exact_name(request);
  if (!instance) return fail(instance.error());
  const auto count = owned_request(request).need("required_nodes", json::to_int);
  if (!count) return fail(count.error());
  const auto names = owned_request(request).need("relocate_from", json::to_strings);
  if (!names) return fail(names.error());
  auto from =
      resolved<NodeId>(by_name_or_alias(cluster_.nodes), *names, cluster_.nodes, tells_near_names_);
  if (!from) return fail(from.error());
  return RelocateRequest{*instance, *count, std::move(*from)};
}

Result<Request> RequestReader::read_change_group(Value request) const {
  const auto names = owned_request(request).need("instances", json::to_strings);
  if (!names) return fail(names.error());
  auto instances = resolved<InstanceId>(by_name_or_alias(cluster_.instances), *names,
                                        cluster_.instances, tells_near_names_);
  if (!instances) return fail(instances.error());
  const auto group_names = owned_request(request).need("target_groups", json::to_strings);
  if (!group_names) return fail(group_names.error());
  TwoNames groups;
  for (const GroupId id : group_ids(cluster_)) {
    groups.add(cluster_[id].name, cluster_[id].uuid, id.value());
  }
  auto targets = resolved<GroupId>(groups, *group_names, cluster_.groups, tells_near_names_);
  if (!targets) return fail(targets.error());
  return ChangeGroupRequest{std::move(*instances), std::move(*targets)};
}

Result<Request> RequestReader::read_node_evacuate(Value request) const {
  const auto names = owned_request(request).need("instances", json::to_strings);
  if (!names) return fail(names.error());
  auto instances = resolved<InstanceId>(by_name_or_alias(cluster_.instances), *names,
                                        cluster_.instances, tells_near_names_);
  if (!instances) return fail(instances.error());
  const auto mode = owned_request(request).need("evac_mode", to_evacuate_mode);
  if (!mode) return fail(mode.error());
  return NodeEvacuateRequest{std::move(*instances), *mode};
}

Result<Request> RequestReader::read_allocate_secondary(Value request) const {
  const auto instance = read_exact_name(request);
  if (!instance) return fail(instance.error());
  return AllocateSecondaryRequest{*instance};
}

Status resolve_request_disks(Value request, Cluster& cluster,
                             const std::vector<StorageKey>& default_storage, Request& wanted) {
  if (!cluster.has_storage) return {};
  UnitResolver resolver(cluster, default_storage);
  const auto resolve = [&](NewInstance& one, Value description) -> Status {
    if (auto status = read_disk_units(one.instance, description, cluster); !status) return status;
    return resolve_disks(one, cluster, resolver);
  };
  if (auto* one = std::get_if<AllocateRequest>(&wanted)) return resolve(one->wanted, request);
  auto* several = std::get_if<MultiAllocateRequest>(&wanted);
  if (several == nullptr) return {};
  const auto elements = owned_request(request).need("instances", to_objects);
  if (!elements) return fail(elements.error());
  for (std::size_t i = 0; i < elements->size(); ++i) {
    if (auto status = resolve(several->wanted[i], (*elements)[i]); !status) return status;
  }
  return {};
}

}  // namespace ballast::ganeti
