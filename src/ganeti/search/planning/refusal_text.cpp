// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/planning/refusal_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ballast/core/decimal.hpp"
#include "ballast/ganeti/model/ids_of.hpp"
#include "ballast/ganeti/model/unit_rules.hpp"
#include "ballast/ganeti/search/planning/rule_text.hpp"

namespace ballast::ganeti {
namespace {

std::string whole(double value) { return fixed(value, 0); }

class Teller {
 public:
  Teller(const Cluster& cluster, const State& state, const Instance& instance,
         const Refusal& refusal)
      : cluster_(cluster), state_(state), instance_(instance), refusal_(refusal) {}

  [[nodiscard]] std::string text() const {
    if (is_administrators_rule(refusal_.rule)) return rule_text(cluster_, refusal_, others_there());
    if (is_unit_rule()) return unit_text();
    return is_policy_rule() ? policy_text() : node_text();
  }

 private:
  [[nodiscard]] const Node& node() const { return cluster_[refusal_.node]; }
  [[nodiscard]] const NodeState& node_state() const { return state_[refusal_.node]; }
  [[nodiscard]] std::string wanted() const { return whole(refusal_.wanted); }
  [[nodiscard]] std::string available() const { return whole(refusal_.available); }
  /// Where as much as is wanted is there, and still it is refused: something must be left.
  [[nodiscard]] std::string_view more_than() const {
    return refusal_.wanted <= refusal_.available ? "more than " : "";
  }
  [[nodiscard]] std::string where() const {
    return refusal_.node.is_none() ? std::string() : " on " + node().alias;
  }

  [[nodiscard]] bool is_unit_rule() const {
    return unit_rule(refusal_.rule) != nullptr || refusal_.rule == Rule::UnitMissing ||
           refusal_.rule == Rule::UnitUnknown;
  }

  [[nodiscard]] bool is_policy_rule() const {
    return refusal_.rule >= Rule::PolicyMemory && refusal_.rule <= Rule::PolicyTemplate;
  }

  [[nodiscard]] std::string unit_name() const {
    return refusal_.unit.is_none() ? "its storage unit" : to_string(cluster_[refusal_.unit]);
  }

  [[nodiscard]] std::string disk_name() const {
    return refusal_.disk < 0 ? "a disk" : fmt::format("disk {}", refusal_.disk);
  }

  [[nodiscard]] std::string unit_text() const {
    switch (refusal_.rule) {
      case Rule::UnitMissing:
        return fmt::format("{} needs {} MiB of {}, no such unit{}", disk_name(), wanted(),
                           unit_name(), where());
      case Rule::UnitFull:
        return fmt::format("{} needs {} MiB of {}, {} MiB free{}", disk_name(), wanted(),
                           unit_name(), available(), where());
      case Rule::ForthcomingUnitFull:
        return fmt::format("{} needs {} MiB of {}, {} MiB free{} beside forthcoming instances",
                           disk_name(), wanted(), unit_name(), available(), where());
      case Rule::UnitUnknown:
        return fmt::format("the storage unit of {} is not known", disk_name());
      default:
        return fmt::format("{}: {} MiB of {} would be left{}, {} MiB must stay free",
                           unit_rule(refusal_.rule)->wish, available(), unit_name(), where(),
                           wanted());
    }
  }

  [[nodiscard]] std::string policy_text() const {
    const std::string whose =
        refusal_.node.is_none() ? "" : " of group " + cluster_[node().group].name;
    const auto range = [&](std::string_view what) {
      const std::string_view side = refusal_.wanted < refusal_.available ? "at least" : "at most";
      return fmt::format("policy{}: {} {}, {} {} is allowed", whose, what, wanted(), side,
                         available());
    };
    switch (refusal_.rule) {
      case Rule::PolicyMemory:
        return range("memory MiB");
      case Rule::PolicyDiskSize:
        return range(fmt::format("MiB of {}", disk_name()));
      case Rule::PolicyCpu:
        return range("vcpus");
      case Rule::PolicySpindleUse:
        return range("spindles");
      case Rule::PolicyDiskCount:
        return range("disks");
      default:
        return fmt::format("policy{}: disk template {} is not allowed", whose,
                           text_of(instance_.disk_template));
    }
  }

