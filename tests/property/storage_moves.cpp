// SPDX-License-Identifier: BSD-2-Clause
// Random storage layouts, random moves: no unit ever below zero or above its total, the sum of free
// space and disks per unit stays, free space is what placements say, and text written and read
// again is the same text.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "ballast/core/random.hpp"
#include "ballast/ganeti/moves/move.hpp"
#include "support/ganeti_text.hpp"

namespace {

using namespace ballast;
using namespace ballast::ganeti;

constexpr std::array kKeys{"drbd8,ssd", "drbd8,hdd", "lvm-vg,ssd", "file,/srv/a\\,b", "rados,pool"};

struct Layout {
  /// Free space by (node, volume group or key): what the generated line tells, before anything is
  /// taken.
  std::vector<std::map<std::string, std::int64_t>> total;
  std::vector<std::map<std::string, std::int64_t>> free;
};

/// drbd8 and lvm-vg on one volume group are one place.
std::string place_of(const std::string& key) {
  const std::size_t comma = key.find(',');
  const std::string type = key.substr(0, comma);
  return type == "drbd8" || type == "lvm-vg" ? "vg" + key.substr(comma) : key;
}

bool is_shared(const std::string& key) { return key.starts_with("rados"); }

bool take(Layout& layout, std::size_t node, const std::string& key, std::int64_t size) {
  const auto place = layout.free[node].find(place_of(key));
  if (place == layout.free[node].end()) return false;
  if (is_shared(key)) return true;
  if (place->second < size) return false;
  place->second -= size;
  return true;
}

std::string instance_line(Random& random, Layout& layout, std::size_t index, std::size_t nodes) {
  const std::size_t primary = random.below(nodes);
  const std::size_t secondary = (primary + 1 + random.below(nodes - 1)) % nodes;
  const std::uint64_t kind = random.below(10);
  const bool is_mirrored = kind < 6;
  const std::string disk_template = is_mirrored ? "drbd"
                                    : kind < 7  ? "plain"
                                    : kind < 8  ? "file"
                                                : "rbd";
  Layout trial = layout;
  std::string disks;
  std::int64_t sum = 0;
  const std::uint64_t count = 1 + random.below(3);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::size_t key = is_mirrored ? random.below(2) : kind < 7 ? 2 : kind < 8 ? 3 : 4;
    const std::int64_t size = random.between(0, 400);
    if (!take(trial, primary, kKeys.at(key), size)) return {};
    if (is_mirrored && !take(trial, secondary, kKeys.at(key), size)) return {};
    disks += fmt::format("{}{},{}", disks.empty() ? "" : ";", size, kKeys.at(key));
    sum += size;
  }
  layout = std::move(trial);
  return fmt::format("i{}|{}|{}|1|running|Y|n{}|{}|{}||1|-|{}|{}\n", index, random.between(1, 900),
                     sum, primary, is_mirrored ? fmt::format("n{}", secondary) : "", disk_template,
                     "N", disks);
}

test::ClusterText random_cluster(Random& random) {
  const std::size_t nodes = 2 + random.below(5);
  Layout layout;
  layout.total.resize(nodes);
  for (auto& places : layout.total) {
    for (const char* key : kKeys) {
      if (random.chance(75)) places.emplace(place_of(key), random.between(0, 3000));
    }
  }
  layout.free = layout.total;
  test::ClusterText text;
  const std::size_t wanted = random.below(20);
  for (std::size_t i = 0; i < wanted; ++i)
    text.instances += instance_line(random, layout, i, nodes);
  for (std::size_t n = 0; n < nodes; ++n) {
    text.nodes += fmt::format("n{}|20000|500|15000|9000|4000|16|N|uuid-g|12||N|0|1|1.0|", n);
    std::string units;
    for (const char* key : kKeys) {
      const auto total = layout.total[n].find(place_of(key));
      if (total == layout.total[n].end()) continue;
      units += fmt::format("{}{},{},{}", units.empty() ? "" : ";", layout.free[n][place_of(key)],
                           total->second, key);
    }
    text.nodes += units + "\n";
  }
  return text;
}

using Sums = std::map<std::pair<NodeId, std::int32_t>, std::int64_t>;

std::int32_t capacity_of(const Node& node, StorageKeyId unit) {
  for (const StorageUnit& held : node.units) {
    if (held.key == unit) return held.capacity;
  }
  return -1;
}

