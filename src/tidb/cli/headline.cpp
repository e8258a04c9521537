// SPDX-License-Identifier: BSD-2-Clause
#include "headline.hpp"

#include "ballast/core/strings.hpp"
#include "ballast/core/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace ballast::tidb {

namespace {

constexpr std::size_t kMostNames = 4;  // in one line

std::string counted(std::int64_t n, std::string_view one, std::string_view many,
                    std::string_view verb) {
  return fmt::format("{} {} {}", n, of_count(n, one, many), verb);
}

std::string names_of(std::vector<std::string> names) {
  const std::size_t all = names.size();
  if (all > kMostNames) names.resize(kMostNames);
  return join(names, ", ") +
         (all > kMostNames ? fmt::format(" and {} more", all - kMostNames) : "");
}

/// Whether something is wished that the operator, or this planner, does nothing about.
bool is_short_of_wish(const Outcome& outcome) {
  constexpr std::array<std::string_view, 7> kCodes = {
      "W-CLASS-IGNORED", "W-COMPONENT-DROPPED", "W-NOT-PLANNED",   "W-SLOT-UNUSED",
      "W-SLOTS-IGNORED", "W-STORAGE-IGNORED",   "W-STORAGE-SHRINK"};
  return std::ranges::any_of(outcome.warnings, [&](const plan::Warning& warning) {
    return std::ranges::find(kCodes, warning.code) != kCodes.end();
  });
}

class Ailments {
 public:
  Ailments(const Input& input, const Outcome& outcome) : input_(input), outcome_(outcome) {}

  std::vector<std::string> find() {
    unreached();
    members();
    stores();
    offline_stores();
    lost_copies();
    evictions();
    pods();
    limits();
    records();
    return std::move(found_);
  }

 private:
  /// What is told of members and stores is then of an earlier time.
  void unreached() {
    const bool runs = !input_.live.of(Component::Pd).empty();
    if (runs && !input_.live.synced[index_of(Component::Pd)].value_or(true))
      found_.emplace_back("the operator does not reach PD (status.pd.synced is false)");
  }

  void members() {
    std::vector<std::string> sick;
    for (const Member& member : input_.live.members) {
      if (!member.healthy) sick.push_back(member.name);
    }
    const bool nameless = std::ranges::find(outcome_.warnings, "W-MEMBER-NAMELESS",
                                            &plan::Warning::code) != outcome_.warnings.end();
    if (nameless) found_.emplace_back("PD lists a member that has not started");
    if (sick.empty()) return;
    const auto all = static_cast<std::int64_t>(input_.live.members.size());
    const std::int64_t healthy = all - static_cast<std::int64_t>(sick.size());
    std::string text =
        fmt::format("{} of {} PD members not healthy ({})", sick.size(), all, names_of(sick));
    if (healthy * 2 > all && (healthy - 1) * 2 <= all) text += ", one more loss stops PD";
    found_.push_back(std::move(text));
  }

  void stores() {
    for (const StoreState state : {StoreState::Down, StoreState::Disconnected}) {
      std::vector<std::string> names;
      for (const Store& store : input_.live.stores) {
        if (store.state == state && !store.tiflash && !store.peer)
          names.push_back(fmt::format("{} of {}", store.id, store.pod));
      }
      if (names.empty()) continue;
      found_.push_back(fmt::format("{} {} ({})", ballast::counted(names.size(), "store"),
                                   name_of(state), names_of(names)));
    }
  }

  /// Those that no step removes; they end only where the others can take their copies.
  void offline_stores() {
    std::vector<std::string> names;
    std::int64_t up = 0;
    for (const Store& store : input_.live.stores) {
      if (store.tiflash || store.peer) continue;
      if (store.state == StoreState::Up) ++up;
      const bool leaves = std::ranges::any_of(outcome_.steps, [&](const Line& step) {
        return step.action == Action::ScaleIn && step.object == store.pod;
      });
      if (store.state == StoreState::Offline && !leaves)
        names.push_back(fmt::format("{} of {}", store.id, store.pod));
    }
    if (names.empty()) return;
    std::string text =
        fmt::format("{} Offline ({})", ballast::counted(names.size(), "store"), names_of(names));
    if (up < input_.max_replicas) {
      text += fmt::format(", never Tombstone with {} Up for {} copies of each region", up,
                          input_.max_replicas);
    }
    found_.push_back(std::move(text));
  }

  /// More stores away than the copies of a region survive.
  void lost_copies() {
    const auto counts = [](const Store& store) { return !store.tiflash && !store.peer; };
    const auto away = std::ranges::count_if(input_.live.stores, [&](const Store& store) {
      return counts(store) &&
             (store.state == StoreState::Down || store.state == StoreState::Disconnected);
    });
    const std::int64_t survived = (input_.max_replicas - 1) / 2;
    if (away <= survived) return;
    found_.push_back(
        fmt::format("{} copies of a region survive the loss of {}: regions may be without a "
                    "majority, which new "
                    "pods do not bring back",
                    input_.max_replicas, survived));
  }

