// SPDX-License-Identifier: BSD-2-Clause
#include "instance_size.hpp"

#include <fmt/format.h>

#include "ballast/core/strings.hpp"
#include "ballast/ganeti/backend/json/number.hpp"
#include "ballast/ganeti/backend/simulate/size.hpp"

namespace ballast::ganeti::cli {
namespace {

Result<std::int64_t> read_size(std::string_view kind, std::string_view what,
                               std::string_view text) {
  auto size = parse_size(text);
  if (!size) return fail(fmt::format("{} specs {}: {}", kind, what, size.error().message));
  return size;
}

}  // namespace

Result<InstanceSize> read_instance_size(std::string_view kind, std::string_view text) {
  const std::vector<std::string_view> items = split(text, ',');
  if (items.size() != 3 && items.size() != 4) {
    return fail(fmt::format("Invalid {} specification: '{}', expected disk,ram,cpu", kind, text));
  }
  const auto disk = read_size(kind, "disk", items[0]);
  if (!disk) return fail(disk.error());
  const auto memory = read_size(kind, "memory", items[1]);
  if (!memory) return fail(memory.error());
  const auto vcpus = parse_int(fmt::format("{} specs cpus", kind), items[2]);
  if (!vcpus) return fail(vcpus.error());
  const auto spindles =
      parse_int(fmt::format("{} specs spindles", kind), items.size() > 3 ? items[3] : "1");
  if (!spindles) return fail(spindles.error());
  return InstanceSize{*memory, *disk, *vcpus, *spindles};
}

}  // namespace ballast::ganeti::cli
