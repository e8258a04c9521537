// SPDX-License-Identifier: BSD-2-Clause
#include "change.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "ballast/core/decimal.hpp"
#include "ballast/ganeti/loading/pipeline.hpp"
#include "ballast/ganeti/model/tag_conflicts.hpp"
#include "ballast/ganeti/model/unit_resolver.hpp"
#include "ballast/ganeti/score/metrics.hpp"

namespace ballast::ganeti {
namespace {

/// A way to put another setting into a copy of the cluster; the text says which.
struct Setting {
  std::string text;
  std::function<void(Snapshot&)> change;
  bool ignores_soft_errors = false;
};

std::optional<double> score_after(const Cluster& cluster, const State& state, const Part& part,
                                  const Wish& wish, bool force) {
  auto effect = evaluate(cluster, state, wish.instance, wish.move, force);
  if (!effect) return std::nullopt;
  State after = state;
  apply(after, wish.instance, std::move(*effect));
  return full_score(cluster, after, part.nodes);
}

Setting cpu_setting(const Refusal& refusal) {
  const double ratio = std::ceil(refusal.wanted * 100) / 100;
  return {"--max-cpu=" + shown(ratio),
          [ratio](Snapshot& snapshot) { set_max_cpu(snapshot, ratio); }};
}

Setting spindle_setting(const Cluster& cluster, const Refusal& refusal) {
  const Node& node = cluster[refusal.node];
  const double ratio = std::ceil(
      refusal.wanted / static_cast<double>(std::max<std::int64_t>(1, node.total_spindles)));
  const GroupId group = node.group;
  return {
      fmt::format("spindle ratio {} in the policy of group {}", shown(ratio), cluster[group].name),
      [group, ratio](Snapshot& snapshot) {
        for (Node& each : snapshot.cluster.nodes) {
          if (each.group == group)
            each.high_spindles = ratio * static_cast<double>(each.total_spindles);
        }
      }};
}

/// The node's, or the unit's, total that --min-disk is a share of.
double total_of(const Cluster& cluster, const State& state, const Refusal& refusal) {
  const Node& node = cluster[refusal.node];
  for (const StorageUnit& unit : node.units) {
    if (unit.key != refusal.unit) continue;
    return static_cast<double>(
        state[refusal.node].capacities[static_cast<std::size_t>(unit.capacity)].total_mib);
  }
  return node.total_disk;
}

Setting min_disk_setting(const Cluster& cluster, const State& state, const Refusal& refusal) {
  constexpr double kSteps = 10000;
  const double share = refusal.available / total_of(cluster, state, refusal);
  const double ratio = std::max(0.0, std::floor(share * kSteps) / kSteps);
  return {"--min-disk=" + plain(ratio),
          [ratio](Snapshot& snapshot) { set_min_disk(snapshot, ratio); }};
}

Setting reserve_setting(const Cluster& cluster, const Refusal& refusal) {
  const auto left = static_cast<std::int64_t>(std::max(0.0, refusal.available));
  const std::string what = refusal.unit.is_none() ? "" : to_string(cluster[refusal.unit]) + "=";
  return {fmt::format("--reserve={}{}", what, left), [left, refusal](Snapshot& snapshot) {
            for (std::size_t i = 0; i < snapshot.cluster.nodes.size(); ++i) {
              Node& node = snapshot.cluster.nodes[i];
              node.disk_reserve = std::min(node.disk_reserve, left);
              for (const StorageUnit& unit : node.units) {
                if (unit.key != refusal.unit) continue;
                Capacity& capacity =
                    snapshot.state.nodes[i].capacities[static_cast<std::size_t>(unit.capacity)];
                capacity.reserve_mib = std::min(capacity.reserve_mib, left);
              }
            }
          }};
}

/// The node that runs the instance no longer counts the tag for it, either.
void take_tag_off(Snapshot& snapshot, InstanceId id, TagId tag) {
  std::erase(snapshot.cluster.instances[id.index()].exclusion_tags, tag);
  auto& counts = snapshot.state[snapshot.state[id].primary].primary_tags;
  const auto place = std::find_if(counts.begin(), counts.end(),
                                  [&](const auto& entry) { return entry.first == tag; });
  if (place == counts.end()) return;
  if (--place->second == 0) counts.erase(place);
}

void add_tag_settings(const Cluster& cluster, const State& state, const Wish& wish,
                      std::vector<Setting>& settings) {
  const NodeState& node = state[wish.refusal.node];
  for (const TagId tag : cluster[wish.instance].exclusion_tags) {
    if (primaries_with(node, tag) == 0) continue;
    const InstanceId id = wish.instance;
    settings.push_back(
        {fmt::format("without tag {} on {}", cluster.symbols[tag.index()], cluster[id].alias),
         [id, tag](Snapshot& snapshot) { take_tag_off(snapshot, id, tag); }});
  }
}

void add_migration_settings(const Cluster& cluster, const Refusal& refusal,
                            std::vector<Setting>& settings) {
  const Node& target = cluster[refusal.node];
  if (target.migration_tags.empty()) return;
  const TagId receiver = target.migration_tags.front();
  for (std::size_t i = 0; i < cluster.symbols.size(); ++i) {
    const TagId tag(i);
    const bool is_migration =
        std::any_of(cluster.nodes.begin(), cluster.nodes.end(), [&](const Node& node) {
          return std::binary_search(node.migration_tags.begin(), node.migration_tags.end(), tag);
        });
    const auto& received = target.receivable_tags;
    if (!is_migration || std::binary_search(received.begin(), received.end(), tag)) continue;
    settings.push_back({fmt::format("cluster tag htools:allowmigration:{}::{}", cluster.symbols[i],
                                    cluster.symbols[receiver.index()]),
                        [tag, receiver](Snapshot& snapshot) {
                          for (Node& node : snapshot.cluster.nodes) {
                            const auto& tags = node.migration_tags;
                            if (!std::binary_search(tags.begin(), tags.end(), receiver)) continue;
                            auto& receivable = node.receivable_tags;
                            receivable.insert(
                                std::lower_bound(receivable.begin(), receivable.end(), tag), tag);
                          }
                        }});
  }
}

void add_unit_settings(const Cluster& cluster, const Wish& wish, std::vector<Setting>& settings) {
  const auto type = storage_type_of(cluster[wish.instance].disk_template);
  if (!type) return;
  for (std::size_t i = 0; i < cluster.storage_keys.size(); ++i) {
    if (cluster.storage_keys[i].type != *type) continue;
    const StorageKeyId key(i);
    const InstanceId id = wish.instance;
    settings.push_back({fmt::format("--default-storage {}={}", *type, cluster.storage_keys[i].key),
                        [id, key](Snapshot& snapshot) {
                          Instance& instance = snapshot.cluster.instances[id.index()];
                          instance.is_unit_unknown = false;
                          for (Disk& disk : instance.disks) {
                            if (disk.unit.is_none()) disk.unit = key;
                          }
                        }});
  }
}

/// The most specific first.
std::vector<Setting> settings_for(const Cluster& cluster, const State& state, const Wish& wish) {
  std::vector<Setting> settings;
  switch (wish.refusal.rule) {
    case Rule::CpuRatio:
    case Rule::ForthcomingCpuRatio:
      settings.push_back(cpu_setting(wish.refusal));
      break;
    case Rule::SpindleRatio:
    case Rule::ForthcomingSpindleRatio:
      settings.push_back(spindle_setting(cluster, wish.refusal));
      break;
    case Rule::DiskLowWater:
    case Rule::ForthcomingDiskLowWater:
    case Rule::UnitLowWater:
    case Rule::ForthcomingUnitLowWater:
      settings.push_back(min_disk_setting(cluster, state, wish.refusal));
      break;
    case Rule::UnitReserve:
    case Rule::NodeReserve:
      settings.push_back(reserve_setting(cluster, wish.refusal));
      break;
    case Rule::ExclusionTag:
      add_tag_settings(cluster, state, wish, settings);
      break;
    case Rule::Migration:
      add_migration_settings(cluster, wish.refusal, settings);
      break;
    case Rule::UnitUnknown:
      add_unit_settings(cluster, wish, settings);
      break;
    default:
      break;
  }
  settings.push_back({"--ignore-soft-errors", [](Snapshot&) {}, true});
  return settings;
}

std::optional<SingleChange> smallest_setting(const Cluster& cluster, const State& state,
                                             const Part& part, const BalanceOptions& options,
                                             const Wish& wish) {
  for (const Setting& setting : settings_for(cluster, state, wish)) {
    Snapshot changed{cluster, state, {}};
    setting.change(changed);
    const bool force = options.ignore_soft_errors || setting.ignores_soft_errors;
    const auto score = score_after(changed.cluster, changed.state, part, wish, force);
    if (score) return SingleChange{setting.text, {}, 0, 0, 1, *score};
  }
  return std::nullopt;
}

std::optional<SingleChange> smallest_move(const Cluster& cluster, const State& state,
                                          const Part& part, const BalanceOptions& options,
                                          const Wish& wish) {
  const auto way = make_way(cluster, state, part, options, wish);
  if (!way) return std::nullopt;
  const auto score = score_after(cluster, way->state, part, wish, options.ignore_soft_errors);
  return SingleChange{fmt::format("move {} first: {}", cluster[way->other].alias,
                                  moves_text(cluster, way->move, way->after)),
                      commands_of(cluster, way->other, way->move, way->after),
                      1,
                      way->copied_mib,
                      0,
                      score.value_or(0)};
}

}  // namespace

std::optional<SingleChange> smallest_change(const Cluster& cluster, const State& state,
                                            const Part& part, const BalanceOptions& options,
                                            const Wish& wish) {
  if (auto setting = smallest_setting(cluster, state, part, options, wish)) return setting;
  return smallest_move(cluster, state, part, options, wish);
}

}  // namespace ballast::ganeti
