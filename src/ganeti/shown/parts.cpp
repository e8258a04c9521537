// SPDX-License-Identifier: BSD-2-Clause
#include "parts.hpp"

#include <array>

#include "ballast/core/decimal.hpp"
#include "ballast/core/strings.hpp"

namespace ballast::ganeti::notation {
namespace {

/// In the order of InstanceStatus.
constexpr std::array<std::string_view, 9> kStatuses{"StatusDown", "StatusOffline", "ErrorDown",
                                                    "ErrorUp",    "NodeDown",      "NodeOffline",
                                                    "Running",    "UserDown",      "WrongNode"};

std::string shown_disk(const Disk& disk) {
  return Record("Disk")
      .field("dskSize", disk.size_mib)
      .raw("dskSpindles", shown_optional(disk.spindles))
      .str();
}

std::string shown_mode(const std::string& mode) {
  if (mode.empty()) return "Nothing";
  if (mode == "openvswitch") return "Just OpenVSwitch";
  return mode == "routed" ? "Just Routed" : "Just Bridged";
}

std::string shown_told(const std::string& text) {
  return shown_optional(text.empty() ? std::nullopt : std::optional(text));
}

std::string shown_nic(const Nic& nic) {
  return Record("Nic")
      .raw("mac", shown_told(nic.mac))
      .raw("ip", shown_told(nic.ip))
      .raw("mode", shown_mode(nic.mode))
      .raw("link", shown_told(nic.link))
      .raw("bridge", shown_told(nic.bridge))
      .raw("network", shown_told(nic.network))
      .str();
}

}  // namespace

std::string shown_value(bool value) { return value ? "True" : "False"; }
std::string shown_value(double value) { return shown(value); }
std::string shown_value(const std::string& value) { return shown_string(value); }

std::string shown_argument(std::int64_t value) {
  const std::string text = std::to_string(value);
  return value < 0 ? "(" + text + ")" : text;
}

std::string shown_optional(const std::optional<std::string>& value) {
  return value ? "Just " + shown_string(*value) : "Nothing";
}

std::string shown_optional(const std::optional<std::int64_t>& value) {
  return value ? "Just " + shown_argument(*value) : "Nothing";
}

std::string shown_load(const Load& load) {
  return Record("DynUtil")
      .field("cpuWeight", load.cpu)
      .field("memWeight", load.mem)
      .field("dskWeight", load.disk)
      .field("netWeight", load.net)
      .str();
}

std::string shown_instance(const Instance& instance, const ShownPlace& place,
                           const std::vector<std::string>& symbols, std::string_view auto_repair) {
  const auto tag = [&](TagId id) { return shown_string(symbols[id.index()]); };
  return Record("Instance")
      .field("name", instance.name)
      .field("alias", instance.alias)
      .field("mem", instance.memory_mib)
      .field("dsk", instance.disk_mib)
      .raw("disks", shown_elements(instance.disks, shown_disk))
      .field("vcpus", instance.vcpus)
      .raw("runSt", kStatuses[static_cast<std::size_t>(instance.status)])
      .field("pNode", place.primary)
      .field("sNode", place.secondary)
      .field("idx", place.index)
      .raw("util", shown_load(instance.load))
      .field("movable", instance.is_movable)
      .field("autoBalance", instance.auto_balance)
      .raw("diskTemplate", shown_of(instance.disk_template))
      .field("spindleUse", instance.spindle_use)
      .raw("allTags", shown_list(instance.tags))
      .raw("exclTags", shown_elements(instance.exclusion_tags, tag))
      .raw("dsrdLocTags", shown_set(instance.desired_locations, tag))
      .field("locationScore", place.location_score)
      .raw("arPolicy", auto_repair)
      .raw("nics", shown_elements(instance.nics, shown_nic))
      .field("forthcoming", instance.is_forthcoming)
      .str();
}

}  // namespace ballast::ganeti::notation
