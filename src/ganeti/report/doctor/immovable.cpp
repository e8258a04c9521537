// SPDX-License-Identifier: BSD-2-Clause
// What balancing can never move, why, and how much of the imbalance that it leaves is due to it.
#include <fmt/format.h>

#include <map>
#include <utility>

#include "ballast/core/decimal.hpp"
#include "ballast/ganeti/score/metrics.hpp"
#include "checks.hpp"
#include "hand_moves.hpp"

namespace ballast::ganeti::doctor {
namespace {

constexpr std::size_t kMostHandMoves = 20;

/// Without its options a balancer would not look at it either; instances that the user excludes are
/// no finding.
std::string obstacle_of(const Cluster& cluster, const State& state, InstanceId id) {
  const Instance& instance = cluster[id];
  const Placement& place = state[id];
  if (mirroring_of(instance.disk_template) == Mirroring::None)
    return fmt::format("disk template {}", text_of(instance.disk_template));
  if (has_secondary(instance.disk_template) && place.secondary.is_none())
    return "no secondary node";
  if (!place.secondary.is_none() && cluster[place.primary].group != cluster[place.secondary].group)
    return "its nodes are in different groups";
  return instance.auto_balance ? "" : "auto_balance is off";
}

std::string moves_text(const Cluster& cluster, const std::vector<HandMove>& moves) {
  std::map<NodeId, std::vector<std::string>> by_target;
  for (const HandMove& move : moves) by_target[move.to].push_back(cluster[move.instance].name);
  std::string text;
  for (const auto& [target, names] : by_target) {
    text += fmt::format("{}{} to {}", text.empty() ? "" : ", ", listed(names, 10),
                        cluster[target].name);
  }
  return text;
}

/// How the score would fall if the instances were moved by hand after all that balancing can do.
void add_hand_moves(const Patient& patient, const Part& part, const std::vector<InstanceId>& ids,
                    Finding& finding) {
  const State& balanced = patient.rebalancing.state;
  const HandMoves hand =
      move_by_hand(patient.cluster, balanced, part, ids, kMostHandMoves, patient.options.min_gain);
  if (hand.moves.empty()) return;
  constexpr double kPercent = 100;
  const double share = kPercent * (hand.score_before - hand.score_after) / hand.score_before;
  std::int64_t copied = 0;
  for (const HandMove& move : hand.moves) copied += move.copied_mib;
  finding.severity = Severity::Warning;
  finding.text += fmt::format("; they hold {} % of the score {} that balancing leaves",
                              fixed(share, 0), fixed(hand.score_before, 2));
  finding.figures.set("score_balanced", hand.score_before)
      .set("score_by_hand", hand.score_after)
      .set("share_percent", share)
      .set("hand_moves", hand.moves.size())
      .set("copied_bytes", bytes_of(copied));
  finding.action =
      fmt::format("convert them to drbd, or move by hand (offline, {} MiB to copy) {}: score {}",
                  copied, moves_text(patient.cluster, hand.moves), fixed(hand.score_after, 2));
}

Finding finding_of(const Patient& patient, const Part& part, const std::string& why,
                   const std::vector<InstanceId>& ids) {
  const Cluster& cluster = patient.cluster;
  const std::vector<std::string> names = names_of(cluster, ids);
  std::int64_t memory = 0;
  for (const InstanceId id : ids) memory += cluster[id].memory_mib;
  Finding finding;
  finding.severity = Severity::Note;
  finding.code = "instances-never-move";
  finding.text = fmt::format("group {}: {} of {} can never be moved by balancing ({}): {}",
                             cluster[part.group].name, ids.size(),
                             counted(part.instances.size(), "instance"), why, listed(names));
  finding.subject.set("group", cluster[part.group].name)
      .set("reason", why)
      .set("instances", text_list(names));
  finding.figures.set("instances", ids.size())
      .set("of_instances", part.instances.size())
      .set("memory_bytes", bytes_of(memory));
  finding.action = "nothing, as long as they are where they should be";
  const bool is_bound_by_disks =
      mirroring_of(cluster[ids.front()].disk_template) == Mirroring::None;
  if (is_bound_by_disks) add_hand_moves(patient, part, ids, finding);
  return finding;
}

}  // namespace

void look_at_immovable(const Patient& patient, Findings& findings) {
  for (const Part& part : patient.parts) {
    std::map<std::string, std::vector<InstanceId>> by_reason;
    for (const InstanceId id : part.instances) {
      if (patient.cluster[id].is_forthcoming) continue;
      std::string why = obstacle_of(patient.cluster, patient.state, id);
      if (!why.empty()) by_reason[std::move(why)].push_back(id);
    }
    for (const auto& [why, ids] : by_reason)
      findings.push_back(finding_of(patient, part, why, ids));
  }
}

}  // namespace ballast::ganeti::doctor
