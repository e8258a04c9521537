// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/allocate/allocation_report.hpp"

#include "ways_text.hpp"

#include "ballast/ganeti/model/unit_rules.hpp"
#include "ballast/ganeti/search/planning/rule_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ballast/core/decimal.hpp"
#include "ballast/core/strings.hpp"
#include "ballast/core/table.hpp"

namespace ballast::ganeti::cli {
namespace {

std::string whole(double value) { return fixed(value, 0); }

std::string policy_text(const Cluster& cluster, const Refusal& refusal, std::string_view what,
                        std::string_view unit) {
  const std::string_view end = refusal.wanted < refusal.available ? "minimum" : "maximum";
  return fmt::format("{} {}{}, policy {} is {}{} (policy of group {})", what, whole(refusal.wanted),
                     unit, end, whole(refusal.available), unit,
                     cluster[cluster[refusal.node].group].name);
}

std::string unit_text(const Cluster& cluster, const Refusal& refusal) {
  return fmt::format("disk {}: {} MiB wanted in {}, {} MiB free", refusal.disk,
                     whole(refusal.wanted), to_string(cluster[refusal.unit]),
                     whole(refusal.available));
}

std::string mark_text(const Refusal& refusal, std::string_view where) {
  return fmt::format("{}: {} MiB must stay free, {} MiB would be left", where,
                     whole(refusal.wanted), whole(refusal.available));
}

const InstancePolicy& policy_of(const Cluster& cluster, const Refusal& refusal) {
  return cluster[cluster[refusal.node].group].policy;
}

std::string node_rule_text(const Cluster& cluster, const Refusal& refusal) {
  const std::string wanted = whole(refusal.wanted);
  const std::string available = whole(refusal.available);
  switch (refusal.rule) {
    case Rule::MemoryUnallocated:
      return fmt::format("memory: {}{} MiB wanted, {} MiB not allocated",
                         refusal.wanted <= refusal.available ? "more than " : "", wanted,
                         available);
    case Rule::SecondaryMemory:
      return fmt::format("memory: {} MiB to be reserved for a failover, {} MiB not allocated",
                         wanted, available);
    case Rule::ForthcomingMemory:
      return fmt::format("memory, planned instances counted: {} MiB wanted, {} MiB left", wanted,
                         available);
    case Rule::NPlusOne:
      return fmt::format("N+1: {} MiB reserved for failovers, {} MiB would be left for them",
                         wanted, available);
    case Rule::DiskFree:
      return fmt::format("disk: {} MiB wanted, {} MiB free", wanted, available);
    case Rule::ForthcomingDisk:
      return fmt::format("disk, planned instances counted: {} MiB wanted, {} MiB free", wanted,
                         available);
    case Rule::DiskLowWater:
    case Rule::ForthcomingDiskLowWater:
    case Rule::NodeReserve:
      return mark_text(refusal, "disk");
    case Rule::Spindles:
    case Rule::ForthcomingSpindles:
      if (refusal.wanted < 0) return "spindles: the instance does not say how many its disks use";
      return fmt::format("spindles: {} wanted, {} free", wanted, available);
    case Rule::SpindleRatio:
    case Rule::ForthcomingSpindleRatio:
      return fmt::format("spindle ratio {} reached: {} spindle uses of {}",
                         shown(policy_of(cluster, refusal).spindle_ratio), wanted, available);
    case Rule::CpuRatio:
    case Rule::ForthcomingCpuRatio:
      return fmt::format("vcpu ratio {} reached: it would be {}", shown(refusal.available),
                         fixed(refusal.wanted, 2));
    case Rule::ExclusionTag:
      return "an instance with the same exclusion tag runs there";
    case Rule::NotMirrored:
      return "the disk template has no second copy";
    case Rule::Migration:
      return "migration tags do not allow it";
    default:
      return std::string(text_of(refusal.reason));
  }
}

struct Cause {
  std::string code;
  std::string text;
  std::int64_t count = 0;
  std::vector<NodeId> nodes;
};

std::vector<Cause> causes_of(const Cluster& cluster, const Instance& wanted,
                             const AllocationExplanation& explanation) {
  std::vector<Cause> causes;
  for (const CandidateVerdict& one : explanation.candidates) {
    if (!one.refusal) continue;
    const std::string text = verdict_text(cluster, wanted, one);
    auto cause = std::find_if(causes.begin(), causes.end(),
                              [&](const Cause& other) { return other.text == text; });
    if (cause == causes.end()) {
      cause = causes.insert(causes.end(),
                            Cause{std::string(text_of(one.refusal->reason)), text, 0, {}});
    }
    ++cause->count;
    const NodeId node = one.refusal->node;
    if (std::find(cause->nodes.begin(), cause->nodes.end(), node) == cause->nodes.end())
      cause->nodes.push_back(node);
  }
  for (Cause& cause : causes) std::sort(cause.nodes.begin(), cause.nodes.end());
  std::stable_sort(causes.begin(), causes.end(),
                   [](const Cause& a, const Cause& b) { return a.count > b.count; });
  return causes;
}

std::string names(const Cluster& cluster, const std::vector<NodeId>& nodes) {
  std::string text;
  for (const NodeId node : nodes) text += (text.empty() ? "" : ", ") + cluster[node].name;
  return text;
}

std::string causes_text(const Cluster& cluster, const Instance& wanted,
                        const AllocationExplanation& explanation) {
  std::string text;
  for (const Cause& cause : causes_of(cluster, wanted, explanation)) {
    text += fmt::format("  {} x {}: {} [{}]\n", cause.count, cause.code, cause.text,
                        names(cluster, cause.nodes));
  }
  return text;
}

std::string placement_text(const Cluster& cluster, const Placement& at) {
  const std::string& primary = cluster[at.primary].name;
  return at.secondary.is_none() ? primary : primary + ":" + cluster[at.secondary].name;
}

/// "web1 from a to b", "the mirror of web1 from a to b", "web1 from a:b to c:d"
std::string move_text(const Cluster& cluster, const BalanceStep& step) {
  const std::string& name = cluster[step.instance].name;
  const Placement& before = step.before;
  const Placement& after = step.after;
  if (before.primary == after.primary) {
    return fmt::format("the mirror of {} from {} to {}", name, cluster[before.secondary].name,
                       cluster[after.secondary].name);
  }
  const bool keeps_nodes = before.secondary == after.secondary || before.secondary == after.primary;
  if (!keeps_nodes || (before.secondary == after.primary && after.secondary != before.primary)) {
    return fmt::format("{} from {} to {}", name, placement_text(cluster, before),
                       placement_text(cluster, after));
  }
  return fmt::format("{} from {} to {}", name, cluster[before.primary].name,
                     cluster[after.primary].name);
}

std::string room_text(const Cluster& cluster, const MadeRoom& room) {
  std::string where;
  for (const NodeId node : room.nodes) where += (where.empty() ? "" : "/") + cluster[node].name;
  if (room.moves.size() == 1) {
    return fmt::format("Moving {} would make room for {}.\n",
                       move_text(cluster, room.moves.front()), where);
  }
  std::string text = fmt::format("{} moves would make room for {}:\n", room.moves.size(), where);
  for (const BalanceStep& step : room.moves) {
    text += fmt::format("  {}: {} => {}\n", cluster[step.instance].name,
                        placement_text(cluster, step.before), placement_text(cluster, step.after));
  }
  return text;
}

std::string no_room_text(std::size_t moves_sought) {
  if (moves_sought == 1)
    return "No single move of an existing instance was found that would make room.\n";
  return fmt::format("No way to make room was found with at most {} moves of existing instances.\n",
                     moves_sought);
}

std::string place_text(const Cluster& cluster, const CandidateVerdict& one) {
  const std::string primary = cluster[one.primary].name;
  return one.secondary.is_none() ? primary : primary + "/" + cluster[one.secondary].name;
}

}  // namespace

std::string cause_text(const Cluster& cluster, const Instance& wanted, const Refusal& refusal) {
  if (is_administrators_rule(refusal.rule)) return rule_text(cluster, refusal);
  if (const UnitRule* rule = unit_rule(refusal.rule); rule != nullptr && rule->kept != nullptr)
    return mark_text(refusal, to_string(cluster[refusal.unit]));
  switch (refusal.rule) {
    case Rule::UnitFull:
    case Rule::ForthcomingUnitFull:
      return unit_text(cluster, refusal);
    case Rule::UnitMissing:
      return fmt::format("disk {}: no storage unit {}", refusal.disk,
                         to_string(cluster[refusal.unit]));
    case Rule::UnitUnknown:
      return fmt::format("disk {}: its storage unit is not known", refusal.disk);
    case Rule::PolicyMemory:
      return policy_text(cluster, refusal, "memory is", " MiB");
    case Rule::PolicyDiskSize:
      return policy_text(cluster, refusal, fmt::format("disk {} is", refusal.disk), " MiB");
    case Rule::PolicyCpu:
      return policy_text(cluster, refusal, "virtual CPUs:", "");
    case Rule::PolicySpindleUse:
      return policy_text(cluster, refusal, "spindle use is", "");
    case Rule::PolicyDiskCount:
      return policy_text(cluster, refusal, "number of disks is", "");
    case Rule::PolicyTemplate:
      return fmt::format("disk template {} is not allowed (policy of group {})",
                         text_of(wanted.disk_template), cluster[cluster[refusal.node].group].name);
    default:
      return node_rule_text(cluster, refusal);
  }
}

std::string change_text(const Cluster& cluster, const Instance& wanted,
                        const AllocationExplanation& explanation) {
  if (!explanation.change) return {};
  std::string text = fmt::format("Smallest change that would help (for {}):\n",
                                 place_text(cluster, explanation.change->candidate));
  for (const Refusal& lifted : explanation.change->lifted) {
    text += fmt::format("  on {}: {}\n", cluster[lifted.node].name,
                        cause_text(cluster, wanted, lifted));
  }
  return text;
}

std::string explanation_summary(const Cluster& cluster, const Instance& wanted,
                                const AllocationExplanation& explanation) {
  std::int64_t fitting = 0;
  for (const CandidateVerdict& one : explanation.candidates) fitting += one.refusal ? 0 : 1;
  std::string text = fmt::format("Instance {}: {} candidates, {} of them fit.\n", wanted.name,
                                 explanation.candidates.size(), fitting);
  text += causes_text(cluster, wanted, explanation);
  text += change_text(cluster, wanted, explanation);
  if (explanation.room) {
    text += room_text(cluster, *explanation.room);
  } else if (explanation.moves_sought > 0) {
    text += no_room_text(explanation.moves_sought);
  }
  if (explanation.ways) text += ways_text(cluster, wanted, *explanation.ways);
  return text;
}

std::string verdict_text(const Cluster& cluster, const Instance& wanted,
                         const CandidateVerdict& one) {
  if (one.refusal->rule != Rule::GlobalNPlusOne) return cause_text(cluster, wanted, *one.refusal);
  return fmt::format("node {} could no longer be emptied: instance {} ({} MiB) would find no place",
                     cluster[one.refusal->node].name, one.stuck_instance,
                     whole(one.refusal->wanted));
}

std::string explanation_table(const Cluster& cluster, const Instance& wanted,
                              const AllocationExplanation& explanation) {
  TextTable table;
  table.columns = {{"Primary", TextTable::Align::Left}, {"Secondary", TextTable::Align::Left},
                   {"Score", TextTable::Align::Right},  {"Result", TextTable::Align::Left},
                   {"Where", TextTable::Align::Left},   {"Why", TextTable::Align::Left}};
  for (const CandidateVerdict& one : explanation.candidates) {
    const std::string secondary = one.secondary.is_none() ? "-" : cluster[one.secondary].name;
    if (!one.refusal) {
      table.rows.push_back({cluster[one.primary].name, secondary, fixed(one.score, 8), "fits", "",
                            one.price == 0 ? ""
                                           : fmt::format("{} of the score is the price of rules",
                                                         shown(one.price))});
      continue;
    }
    table.rows.push_back({cluster[one.primary].name, secondary, "",
                          std::string(text_of(one.refusal->reason)),
                          one.refusal->node.is_none() ? "" : cluster[one.refusal->node].name,
                          verdict_text(cluster, wanted, one)});
  }
  return table.render();
}

namespace {

/// Where an existing instance can go, and what stands against the rest.
std::string move_summary(const Cluster& cluster, const InstanceExplanation& one) {
  const auto& candidates = one.explanation.candidates;
  if (candidates.empty())
    return fmt::format("Instance {}: {}.\n", one.instance.name, no_candidates_text(one));
  std::int64_t fitting = 0;
  for (const CandidateVerdict& candidate : candidates) fitting += candidate.refusal ? 0 : 1;
  std::string text = fmt::format("Instance {}: {} candidates, {} of them fit.\n", one.instance.name,
                                 candidates.size(), fitting);
  return text + causes_text(cluster, one.instance, one.explanation) +
         change_text(cluster, one.instance, one.explanation);
}

}  // namespace

std::string request_explanation(const Cluster& cluster, const std::vector<InstanceExplanation>& all,
                                bool tables) {
  std::string text;
  for (const InstanceExplanation& one : all) {
    if (tables && !one.explanation.candidates.empty())
      text += explanation_table(cluster, one.instance, one.explanation);
    const bool moves = one.role == InstanceExplanation::Role::Moved;
    const bool is_nowhere =
        one.explanation.candidates.empty() && one.role == InstanceExplanation::Role::Mirrored;
    text += moves || is_nowhere ? move_summary(cluster, one)
                                : explanation_summary(cluster, one.instance, one.explanation);
  }
  return text;
}

}  // namespace ballast::ganeti::cli
