// SPDX-License-Identifier: BSD-2-Clause
// The parts of a request document: groups, nodes, instances. Each reads its keys in the reference's order, because the first error wins.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ballast/ganeti/backend/iallocator.hpp"
#include "ballast/ganeti/backend/json.hpp"

namespace ballast::ganeti {

/// An object whose errors begin with "invalid data for node 'NAME': " or the like; an empty kind gives no prefix.
struct Owned {
  json::Value object;
  std::string_view kind;  ///< "invalid data for node"
  std::string_view name;

  [[nodiscard]] Error worded(Error error) const;

  template <class Convert>
  auto need(std::string_view key, Convert convert) const -> decltype(convert(json::Value())) {
    auto value = json::required(object, key, convert);
    if (!value) return fail(worded(std::move(value.error())));
    return value;
  }
};

/// An error, or none: reading goes on field by field.
using MaybeError = std::optional<Error>;

/// target = the converted value; the error otherwise.
template <class Target, class Convert>
MaybeError read_into(Target& target, const Owned& owner, std::string_view key, Convert convert) {
  auto value = owner.need(key, convert);
  if (!value) return std::move(value.error());
  target = std::move(*value);
  return std::nullopt;
}

/// The same for a key that may be missing or null: the target keeps its value then. `owner` words errors only.
template <class Target, class Convert>
MaybeError read_optional(Target& target, const Owned& owner, std::string_view key, Convert convert) {
  const json::Value found = json::optional(owner.object, key);
  if (found.is_missing()) return std::nullopt;
  auto value = convert(found);
  if (!value) return owner.worded(json::at_key(key, std::move(value.error())));
  target = std::move(*value);
  return std::nullopt;
}

using IndexByName = std::unordered_map<std::string, std::int32_t>;  ///< of equal names the last

Result<AllocPolicy> to_alloc_policy(json::Value value);
Result<DiskTemplate> to_disk_template(json::Value value);
Result<std::string> to_hypervisor(json::Value value);
Result<EvacuateMode> to_evacuate_mode(json::Value value);

Result<InstancePolicy> to_instance_policy(json::Value value);

Result<Group> read_group(const std::string& uuid, json::Value value);
Result<Node> read_node(const std::string& name, json::Value value, const IndexByName& groups);
/// The description that instances and requests share; no nodes.
Result<Instance> read_instance(const std::string& name, json::Value value);
/// Primary, then secondary, if any, of an instance in the list.
Result<Placement> read_placement(const std::string& name, json::Value value, const IndexByName& nodes);

}  // namespace ballast::ganeti