/// Free space plus the disks that the placements put there, by node and capacity.
Sums sums_of(const Cluster& cluster, const State& state) {
  Sums sums;
  for (std::size_t n = 0; n < state.nodes.size(); ++n) {
    const auto& capacities = state.nodes[n].capacities;
    for (std::size_t c = 0; c < capacities.size(); ++c) {
      sums[{NodeId(n), static_cast<std::int32_t>(c)}] = capacities[c].free_mib;
    }
  }
  const auto add = [&](NodeId id, const Instance& instance) {
    for (const Disk& disk : instance.disks) {
      const std::int32_t index = capacity_of(cluster[id], disk.unit);
      if (index >= 0 && !state[id].capacities[static_cast<std::size_t>(index)].is_shared)
        sums[{id, index}] += disk.taken_mib;
    }
  };
  for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
    const Placement& placement = state.placements[i];
    add(placement.primary, cluster.instances[i]);
    if (!placement.secondary.is_none()) add(placement.secondary, cluster.instances[i]);
  }
  return sums;
}

bool is_within_bounds(const State& state) {
  for (const NodeState& node : state.nodes) {
    for (const Capacity& capacity : node.capacities) {
      if (capacity.free_mib < 0 || capacity.free_mib > capacity.total_mib) return false;
      if (capacity.forth_free_mib != capacity.free_mib || capacity.excess_mib != 0) return false;
    }
  }
  return true;
}

long moves_made = 0;

std::string fault_in(const test::ClusterText& text, std::uint64_t seed) {
  Random random(seed);
  Snapshot snapshot = test::load(text);
  const Cluster& cluster = snapshot.cluster;
  const std::string written = write_text(cluster, snapshot.state);
  const Snapshot again = test::load(written);
  if (write_text(again.cluster, again.state) != written)
    return "writing and reading changes the text";
  if (!snapshot.warnings.empty())
    return "a consistent cluster is warned about: " + snapshot.warnings.front();
  if (cluster.instances.empty()) return {};
  const Sums before = sums_of(cluster, snapshot.state);
  for (int round = 0; round < 60; ++round) {
    const InstanceId id(std::size_t{random.below(cluster.instances.size())});
    const NodeId target(std::size_t{random.below(cluster.nodes.size())});
    const Placement& placement = snapshot.state[id];
    const bool is_mirrored = has_secondary(cluster[id].disk_template);
    const auto kind =
        is_mirrored ? static_cast<MoveKind>(random.below(6)) : MoveKind::FailoverToAny;
    if (target == placement.primary || target == placement.secondary) continue;
    if (is_mirrored == (kind == MoveKind::FailoverToAny)) continue;
    if (!is_mirrored && mirroring_of(cluster[id].disk_template) == Mirroring::None) continue;
    auto effect = evaluate(cluster, snapshot.state, id, {kind, target}, random.chance(30));
    if (!effect) continue;
    apply(snapshot.state, id, std::move(*effect));
    ++moves_made;
    if (!is_within_bounds(snapshot.state))
      return fmt::format("round {}: a unit is out of bounds", round);
    if (sums_of(cluster, snapshot.state) != before)
      return fmt::format("round {}: space was lost or made", round);
  }
  const std::string moved = write_text(cluster, snapshot.state);
  const Snapshot reread = test::load(moved);
  if (write_text(reread.cluster, reread.state) != moved)
    return "the moved cluster does not read back";
  return {};
}

/// Leaves out instances one by one as long as there still is a fault.
test::ClusterText shrunk(test::ClusterText text, std::uint64_t seed) {
  for (std::size_t begin = 0; begin < text.instances.size();) {
    const std::size_t end = text.instances.find('\n', begin) + 1;
    test::ClusterText smaller = text;
    smaller.instances.erase(begin, end - begin);
    if (fault_in(smaller, seed).empty()) {
      begin = end;
    } else {
      text = std::move(smaller);
    }
  }
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  const long seeds = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 400;
  const long first = argc > 2 ? std::strtol(argv[2], nullptr, 10) : 1;
  for (long seed = first; seed < first + seeds; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const test::ClusterText text = random_cluster(random);
    const std::uint64_t moves_seed = random.next();
    if (fault_in(text, moves_seed).empty()) continue;
    const test::ClusterText small = shrunk(text, moves_seed);
    std::fprintf(stderr, "seed %ld: %s\n%s", seed, fault_in(small, moves_seed).c_str(),
                 small.text().c_str());
    return 1;
  }
  if (moves_made < seeds) {
    std::fprintf(stderr, "only %ld moves were made: the layouts leave no room\n", moves_made);
    return 1;
  }
  return 0;
}
