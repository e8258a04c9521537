// SPDX-License-Identifier: BSD-2-Clause
// What the readers of allocator requests, RAPI and LUXI answers share: fields whose errors name
// their owner, and the words of the model.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ballast/ganeti/backend/json/json.hpp"
#include "ballast/ganeti/model/enums.hpp"
#include "ballast/ganeti/model/policy.hpp"
#include "ballast/ganeti/model/request.hpp"
#include "ballast/ganeti/model/storage.hpp"

namespace ballast::ganeti {

/// An object whose errors begin with "invalid data for node 'NAME': " or the like; an empty kind
/// gives no prefix.
struct Owned {
  json::Value object;
  std::string_view kind;  ///< "invalid data for node"
  std::string_view name;  ///< empty where `kind` is the whole prefix

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

/// The same for a key that may be missing or null: the target keeps its value then. `owner` words
/// errors only.
template <class Target, class Convert>
MaybeError read_optional(Target& target, const Owned& owner, std::string_view key,
                         Convert convert) {
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
Result<InstanceStatus> to_instance_status(json::Value value);
Result<std::string> to_hypervisor(json::Value value);
Result<EvacuateMode> to_evacuate_mode(json::Value value);

Result<InstancePolicy> to_instance_policy(json::Value value);
Result<json::Value> to_itself(json::Value value);
Result<std::vector<std::int64_t>> to_ints(json::Value value);
/// A list whose elements may be null.
Result<std::vector<std::optional<std::int64_t>>> to_optional_ints(json::Value value);

/// Pairs up as many as the shorter list has.
std::vector<Disk> disks_of(const std::vector<std::int64_t>& sizes_mib,
                           const std::vector<std::optional<std::int64_t>>& spindles);

}  // namespace ballast::ganeti
