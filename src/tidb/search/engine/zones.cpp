// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/strings.hpp"
#include "ballast/core/words.hpp"
#include "ballast/tidb/search/engine/engine.hpp"
#include "ballast/tidb/search/placement/zone.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ballast::tidb {

namespace {

std::string counts_text(const std::map<std::string, std::int64_t>& counts) {
  std::vector<std::string> numbers;
  for (const auto& [zone, count] : counts) numbers.push_back(fmt::format("{}", count));
  return join(numbers, "/");
}

std::string zones_text(const std::map<std::string, std::int64_t>& counts) {
  std::vector<std::string> names;
  for (const auto& [zone, count] : counts) names.push_back(zone);
  return join(names, "/");
}

std::int64_t occupied(const std::map<std::string, std::int64_t>& counts) {
  return std::ranges::count_if(counts, [](const auto& entry) { return entry.second > 0; });
}

std::int64_t most_copies(std::int64_t copies, std::int64_t zones) {
  return zones == 0 ? copies : (copies + zones - 1) / zones;
}

}  // namespace

/// Slots to name so that the zones stay even: each time the highest ordinal of the fullest zone.
std::vector<std::int64_t> better_slots(
    const std::vector<std::pair<std::int64_t, std::string>>& pods,
    std::map<std::string, std::int64_t>& counts, std::size_t removals) {
  std::vector<std::pair<std::int64_t, std::string>> left = pods;
  std::vector<std::int64_t> slots;
  while (slots.size() < removals && !left.empty()) {
    auto best = left.begin();
    for (auto it = left.begin(); it != left.end(); ++it) {
      const auto key = std::pair(counts[it->second], it->first);
      if (key > std::pair(counts[best->second], best->first)) best = it;
    }
    slots.push_back(best->first);
    --counts[best->second];
    left.erase(best);
  }
  std::ranges::sort(slots);
  return slots;
}

/// Zones with their stores before the plan, and after each step that takes one away. False where a
/// zone is not known.
bool Engine::follow_zones(ZoneHistory& history) const {
  const ZoneFinder zones(input_, capacity_);
  const auto add = [&](const std::string& pod, const std::string& zone) {
    history.zone_of[pod] = zone;
    ++history.counts[zone];
    return !zone.empty();
  };
  for (const Store& store : start_.stores) {
    if (store.tiflash || store.state == StoreState::Tombstone) continue;
    if (!add(store.pod, zones.of_store(store))) return false;
  }
  history.first_counts = history.counts;
  const std::int64_t wanted = std::min(input_.max_replicas, occupied(history.counts));
  history.texts.push_back(counts_text(history.counts));
  for (std::size_t i = 0; i < out_.steps.size(); ++i) {
    const Line& step = out_.steps[i];
    if (step.component != Component::Tikv) continue;
    const SetSpec* spec = wished(Component::Tikv, step.set);
    if (step.action == Action::ScaleOut && !add(step.object, zones.of_pod(step.object, *spec))) {
      return false;
    }
    if (step.action == Action::CreateStatefulSet) {
      for (const std::int64_t ordinal : ordinals(spec->replicas, spec->slots)) {
        const std::string pod = pod_name(spec->statefulset, ordinal);
        if (!add(pod, zones.of_pod(pod, *spec))) return false;
      }
    }
    if (step.action != Action::ScaleIn || !history.zone_of.contains(step.object)) continue;
    if (step.set == kDefaultSet) ++history.from_default;
    const std::string& zone = history.zone_of[step.object];
    --history.counts[zone];
    history.texts.push_back(counts_text(history.counts));
    const bool thins = history.counts[zone] == 0 || occupied(history.counts) < wanted;
    if (history.emptied.empty() && thins) {
      history.emptied = zone;
      history.at_step = i + 1;
    }
  }
  return true;
}

