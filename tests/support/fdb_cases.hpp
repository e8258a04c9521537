// SPDX-License-Identifier: BSD-2-Clause
// Random FoundationDB clusters with a wish, for property tests: the same seed and features give the
// same case.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "ballast/core/random.hpp"
#include "ballast/fdb/backend/readers.hpp"
#include "ballast/fdb/model/identity.hpp"

namespace ballast::fdb_cases {

using namespace ballast::fdb;

/// What a wish may change; one bit each, so that a failure shrinks to the bits that matter.
enum Feature : unsigned {
  kCounts = 1U << 0,
  kDensity = 1U << 1,
  kVolumes = 1U << 2,
  kNamed = 1U << 3,
  kLimit = 1U << 4,
  kPacking = 1U << 5,
  kMode = 1U << 6,
  kTls = 1U << 7,
  kSick = 1U << 8,
  kStrategy = 1U << 9,
  kSharedZones = 1U << 10,
  kWithoutExclusion = 1U << 11,
  kAll = (1U << 12) - 1,
};

struct Case {
  Cluster snapshot;
  ClusterSpec desired;
};

inline void add_group(Cluster& cluster, ProcessClass c, int number, const std::string& zone) {
  ProcessGroup& group = group_for(cluster, group_id("", c, number), c);
  group.addresses = {fmt::format("10.{}.{}.{}", index(c), number / 256, number % 256)};
  group.fault_domain = zone;
}

inline ClusterSpec healthy_spec(Random& random) {
  ClusterSpec spec;
  spec.version = {7, 3, 69};
  spec.counts[index(ProcessClass::Storage)] = static_cast<int>(random.between(3, 9));
  spec.counts[index(ProcessClass::Log)] = static_cast<int>(random.between(3, 6));
  spec.counts[index(ProcessClass::Stateless)] = static_cast<int>(random.between(1, 4));
  spec.routing = {IpSource::Pod, 0, false, false, false, "cluster.local"};
  for (ProcessSettings& settings : spec.processes)
    settings.volume = {"old", 128'000'000'000, {}, {}, {}};
  spec.database.logs = 3;
  return spec;
}

inline void apply_wish(Random& random, unsigned features, Case& it) {
  ClusterSpec& wish = it.desired;
  const auto pick = [&] { return it.snapshot.groups[random.below(it.snapshot.groups.size())].id; };
  const auto number = [&](std::int64_t low, std::int64_t high) {
    return static_cast<int>(random.between(low, high));
  };
  const int storage = number(3, 10);
  const int logs = number(3, 7);
  const int density = number(1, 3);
  const std::string named = pick();
  const int limit = number(1, 3);
  const int domains = number(3, 5);
  const auto mode = static_cast<Mode>(random.below(3));
  const auto strategy = static_cast<UpdateStrategy>(random.below(3));
  const std::string skipped = pick();
  if ((features & kCounts) != 0) {
    wish.counts[index(ProcessClass::Storage)] = storage;
    wish.counts[index(ProcessClass::Log)] = logs;
  }
  if ((features & kDensity) != 0) wish.storage_servers_per_pod = density;
  if ((features & kVolumes) != 0) wish.processes[index(ProcessClass::Storage)].volume.hash = "new";
  if ((features & kNamed) != 0) wish.groups_to_remove = {named};
  if ((features & kLimit) != 0) wish.automation.max_concurrent_replacements = limit;
  if ((features & kPacking) != 0) wish.fault_domain.distribution = {true, domains, false};
  if ((features & kMode) != 0) wish.automation.removal_mode = mode;
  if ((features & kTls) != 0) wish.enable_tls = true;
  if ((features & kStrategy) != 0) {
    wish.automation.update_strategy = strategy;
    for (ProcessSettings& settings : wish.processes) settings.pod.canonical = "{\"new\":true}";
  }
  if ((features & kWithoutExclusion) != 0) wish.groups_to_remove_without_exclusion = {skipped};
}

/// `now` is the clock; all times of the snapshot hang on it.
inline Case make_case(std::uint64_t seed, unsigned features, Time now = 1'700'000'000) {
  Random random(seed);
  Case it;
  Cluster& cluster = it.snapshot;
  cluster.name = "demo";
  cluster.now = now;
  cluster.spec = healthy_spec(random);
  cluster.status.is_configured = true;
  cluster.status.running_version = cluster.spec.version;
  cluster.given.status = true;
  const std::int64_t zones = random.between(4, 8);
  int count = 0;
  for (const ProcessClass c : {ProcessClass::Storage, ProcessClass::Log, ProcessClass::Stateless}) {
    for (int i = 1; i <= cluster.spec.counts[index(c)]; ++i, ++count) {
      const std::int64_t zone = (features & kSharedZones) != 0 ? count % zones : count;
      add_group(cluster, c, i, fmt::format("zone-{}", zone));
    }
  }
  const std::size_t sick = random.below(cluster.groups.size());
  const auto since = cluster.now - random.between(10, 20'000);
  if ((features & kSick) != 0)
    cluster.groups[sick].conditions.set(Condition::MissingProcesses, since);
  std::string addresses;
  std::set<std::string> used;
  int coordinators = 0;
  for (const ProcessGroup& group : cluster.groups) {
    if (group.process_class != ProcessClass::Log || coordinators == 3 ||
        !used.insert(group.fault_domain).second)
      continue;
    addresses += (addresses.empty() ? "" : ",") + group.addresses.front() + ":4501";
    ++coordinators;
  }
  cluster.status.connection_string = "demo:abc@" + addresses;
  it.desired = cluster.spec;
  apply_wish(random, features, it);
  assume_absent(cluster);
  return it;
}

}  // namespace ballast::fdb_cases
