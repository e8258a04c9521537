// SPDX-License-Identifier: BSD-2-Clause
// Room on disks: refused, tight, uneven, or scarce already.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "ballast/fdb/search/warn/warning_list.hpp"

namespace ballast::fdb {
namespace {

// The data distributor aims to keep 30 per cent free; from 85 per cent in use on, nothing is left
// to react with.
constexpr double kComfort = 0.3;
constexpr double kDanger = 0.15;
constexpr double kScarce = 0.1;

void warn_of_moves(WarningList& list) {
  for (std::size_t i = 0; i < list.simulation.steps.size(); ++i) {
    const TraceStep& step = list.simulation.steps[i];
    if (step.action == Action::Blocked && step.gate == "no-space")
      list.add("no-space", plan::Severity::Danger, step.observed);
    if (list.numbers()[i] == 0 || !step.free_share || *step.free_share >= kComfort) continue;
    list.add("tight-space",
             *step.free_share < kDanger ? plan::Severity::Danger : plan::Severity::Warning,
             fmt::format("{:.0f} % of the disks of the remaining storage servers will be in use",
                         (1 - *step.free_share) * 100),
             {list.numbers()[i]});
  }
}

/// Servers that are nearly full before anything moves, and what the database says of it.
void warn_of_scarcity(WarningList& list) {
  std::vector<std::string> scarce;
  for (const ProcessGroup& group : list.snapshot.groups) {
    if (group.processes.empty()) continue;
    const Process& process = group.processes.front();
    if (!process.disk_free_bytes || process.disk_total_bytes.value_or(0) <= 0) continue;
    const double share = static_cast<double>(*process.disk_free_bytes) /
                         static_cast<double>(*process.disk_total_bytes);
    if (share < kScarce) scarce.push_back(group.id);
  }
  if (!scarce.empty()) {
    list.add(
        "tight-space", plan::Severity::Warning,
        fmt::format("less than 10 % of the disk is free already: {}", fmt::join(scarce, ", ")));
  }
  const std::string& limit = list.snapshot.database.limited_by;
  if (limit.find("min_free_space") != std::string::npos) {
    list.add("tight-space", plan::Severity::Danger,
             "the database throttles for lack of space: " + limit);
  }
}

/// Replicas lie in different zones: one zone with more room than its share cannot use it.
void warn_of_uneven_zones(WarningList& list) {
  const int zones_needed = list.desired.redundancy().minimum_domains;
  const auto excludes =
      list.steps_with([](const TraceStep& step) { return step.free_share.has_value(); });
  if (excludes.empty() || zones_needed < 2) return;
  std::map<std::string, double> room;
  double total = 0;
  for (const Member& group : list.simulation.world.groups) {
    if (group.process_class != ProcessClass::Storage || group.is_marked() ||
        group.processes.empty())
      continue;
    const auto free = static_cast<double>(group.processes.front().disk_free_bytes.value_or(0));
    room[group.fault_domain] += free;
    total += free;
  }
  for (const auto& [zone, free] : room) {
    const double share = free / std::max(total, 1.0);
    if (share <= 1.0 / zones_needed + 1e-9) continue;
    list.add("tight-space", plan::Severity::Warning,
             fmt::format("zone {} has {:.0f} % of all free space, more than one of {} replicas can "
                         "use: the data may not fit although the sum does",
                         zone, share * 100, zones_needed),
             excludes);
  }
}

}  // namespace

void warn_of_space(WarningList& list) {
  warn_of_moves(list);
  warn_of_scarcity(list);
  warn_of_uneven_zones(list);
}

}  // namespace ballast::fdb