  /// Whose limit a ratio is: the option changes it on the node, the policy is the group's.
  [[nodiscard]] std::string cpu_limit() const {
    const Group& group = cluster_[node().group];
    const bool is_policy = group.policy.vcpu_ratio == node().vcpu_ratio;
    return is_policy ? "policy of group " + group.name : "--max-cpu";
  }

  [[nodiscard]] std::string tag_text() const {
    for (const TagId tag : instance_.exclusion_tags) {
      for (const InstanceId other : node_state().forth_primaries) {
        const auto& tags = cluster_[other].exclusion_tags;
        if (std::find(tags.begin(), tags.end(), tag) == tags.end()) continue;
        return fmt::format("exclusion tag {}: {} with the same tag is{}",
                           cluster_.symbols[tag.index()], cluster_[other].alias, where());
      }
    }
    return "exclusion tag" + where();
  }

  [[nodiscard]] std::string migration_text() const {
    std::string tags;
    for (const TagId tag : missing_migration_tags()) {
      tags += (tags.empty() ? "" : ", ") + cluster_.symbols[tag.index()];
    }
    return fmt::format("migration: {} cannot receive {}", node().alias,
                       tags.empty() ? "from that node" : tags);
  }

  [[nodiscard]] std::vector<TagId> missing_migration_tags() const {
    std::vector<TagId> missing;
    const std::vector<TagId>& received = node().receivable_tags;
    for (const Node& other : cluster_.nodes) {
      if (other.group != node().group) continue;
      for (const TagId tag : other.migration_tags) {
        if (!std::binary_search(received.begin(), received.end(), tag)) missing.push_back(tag);
      }
    }
    std::sort(missing.begin(), missing.end());
    missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
    return missing;
  }

  /// The largest instance that would start on the node if the peer with the largest reservation
  /// failed.
  [[nodiscard]] std::string reservation_reason() const {
    const NodeState& state = node_state();
    const bool is_peer =
        !state.peers.empty() && static_cast<double>(state.peers.front().second) == refusal_.wanted;
    if (!is_peer) return "this instance would start there";
    const NodeId peer = state.peers.front().first;
    const Instance* largest = nullptr;
    std::size_t count = 0;
    for (const InstanceId id : state.secondaries) {
      const Instance& other = cluster_[id];
      if (state_[id].primary != peer || !other.uses_secondary_memory()) continue;
      ++count;
      if (largest == nullptr || other.memory_mib > largest->memory_mib) largest = &other;
    }
    if (largest == nullptr) return "its instances would start there";
    const std::string more = count > 1 ? fmt::format(" and {} more", count - 1) : "";
    return fmt::format("{} ({} MiB){} would start there if {} failed", largest->alias,
                       largest->memory_mib, more, cluster_[peer].alias);
  }

  /// Aliases of others under the rule that run at the place, a few of them.
  [[nodiscard]] std::string others_there() const {
    if (refusal_.placement_rule < 0) return "";
    const PlacementRule& rule = cluster_.rules[refusal_.placement_rule];
    if (rule.kind == RuleKind::Pin) return "";
    std::vector<std::string_view> names;
    for (const InstanceId id : instance_ids(cluster_)) {
      const Instance& other = cluster_[id];
      const NodeId at = state_[id].primary;
      if (other.name == instance_.name ||
          !std::ranges::binary_search(other.rules, refusal_.placement_rule))
        continue;
      const bool is_there = rule.kind == RuleKind::Apart
                                ? rule.domain[at.index()] == rule.domain[refusal_.node.index()]
                                : at == refusal_.node;
      if (is_there) names.push_back(other.alias);
    }
    return some_of(names);
  }

