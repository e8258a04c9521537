// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/maintenance/stuck_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ballast/core/strings.hpp"
#include "ballast/ganeti/search/planning/refusal_text.hpp"

namespace ballast::ganeti::cli {
namespace {

std::string_view kind_text(DiskTemplate disk_template) {
  if (has_secondary(disk_template)) return "mirrored";
  return mirroring_of(disk_template) == Mirroring::External ? "on shared storage"
                                                            : "without a mirror";
}

std::string size_text(const Cluster& cluster, InstanceId id) {
  const Instance& instance = cluster[id];
  return fmt::format("{} ({}, {} MiB memory, {} MiB disk)", instance.name,
                     kind_text(instance.disk_template), instance.memory_mib, instance.disk_mib);
}

/// "; kept together by pairs (pair:1)"
std::string bond_text(const Cluster& cluster, const std::vector<InstanceId>& set) {
  if (set.size() < 2) return "";
  std::vector<std::string> names;
  for (const InstanceId id : set) {
    for (const RuleId rule : cluster[id].rules) {
      const PlacementRule& one = cluster.rules[rule];
      const bool is_bond = one.kind == RuleKind::Together && !one.price;
      if (is_bond && std::ranges::find(names, one.name) == names.end()) names.push_back(one.name);
    }
  }
  return ", kept together by " + join(names, ", ");
}

/// "app1: memory: needs 8192 MiB, 3072 MiB unallocated on n2"
std::string not_there_text(const Cluster& cluster, const State& state, const NotThere& one,
                           bool is_set) {
  if (!one.why && one.target.is_none()) return "what it is kept together with stays";
  const std::string whom = is_set ? cluster[one.instance].name + ": " : "";
  if (one.why) return whom + refusal_text(cluster, state, cluster[one.instance], *one.why);
  return fmt::format("{}must go where its set goes, to {}, which takes nothing then", whom,
                     cluster[one.target].name);
}

std::string left_text(const Cluster& cluster, const State& state, const InstanceLeft& left) {
  constexpr std::size_t kMostTold = 3;
  std::vector<std::string> members;
  for (const InstanceId id : left.set) members.push_back(size_text(cluster, id));
  std::string text = fmt::format("no node but {} takes {}{}", cluster[left.node].name,
                                 join(members, " and "), bond_text(cluster, left.set));
  std::vector<std::string> reasons;
  for (const NotThere& one : left.tried) {
    std::string reason = not_there_text(cluster, state, one, left.set.size() > 1);
    if (std::ranges::find(reasons, reason) == reasons.end()) reasons.push_back(std::move(reason));
  }
  const std::size_t told = std::min(kMostTold, reasons.size());
  for (std::size_t i = 0; i < told; ++i) text += (i == 0 ? ": " : "; ") + reasons[i];
  if (reasons.size() > told) text += fmt::format(" and {} reasons more", reasons.size() - told);
  return text;
}

}  // namespace

std::string stuck_text(const Cluster& cluster, const State& state, const RebootPlan& plan) {
  constexpr std::size_t kMostNamed = 10;
  std::string text;
  for (std::size_t i = 0; i < std::min(plan.stuck.size(), kMostNamed); ++i)
    text += (i == 0 ? "" : "; ") + left_text(cluster, state, plan.stuck[i]);
  if (plan.stuck.size() > kMostNamed)
    text += fmt::format("; and {} nodes more", plan.stuck.size() - kMostNamed);
  return text;
}

}  // namespace ballast::ganeti::cli
