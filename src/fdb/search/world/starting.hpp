// SPDX-License-Identifier: BSD-2-Clause
// Pods and servers that start, as they do at their best.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "ballast/fdb/search/world/world.hpp"

namespace ballast::fdb {

/// Zones for pods that start.
class NewZones {
 public:
  explicit NewZones(const World& world) : world_(world) {}

  /// The zone that the group has, else where the wish of the plan puts it.
  std::string zone_for(const Member& group) {
    if (!group.fault_domain.empty()) return group.fault_domain;
    const FaultDomain& domain = world_.spec.fault_domain;
    if (domain.key == "foundationdb.org/kubernetes-cluster") return domain.value;
    if (world_.options.existing_zones) {
      auto& count = counts_of(group.process_class);
      const auto least =
          std::min_element(count.begin(), count.end(),
                           [](const auto& a, const auto& b) { return a.second < b.second; });
      if (least != count.end()) {
        least->second += group.is_marked() ? 0 : 1;
        return least->first;
      }
    }
    return "<zone of " + group.id + ">";
  }

 private:
  /// Groups of the class that stay, in each zone that has any of the class; counted once.
  std::map<std::string, int>& counts_of(ProcessClass c) {
    auto& counts = counts_[index(c)];
    if (counts) return *counts;
    counts.emplace();
    for (const Member& group : world_.groups) {
      if (group.process_class != c || group.fault_domain.empty()) continue;
      (*counts)[group.fault_domain] += group.is_marked() ? 0 : 1;
    }
    return *counts;
  }

  const World& world_;
  PerClass<std::optional<std::map<std::string, int>>> counts_;
};

/// The pod that was made runs, with the address and the zone that it gets, and its servers report.
void start_pod(World& world, NewZones& zones, Member& group);

/// The servers that were killed run again with the newest command.
void restart(World& world, Member& group);

}  // namespace ballast::fdb
