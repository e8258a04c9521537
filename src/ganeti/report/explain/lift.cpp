// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/report/explain/lift.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ballast/core/decimal.hpp"
#include "ballast/ganeti/model/unit_rules.hpp"
#include "ballast/ganeti/search/planning/refusal_text.hpp"
#include "ballast/ganeti/search/planning/rule_text.hpp"

namespace ballast::ganeti {
namespace {

constexpr std::size_t kMostRules = 12;

std::int64_t missing_of(const Refusal& refusal) {
  return static_cast<std::int64_t>(std::ceil(refusal.wanted - refusal.available));
}

void lift_units(const Refusal& refusal, const Node& node, NodeState& state) {
  const auto left = static_cast<std::int64_t>(std::floor(refusal.available));
  for (const StorageUnit& unit : node.units) {
    if (unit.key != refusal.unit) continue;
    Capacity& capacity = state.capacities[static_cast<std::size_t>(unit.capacity)];
    if (const auto kept = unit_rule(refusal.rule)->kept; kept != nullptr) {
      capacity.*kept = std::min(capacity.*kept, left);
    } else {
      capacity.total_mib += missing_of(refusal);
      capacity.free_mib += missing_of(refusal);
      capacity.forth_free_mib += missing_of(refusal);
    }
  }
}

void add_unit(const Refusal& refusal, Node& node, NodeState& state) {
  StorageUnit unit;
  unit.key = refusal.unit;
  unit.capacity = static_cast<std::int32_t>(state.capacities.size());
  unit.total_mib = unit.free_mib = static_cast<std::int64_t>(refusal.wanted);
  Capacity capacity;
  capacity.total_mib = capacity.free_mib = capacity.forth_free_mib = unit.total_mib;
  state.capacities.push_back(capacity);
  const auto place = std::ranges::lower_bound(node.units, unit.key, {}, &StorageUnit::key);
  node.units.insert(place, std::move(unit));
}

std::vector<TagId> tags_in_the_way(const NodeState& state, const Instance& instance) {
  std::vector<TagId> tags;
  for (const TagId tag : instance.exclusion_tags) {
    if (std::ranges::any_of(state.primary_tags,
                            [&](const auto& entry) { return entry.first == tag; }))
      tags.push_back(tag);
  }
  return tags;
}

bool lift_disk(const Refusal& refusal, Node& node, NodeState& state) {
  const auto left = static_cast<std::int64_t>(std::floor(refusal.available));
  const std::int64_t whole = missing_of(refusal) + 1;
  if (unit_rule(refusal.rule) != nullptr) {
    lift_units(refusal, node, state);
    return true;
  }
  switch (refusal.rule) {
    case Rule::DiskFree:
      state.free_disk += whole;
      [[fallthrough]];
    case Rule::ForthcomingDisk:
      state.forth_free_disk += whole;
      return true;
    case Rule::DiskLowWater:
    case Rule::ForthcomingDiskLowWater:
      node.low_disk = std::min(node.low_disk, left);
      return true;
    case Rule::NodeReserve:
      node.disk_reserve = std::min(node.disk_reserve, left);
      return true;
    case Rule::UnitMissing:
      if (refusal.unit.is_none()) return false;
      add_unit(refusal, node, state);
      return true;
    case Rule::UnitForbidden:
      for (StorageUnit& unit : node.units) {
        if (unit.key == refusal.unit) unit.is_forbidden = false;
      }
      return true;
    default:
      return false;
  }
}

bool lift_instance_rule(const Refusal& refusal, Cluster& cluster, NodeState& state,
                        Instance& instance) {
  switch (refusal.rule) {
    case Rule::PolicyMemory:
      instance.memory_mib = static_cast<std::int64_t>(refusal.available);
      return true;
    case Rule::PolicyCpu:
      instance.vcpus = static_cast<std::int64_t>(refusal.available);
      return true;
    case Rule::PolicyDiskSize:
      if (refusal.disk >= 0)
        instance.disks[static_cast<std::size_t>(refusal.disk)].size_mib =
            static_cast<std::int64_t>(refusal.available);
      return refusal.disk >= 0;
    case Rule::ExclusionTag:
      for (const TagId tag : tags_in_the_way(state, instance))
        std::erase(instance.exclusion_tags, tag);
      return true;
    case Rule::Migration:
      for (const Node& node : cluster.nodes) {
        auto& received = cluster.nodes[refusal.node.index()].receivable_tags;
        received.insert(received.end(), node.migration_tags.begin(), node.migration_tags.end());
        std::ranges::sort(received);
        received.erase(std::unique(received.begin(), received.end()), received.end());
      }
      return true;
    case Rule::Pinned:
    case Rule::KeptApart:
    case Rule::KeptTogether:
      std::erase(instance.rules, refusal.placement_rule);
      return true;
    case Rule::InstanceKept:
      instance.is_kept = false;
      return true;
    default:
      return false;
  }
}

/// "40960 MiB more memory"
std::string more_of(const Refusal& refusal, std::string_view what, std::string_view where) {
  return fmt::format("{} MiB more {} on {}", missing_of(refusal) + 1, what, where);
}

}  // namespace

bool lift(const Refusal& refusal, Cluster& cluster, NodeState& state, Instance& instance) {
  if (refusal.node.is_none()) return false;
  Node& node = cluster.nodes[refusal.node.index()];
  switch (refusal.rule) {
    case Rule::MemoryUnallocated:
    case Rule::NPlusOne:
    case Rule::SecondaryMemory:
      node.total_mem += static_cast<double>(missing_of(refusal) + 1);
      state.forth_free_mem += missing_of(refusal) + 1;
      return true;
    case Rule::ForthcomingMemory:
      state.forth_free_mem += missing_of(refusal) + 1;
      return true;
    case Rule::MemoryReserve:
      node.memory_reserve = static_cast<std::int64_t>(std::floor(refusal.available));
      return true;
    case Rule::Spindles:
      node.total_spindles += missing_of(refusal) + 1;
      state.free_spindles += missing_of(refusal) + 1;
      [[fallthrough]];
    case Rule::ForthcomingSpindles:
      state.forth_free_spindles += missing_of(refusal) + 1;
      return refusal.wanted >= 0;
    case Rule::SpindleRatio:
    case Rule::ForthcomingSpindleRatio:
      node.high_spindles = refusal.wanted;
      return true;
    case Rule::CpuRatio:
    case Rule::ForthcomingCpuRatio:
      node.vcpu_ratio = refusal.wanted;
      return true;
    case Rule::NodeExcluded:
      node.takes_nothing = false;
      return true;
    default:
      return lift_disk(refusal, node, state) ||
             lift_instance_rule(refusal, cluster, state, instance);
  }
}

std::string change_for(const Cluster& cluster, const NodeState& state, const Instance& instance,
                       const Refusal& refusal) {
  const std::string& where = cluster[refusal.node].alias;
  const std::string left = fixed(std::max(0.0, std::floor(refusal.available)), 0);
  switch (refusal.rule) {
    case Rule::MemoryUnallocated:
    case Rule::NPlusOne:
    case Rule::SecondaryMemory:
    case Rule::ForthcomingMemory:
      return more_of(refusal, "memory", where);
    case Rule::MemoryReserve:
      return fmt::format("--reserve memory@{}={}", where, left);
    case Rule::DiskFree:
    case Rule::ForthcomingDisk:
      return more_of(refusal, "disk", where);
    case Rule::UnitFull:
    case Rule::ForthcomingUnitFull:
      return fmt::format("{} MiB more in {} on {}", missing_of(refusal),
                         to_string(cluster[refusal.unit]), where);
    case Rule::UnitMissing:
      return fmt::format("a storage unit {} on {}", to_string(cluster[refusal.unit]), where);
    case Rule::NodeReserve:
      return "--reserve=" + left;
    case Rule::UnitReserve:
      return fmt::format("--reserve={}={}", to_string(cluster[refusal.unit]), left);
    case Rule::CpuRatio:
    case Rule::ForthcomingCpuRatio:
      return "--max-cpu=" + shown(std::ceil(refusal.wanted * 100) / 100);
    case Rule::ExclusionTag: {
      std::string tags;
      for (const TagId tag : tags_in_the_way(state, instance))
        tags += (tags.empty() ? "" : ", ") + cluster.symbols[tag.index()];
      return fmt::format("without tag {} on {}", tags, instance.alias);
    }
    case Rule::Pinned:
    case Rule::KeptApart:
    case Rule::KeptTogether:
      return fmt::format("without {} for {}", cluster.rules[refusal.placement_rule].name,
                         instance.alias);
    case Rule::NodeExcluded:
      return fmt::format("without {}, which excludes {}", name_of_spec(cluster, refusal.rule_spec),
                         where);
    case Rule::InstanceKept:
      return fmt::format("without {}, which keeps {} where it is",
                         name_of_spec(cluster, refusal.rule_spec), instance.alias);
    case Rule::UnitForbidden:
      return fmt::format("without {}, which keeps {} on {} unused",
                         name_of_spec(cluster, refusal.rule_spec), to_string(cluster[refusal.unit]),
                         where);
    default:
      return fmt::format("without the rule {} on {}", name_of(refusal.rule), where);
  }
}

Lifted lift_all(const std::function<MaybeRefusal()>& attempt,
                const std::function<bool(const Refusal&)>& lift_one) {
  Lifted found;
  while (found.refusals.size() < kMostRules) {
    const MaybeRefusal why = attempt();
    if (!why) {
      found.is_all = true;
      break;
    }
    const bool is_known = std::ranges::any_of(found.refusals, [&](const Refusal& one) {
      return one.rule == why->rule && one.node == why->node && one.unit == why->unit &&
             one.placement_rule == why->placement_rule && one.disk == why->disk;
    });
    if (is_known) break;
    found.refusals.push_back(*why);
    if (!lift_one(*why)) break;
  }
  return found;
}

Blockers blockers_of(const Cluster& cluster, const State& state, InstanceId id, Move move,
                     bool force) {
  Blockers found;
  Cluster lifted = cluster;
  State trial = state;
  const auto attempt = [&]() -> MaybeRefusal {
    const auto effect = evaluate(lifted, trial, id, move, force);
    return effect ? MaybeRefusal() : effect.error();
  };
  const auto lift_one = [&](const Refusal& why) {
    found.texts.push_back(refusal_text(cluster, state, cluster[id], why));
    if (why.node.is_none()) return false;
    Instance& instance = lifted.instances[id.index()];
    std::string change = change_for(lifted, trial[why.node], instance, why);
    if (std::ranges::find(found.changes, change) == found.changes.end())
      found.changes.push_back(std::move(change));
    return lift(why, lifted, trial[why.node], instance);
  };
  Lifted all = lift_all(attempt, lift_one);
  found.refusals = std::move(all.refusals);
  found.is_all = all.is_all;
  return found;
}

}  // namespace ballast::ganeti