/// The slots that would keep the zones even; empty where slots are no help.
std::string Engine::better_slots_text(const ZoneHistory& history) const {
  const LiveSet* live = start_.find(Component::Tikv, std::string(kDefaultSet));
  const SetSpec* spec = wished(Component::Tikv, std::string(kDefaultSet));
  if (live == nullptr || spec == nullptr || history.from_default == 0 || spec->replicas == 0) {
    return "";
  }
  std::vector<std::pair<std::int64_t, std::string>> pods;
  for (const LivePod& pod : live->pods) {
    const auto zone = history.zone_of.find(pod.name);
    if (zone != history.zone_of.end()) pods.emplace_back(pod.ordinal, zone->second);
  }
  auto better = history.first_counts;
  std::vector<std::string> slots;
  for (const std::int64_t slot : better_slots(pods, better, history.from_default)) {
    slots.push_back(fmt::format("{}", slot));
  }
  return fmt::format(
      "; better: annotation tikv.tidb.pingcap.com/delete-slots: '[{}]' with replicas {}, which "
      "leaves {}{}",
      join(slots, ","), spec->replicas, counts_text(better),
      input_.options.advanced_statefulset()
          ? ""
          : " (needs the feature AdvancedStatefulSet; without it, a set per zone)");
}

void Engine::zones_of_plan() {
  ZoneHistory history;
  if (!follow_zones(history) || history.emptied.empty()) return;
  const std::int64_t left = occupied(history.counts);
  if (left == 0) return;
  warn("W-ZONE-EMPTIED", history.emptied,
       fmt::format("after step {} {} is empty: {} copies over {}, a zone loss may take {} of "
                   "{} copies; {}: {}{}",
                   history.at_step, history.emptied, input_.max_replicas, counted(left, "zone"),
                   most_copies(input_.max_replicas, left), input_.max_replicas,
                   zones_text(history.counts), join(history.texts, ", "),
                   better_slots_text(history)));
}

/// What the loss of one zone does to the wished layout.
void Engine::zones_of_layout() {
  const ZoneFinder zones(input_, capacity_);
  const auto pinned = [&](Component c) {
    return std::ranges::any_of(input_.desired.of(c),
                               [&](const SetSpec& s) { return !zones.pinned_to(s).empty(); });
  };
  const auto counts_of = [&](Component c) {
    std::map<std::string, std::int64_t> counts;
    for (const SetSpec& spec : input_.desired.of(c)) {
      for (const std::int64_t ordinal : ordinals(spec.replicas, spec.slots)) {
        const std::string zone = zones.of_pod(pod_name(spec.statefulset, ordinal), spec);
        if (zone.empty()) return std::map<std::string, std::int64_t>{};
        ++counts[zone];
      }
    }
    return counts;
  };
  const auto touched = [&](Component c) {
    return std::ranges::any_of(out_.steps, [&](const Line& s) { return s.component == c; });
  };
  if (touched(Component::Tikv)) {
    const auto counts = counts_of(Component::Tikv);
    const auto z = static_cast<std::int64_t>(counts.size());
    const std::int64_t copies = input_.max_replicas;
    const std::int64_t most = most_copies(copies, z);
    if (z > 0 && copies - most < copies / 2 + 1) {
      warn("W-ZONE-LOSS", "tikv",
           fmt::format("{}, {} copies: one zone holds {}, its loss leaves {} of the {} "
                       "needed ({}: {})",
                       counted(z, "zone"), copies, most, copies - most, copies / 2 + 1,
                       zones_text(counts), counts_text(counts)));
    }
    if (pinned(Component::Tikv) && !zones.location_labels().empty() && zones.label_key().empty()) {
      warn("W-NO-LOCATION-LABEL", "tikv",
           fmt::format("sets are pinned to zones, but location-labels ({}) name no zone: PD does "
                       "not spread copies over zones",
                       join(zones.location_labels(), ",")));
    }
    for (const Machine& node : input_.live.nodes) {
      if (!zones.label_key().empty() && !node.labels.contains(zones.label_key())) {
        warn("W-NODE-UNLABELLED", node.name,
             fmt::format("the node has no label {}, so stores on it get none", zones.label_key()));
      }
    }
  }
  if (touched(Component::Pd)) {
    const auto counts = counts_of(Component::Pd);
    std::int64_t all = 0;
    std::int64_t most = 0;
    std::string where;
    for (const auto& [zone, count] : counts) {
      all += count;
      if (count > most) {
        most = count;
        where = zone;
      }
    }
    if (all > 0 && all - most < all / 2 + 1) {
      warn("W-PD-ZONE-LOSS", "pd",
           fmt::format("{} holds {} of {} PD members: its loss leaves {}, {} are needed", where,
                       most, all, all - most, all / 2 + 1));
    }
  }
}

}  // namespace ballast::tidb
