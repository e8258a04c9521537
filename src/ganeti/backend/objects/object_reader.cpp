// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/backend/objects/object_reader.hpp"

#include <algorithm>
#include <array>

#include "ballast/core/strings.hpp"
#include "ballast/ganeti/backend/objects/dictionary.hpp"

namespace ballast::ganeti {
namespace {

using json::Value;

/// A string out of a fixed set; `parse` maps it to an optional.
template <class Parse>
auto enumerated(Value value, std::string_view type, Parse parse)
    -> Result<typename decltype(parse(std::string_view()))::value_type> {
  const auto text = json::to_string(value);
  if (!text)
    return fail("Can't parse value for '" + std::string(type) + "': " + text.error().message);
  const auto parsed = parse(std::string_view(*text));
  if (!parsed)
    return fail("Invalid string value for type " + std::string(type) + ": " + shown_string(*text));
  return *parsed;
}

}  // namespace

Error Owned::worded(Error error) const {
  if (kind.empty()) return error;
  std::string prefix(kind);
  if (!name.empty() || kind.starts_with("invalid data")) prefix += " '" + std::string(name) + "'";
  error.message = prefix + ": " + error.message;
  return error;
}

Result<AllocPolicy> to_alloc_policy(Value value) {
  return enumerated(value, "AllocPolicy", parse_alloc_policy);
}

Result<DiskTemplate> to_disk_template(Value value) {
  return enumerated(value, "DiskTemplate", parse_disk_template);
}

Result<InstanceStatus> to_instance_status(Value value) {
  return enumerated(value, "InstanceStatus", parse_instance_status);
}

Result<std::string> to_hypervisor(Value value) {
  return enumerated(value, "Hypervisor", [](std::string_view text) {
    constexpr std::array<std::string_view, 6> kKnown{"kvm",     "xen-pvm", "chroot",
                                                     "xen-hvm", "lxc",     "fake"};
    const bool is_known = std::find(kKnown.begin(), kKnown.end(), text) != kKnown.end();
    return is_known ? std::optional(std::string(text)) : std::nullopt;
  });
}

Result<EvacuateMode> to_evacuate_mode(Value value) {
  return enumerated(value, "EvacMode", [](std::string_view text) -> std::optional<EvacuateMode> {
    if (text == "primary-only") return EvacuateMode::Primary;
    if (text == "secondary-only") return EvacuateMode::Secondary;
    return text == "all" ? std::optional(EvacuateMode::All) : std::nullopt;
  });
}

Result<Value> to_itself(Value value) { return value; }

Result<std::vector<std::int64_t>> to_ints(Value value) {
  return json::list_of(json::to_int)(value);
}

Result<std::vector<std::optional<std::int64_t>>> to_optional_ints(Value value) {
  if (!value.is(json::Kind::Array))
    return fail("Expecting array, got '" + json::pretty(value) + "'");
  std::vector<std::optional<std::int64_t>> result;
  Value element = value.first();
  for (std::uint32_t left = value.size(); left > 0; --left, element = element.after()) {
    result.emplace_back();
    if (element.is(json::Kind::Null)) continue;
    const auto number = json::to_int(element);
    if (!number) {
      return fail("Cannot convert value '" + json::pretty(element) +
                  "', error: " + number.error().message);
    }
    result.back() = *number;
  }
  return result;
}

std::vector<Disk> disks_of(const std::vector<std::int64_t>& sizes_mib,
                           const std::vector<std::optional<std::int64_t>>& spindles) {
  std::vector<Disk> disks(std::min(sizes_mib.size(), spindles.size()));
  for (std::size_t i = 0; i < disks.size(); ++i) {
    disks[i].size_mib = sizes_mib[i];
    disks[i].spindles = spindles[i];
  }
  return disks;
}

}  // namespace ballast::ganeti