  [[nodiscard]] std::string memory_text() const {
    switch (refusal_.rule) {
      case Rule::MemoryUnallocated:
        return fmt::format("memory: needs {}{} MiB, {} MiB unallocated{}", more_than(), wanted(),
                           available(), where());
      case Rule::ForthcomingMemory:
        return fmt::format("memory: needs {} MiB, {} MiB free{} beside forthcoming instances",
                           wanted(), available(), where());
      case Rule::SecondaryMemory:
        return fmt::format("memory: {}{} MiB to reserve, {} MiB unallocated{}", more_than(),
                           wanted(), available(), where());
      default:
        return fmt::format("N+1: {} MiB would be unallocated{}, more than {} MiB must be: {}",
                           available(), where(), wanted(), reservation_reason());
    }
  }

  [[nodiscard]] std::string disk_text() const {
    switch (refusal_.rule) {
      case Rule::DiskFree:
        return fmt::format("disk: needs {} MiB, {} MiB free{}", wanted(), available(), where());
      case Rule::ForthcomingDisk:
        return fmt::format("disk: needs {} MiB, {} MiB free{} beside forthcoming instances",
                           wanted(), available(), where());
      case Rule::NodeReserve:
        return fmt::format("reserve: {} MiB of disk would be left{}, {} MiB must stay free",
                           available(), where(), wanted());
      default:
        return fmt::format("--min-disk: {} MiB of disk would be left{}, {} MiB must stay free",
                           available(), where(), wanted());
    }
  }

  [[nodiscard]] std::string spindle_text() const {
    if (refusal_.rule == Rule::Spindles || refusal_.rule == Rule::ForthcomingSpindles) {
      const std::string needed = refusal_.wanted < 0 ? "an unknown number" : wanted();
      return fmt::format("spindles: needs {}, {} free{}", needed, available(), where());
    }
    return fmt::format("spindle load would be {}{}, at most {} by the policy of group {}", wanted(),
                       where(), available(), cluster_[node().group].name);
  }

  [[nodiscard]] std::string node_text() const {
    switch (refusal_.rule) {
      case Rule::MemoryUnallocated:
      case Rule::ForthcomingMemory:
      case Rule::SecondaryMemory:
      case Rule::NPlusOne:
        return memory_text();
      case Rule::DiskFree:
      case Rule::ForthcomingDisk:
      case Rule::DiskLowWater:
      case Rule::ForthcomingDiskLowWater:
      case Rule::NodeReserve:
        return disk_text();
      case Rule::Spindles:
      case Rule::ForthcomingSpindles:
      case Rule::SpindleRatio:
      case Rule::ForthcomingSpindleRatio:
        return spindle_text();
      case Rule::CpuRatio:
      case Rule::ForthcomingCpuRatio:
        return fmt::format("vcpu ratio would be {}{}, at most {} by {}", fixed(refusal_.wanted, 2),
                           where(), fixed(refusal_.available, 2), cpu_limit());
      case Rule::ExclusionTag:
        return tag_text();
      case Rule::Migration:
        return migration_text();
      case Rule::NotMirrored:
        return fmt::format("disk template {} has no secondary", text_of(instance_.disk_template));
      case Rule::TargetOffline:
        return fmt::format("{} is offline", node().alias);
      case Rule::GlobalNPlusOne:
        return "N+1: some node could no longer be evacuated";
      case Rule::Network:
        return "network is not there" + where();
      default:
        return "it has no secondary to work with";
    }
  }

  const Cluster& cluster_;
  const State& state_;
  const Instance& instance_;
  const Refusal& refusal_;
};

}  // namespace

std::string refusal_text(const Cluster& cluster, const State& state, const Instance& instance,
                         const Refusal& refusal) {
  return Teller(cluster, state, instance, refusal).text();
}

}  // namespace ballast::ganeti