  /// Leaders that are kept away, and no roll-out that would end it.
  void evictions() {
    std::vector<std::string> names;
    if (input_.live.phase[index_of(Component::Tikv)] == "Upgrade") return;
    for (const LiveSet& set : input_.live.of(Component::Tikv)) {
      if (set.rolling()) continue;
      for (const LivePod& pod : set.pods) {
        if (pod.evict_begin && !pod.scale_in_time) names.push_back(pod.name);
      }
    }
    if (names.empty()) return;
    found_.push_back(
        fmt::format("leaders kept away from {}, by an eviction that was begun and has not ended",
                    names_of(names)));
  }

  void pods() {
    std::vector<std::string> names;
    for (const Component c : kComponents) {
      for (const LiveSet& set : input_.live.of(c)) {
        for (const LivePod& pod : set.pods) {
          if (!pod.ready || !pod.healthy) names.push_back(pod.name);
        }
      }
    }
    if (names.empty()) return;
    found_.push_back(
        fmt::format("{} not Ready ({})", ballast::counted(names.size(), "pod"), names_of(names)));
  }

  void limits() {
    for (const plan::Warning& warning : outcome_.warnings) {
      if (warning.code == "W-FAILOVER-LIMIT") found_.push_back(warning.text);
    }
  }

  void records() {
    if (input_.options.profile == Profile::V2) return;
    for (const Component c : kComponents) {
      for (const LiveSet& set : input_.live.of(c)) {
        const SetSpec* spec = input_.desired.find(c, set.name);
        if (spec == nullptr || set.failures.empty() || set.replicas <= spec->replicas) continue;
        found_.push_back(fmt::format("{}/{} runs {} pods where {} are wished, for {}", name_of(c),
                                     set.name, set.replicas, spec->replicas,
                                     ballast::counted(set.failures.size(), "failover record")));
      }
    }
  }

  const Input& input_;
  const Outcome& outcome_;
  std::vector<std::string> found_;
};

}  // namespace

Counts count(const Outcome& outcome) {
  Counts counts;
  for (const Line& step : outcome.steps) {
    switch (step.action) {
      case Action::CreateStatefulSet:
        ++counts.created;
        counts.added += step.count;
        break;
      case Action::ScaleOut:
        counts.added += step.replicas_after - step.replicas_before;
        break;
      case Action::ScaleIn:
        ++counts.removed;
        break;
      case Action::RestartPod:
        ++counts.restarted;
        break;
      case Action::DeleteStatefulSet:
        ++counts.deleted;
        counts.removed += step.count;
        break;
      case Action::Blocked:
        ++counts.blocked;
        break;
      default:
        break;
    }
    if (!is_step(step)) continue;
    ++counts.steps;
    counts.bytes += step.bytes.value_or(0);
    counts.bytes_known = counts.bytes_known && step.bytes.has_value();
    for (const plan::Wait& wait : step.waits) counts.seconds += wait.seconds_at_least.value_or(0);
  }
  return counts;
}

std::vector<std::string> never_reached(const Outcome& outcome) {
  constexpr std::array<std::string_view, 3> kCodes = {"W-CLASS-IGNORED", "W-STORAGE-IGNORED",
                                                      "W-STORAGE-SHRINK"};
  std::vector<std::string> sets;
  for (const plan::Warning& warning : outcome.warnings) {
    const bool is_meant = std::ranges::find(kCodes, warning.code) != kCodes.end();
    if (is_meant && std::ranges::find(sets, warning.subject.name) == sets.end())
      sets.push_back(warning.subject.name);
  }
  return sets;
}

namespace {

/// Removals whose data find no room: their wait may have no end.
std::string without_end(const Outcome& outcome) {
  std::vector<std::string> pods;
  for (const plan::Warning& warning : outcome.warnings) {
    if (warning.code == "W-DRAIN-NO-ROOM") pods.push_back(warning.subject.name);
  }
  if (pods.empty()) return "";
  return fmt::format(
      " May never end: the removal of {}, whose data the other stores have no room for.",
      names_of(pods));
}

}  // namespace

std::string headline(const Input& input, const Counts& counts, const Outcome& outcome) {
  const std::string ill = join(Ailments(input, outcome).find(), "; ");
  const std::string refused = join(never_reached(outcome), ", ");
  const std::string never =
      refused.empty() ? "" : fmt::format(" Never reached: the wished storage of {}.", refused);
  if (!outcome.steps.empty()) {
    return fmt::format("Plan: {}, {}, {} to remove, {} to restart, {}, {} blocked.{}{}{}",
                       counted(counts.created, "set", "sets", "to create"),
                       counted(counts.added, "pod", "pods", "to add"), counts.removed,
                       counts.restarted, counted(counts.deleted, "set", "sets", "to delete"),
                       counts.blocked, never, without_end(outcome),
                       ill.empty() ? "" : fmt::format(" Not well now: {}.", ill));
  }
  if (is_short_of_wish(outcome)) {
    return fmt::format("No steps. Not all that is wished is planned: see the warnings.{}{}", never,
                       ill.empty() ? "" : fmt::format(" Not well: {}.", ill));
  }
  if (!ill.empty()) return fmt::format("No steps, but not all is well: {}.", ill);
  const auto& suspended = input.live.suspended;
  if (std::ranges::find(suspended, true) != suspended.end())
    return "No changes. The cluster is suspended, as wished.";
  return "No changes. The cluster matches the wished state.";
}

}  // namespace ballast::tidb
