// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/backend/simulate/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ballast/core/strings.hpp"
#include "ballast/ganeti/backend/json/number.hpp"
#include "ballast/ganeti/backend/simulate/size.hpp"
#include "ballast/ganeti/model/unit_resolver.hpp"

namespace ballast::ganeti {
namespace {

constexpr std::int64_t kMostNodes = 100'000;

/// What one specification asks for, once for all nodes of its group.
struct Wish {
  AllocPolicy policy = AllocPolicy::Preferred;
  std::int64_t count = 0;
  Node node;
  std::string_view units;  ///< "SIZE,TYPE,KEY[,parameter...];..."; unread
  bool has_units = false;
};

Result<AllocPolicy> policy_of(std::string_view text) {
  if (const auto policy = parse_alloc_policy(text)) return *policy;
  if (text == "p") return AllocPolicy::Preferred;
  if (text == "a") return AllocPolicy::LastResort;
  if (text == "u") return AllocPolicy::Unallocable;
  return fail(fmt::format(
      "Invalid string value for type AllocPolicy: {}; Cannot parse AllocPolicy abbreviation '{}'",
      shown_string(text), text));
}

Result<std::int64_t> size_of(std::string_view label, std::string_view text) {
  auto size = parse_size(text);
  if (!size) return fail(fmt::format("{}: {}", label, size.error().message));
  return size;
}

Result<bool> flag_of(std::string_view text) {
  if (text == "True") return true;
  if (text == "False") return false;
  return fail(fmt::format("exclusive storage: cannot parse string '{}'", text));
}

/// "SIZE,TYPE,KEY[,parameter...]"
Result<StorageUnit> unit_of(std::string_view text, Cluster& cluster) {
  const auto bad = [&](std::string_view why) {
    return fail(fmt::format("storage unit {}: {}", quoted(text), why));
  };
  const std::vector<std::string_view> fields = split(text, ',');
  if (fields.size() < 3) return bad("expected SIZE,TYPE,KEY[,parameter...]");
  const auto size = parse_size(fields[0]);
  if (!size) return bad(size.error().message);
  if (*size < 0) return bad("the size is negative");
  if (fields[1].empty()) return bad("the type is empty");
  StorageUnit unit;
  unit.key = intern_storage_key(cluster, fields[1], fields[2]);
  unit.total_mib = *size;
  unit.free_mib = *size;
  for (std::size_t i = 3; i < fields.size(); ++i) unit.parameters.emplace_back(fields[i]);
  return unit;
}

/// The units that every node of the wish gets.
Status read_units(Wish& wish, Cluster& cluster) {
  if (!wish.has_units) return {};
  wish.node.storage_told = true;
  for (const std::string_view text : split(wish.units, ';')) {
    auto unit = unit_of(text, cluster);
    if (!unit) return fail(std::move(unit.error()));
    for (const StorageUnit& other : wish.node.units) {
      if (other.key == unit->key)
        return fail(fmt::format("storage unit {}: there is a unit {} already", quoted(text),
                                to_string(cluster[unit->key])));
    }
    wish.node.units.push_back(std::move(*unit));
  }
  return {};
}

/// Fields in the reference's order of conversion; the first error wins.
Result<Wish> wish_of(std::string_view whole) {
  const std::size_t semicolon = whole.find(';');
  const std::string_view specification = whole.substr(0, semicolon);
  const std::vector<std::string_view> fields = split(specification, ',');
  if (fields.size() < 5 || fields.size() > 7) {
    return fail(
        fmt::format("Invalid cluster specification, expected 6 comma-separated sections "
                    "(allocation policy, node "
                    "count, disk size, memory size, number of CPUs, spindles) but got {}: '{}'",
                    fields.size(), specification));
  }
  const auto policy = policy_of(fields[0]);
  if (!policy) return fail(policy.error());
  const auto count = parse_int("node count", fields[1]);
  if (!count) return fail(count.error());
  const auto disk = size_of("disk size", fields[2]);
  if (!disk) return fail(disk.error());
  const auto memory = size_of("memory size", fields[3]);
  if (!memory) return fail(memory.error());
  const auto cpus = parse_int("cpu count", fields[4]);
  if (!cpus) return fail(cpus.error());
  const auto spindles = parse_int("spindles", fields.size() > 5 ? fields[5] : "1");
  if (!spindles) return fail(spindles.error());
  const auto exclusive = flag_of(fields.size() > 6 ? fields[6] : "False");
  if (!exclusive) return fail(exclusive.error());

  Wish wish{*policy, *count, {}, {}, semicolon != std::string_view::npos};
  if (wish.has_units) wish.units = whole.substr(semicolon + 1);
  wish.node.total_mem = static_cast<double>(*memory);
  wish.node.free_mem = *memory;
  wish.node.total_disk = static_cast<double>(*disk);
  wish.node.reported_free_disk = *disk;
  wish.node.total_cpu = static_cast<double>(*cpus);
  wish.node.total_spindles = *spindles;
  wish.node.has_exclusive_storage = *exclusive;
  return wish;
}

void add_group(Cluster& cluster, const Wish& wish) {
  const std::size_t number = cluster.groups.size() + 1;
  Group group;
  group.name = fmt::format("group-{:02}", number);
  group.uuid = fmt::format("fake-uuid-{:02}", number);
  group.alloc_policy = wish.policy;
  cluster.groups.push_back(std::move(group));
  for (std::int64_t n = 1; n <= wish.count; ++n) {
    Node node = wish.node;
    node.name = fmt::format("node-{:02}-{:03}", number, n);
    node.group = GroupId(number - 1);
    node.is_master = number == 1 && n == 1;
    cluster.nodes.push_back(std::move(node));
  }
}

}  // namespace

Result<Snapshot> simulate(const std::vector<std::string>& specifications, bool ignore_storage) {
  Snapshot snapshot;
  snapshot.cluster.first_node_index = 1;
  std::vector<Wish> wishes;
  for (auto specification = specifications.rbegin(); specification != specifications.rend();
       ++specification) {
    auto wish = wish_of(*specification);
    if (!wish) return fail(wish.error());
    if (!ignore_storage) {
      if (auto status = read_units(*wish, snapshot.cluster); !status) return fail(status.error());
    }
    wishes.push_back(std::move(*wish));
  }
  std::int64_t nodes = 0;
  for (const Wish& wish : wishes) {
    const std::int64_t more = std::max<std::int64_t>(0, wish.count);
    if (more > kMostNodes - nodes)
      return fail(fmt::format("more than {} nodes are not simulated", kMostNodes));
    nodes += more;
  }
  for (const Wish& wish : wishes) add_group(snapshot.cluster, wish);
  for (const Node& node : snapshot.cluster.nodes)
    snapshot.state.nodes.push_back(initial_state(node));
  return snapshot;
}

}  // namespace ballast::ganeti
