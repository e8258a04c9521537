// SPDX-License-Identifier: BSD-2-Clause
// Sums over the trace: totals and queues.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "ballast/core/units.hpp"
#include "ballast/fdb/model/counts.hpp"
#include "ballast/kube/quantity.hpp"
#include "parts.hpp"

namespace ballast::fdb {

namespace {

/// Whatever order data takes: what the snapshot stores on groups that leave is copied once at
/// least.
std::int64_t stored_on_leaving(const Cluster& snapshot, const Simulation& simulation) {
  std::set<std::string> leaving;
  for (const TraceStep& step : simulation.steps) {
    if (step.moves_data && step.action == Action::Exclude)
      leaving.insert(step.targets.begin(), step.targets.end());
  }
  std::int64_t sum = 0;
  for (const ProcessGroup& group : snapshot.groups) {
    if (leaving.contains(group.id)) sum += group.stored_bytes().value_or(0);
  }
  return sum;
}

/// Bytes that all steps together move, and at least what the snapshot stores on groups that leave;
/// nothing where a step's bytes are not known.
std::optional<std::int64_t> total_bytes(const Cluster& snapshot, const Simulation& simulation,
                                        std::optional<std::int64_t> rebalance) {
  std::int64_t sum = rebalance.value_or(0);
  for (const TraceStep& step : simulation.steps) {
    if (!step.moves_data) continue;
    if (!step.bytes) return std::nullopt;
    sum += *step.bytes;
  }
  return std::max(sum, stored_on_leaving(snapshot, simulation));
}

/// Bytes that move onto storage groups added beyond the replaced ones. What the steps move anyway
/// may fill them.
std::optional<std::int64_t> rebalance_bytes(const Cluster& snapshot, const ClusterSpec& desired,
                                            const Simulation& simulation) {
  std::int64_t stored = 0;
  int groups = 0;
  int servers = 0;
  for (const ProcessGroup& group : snapshot.groups) {
    if (group.process_class != ProcessClass::Storage || group.is_marked()) continue;
    ++groups;
    servers += group.pod ? group.pod->servers : 1;
    stored += group.stored_bytes().value_or(0);
  }
  const int grown = wanted_pods(desired)[index(ProcessClass::Storage)] - groups;
  if (grown <= 0 || servers == 0 || stored == 0) return std::nullopt;
  const int extra = grown * desired.density(ProcessClass::Storage);
  std::int64_t moved = 0;
  for (const TraceStep& step : simulation.steps) {
    if (step.action == Action::Exclude) moved += step.bytes.value_or(0);
  }
  const auto share =
      static_cast<std::int64_t>(static_cast<double>(stored) * extra / (servers + extra));
  return std::max<std::int64_t>(0, share - moved);
}

/// The sums of a moment; none where no pod's figure is known.
plan::Peak peak_of(const Footprint& moment, int step) {
  plan::Peak peak;
  peak.pods = moment.pods;
  if (moment.cpu_unknown_pods < moment.pods) peak.cpu_milli = moment.cpu_milli;
  if (moment.cpu_unknown_pods > 0) peak.cpu_unknown_pods = moment.cpu_unknown_pods;
  if (moment.memory_unknown_pods < moment.pods) peak.memory_bytes = moment.memory_bytes;
  if (moment.memory_unknown_pods > 0) peak.memory_unknown_pods = moment.memory_unknown_pods;
  peak.volume_bytes = moment.volume_bytes;
  peak.step = step;
  return peak;
}

}  // namespace

plan::Totals totals_of(const Cluster& snapshot, const ClusterSpec& desired,
                       const Simulation& simulation) {
  plan::Totals totals;
  std::set<std::string> added;
  std::set<std::string> removed;
  std::set<std::string> replaced;
  std::set<std::string> restarted;
  std::set<std::string> recreated;
  plan::Peak peak;
  int peak_pass = 0;
  int n = 0;
  for (const TraceStep& step : simulation.steps) {
    if (step.action == Action::Blocked) continue;
    ++n;
    const auto into = [&](std::set<std::string>& set) {
      set.insert(step.targets.begin(), step.targets.end());
    };
    if (step.action == Action::AddProcessGroup) into(added);
    if (step.action == Action::DeleteResources) into(removed);
    if (step.action == Action::MarkForRemoval && step.reason != "shrink") into(replaced);
    if (step.action == Action::KillProcesses) into(restarted);
    if (step.action == Action::DeletePod) into(recreated);
    // All steps of a pass share its footprint; the pods are what fills it.
    const bool is_higher = step.footprint.pods > peak.pods.value_or(0);
    const bool is_cause = step.footprint.pods == peak.pods.value_or(0) && step.pass == peak_pass &&
                          step.action == Action::CreatePod;
    if (is_higher) peak_pass = step.pass;
    if (is_higher || is_cause) {
      peak = peak_of(step.footprint, n);
    }
  }
  totals.steps = n;
  totals.phases = simulation.passes;
  totals.bytes = total_bytes(snapshot, simulation, rebalance_bytes(snapshot, desired, simulation));
  totals.seconds_at_least = simulation.world.now - snapshot.now;
  const auto count = [](const std::set<std::string>& set) {
    return static_cast<std::int64_t>(set.size());
  };
  totals.added = count(added);
  totals.removed = count(removed);
  totals.replaced = count(replaced);
  totals.restarted = count(restarted);
  totals.recreated = count(recreated);
  if (peak.pods) totals.peak = peak;
  return totals;
}

void add_byte_notes(const Cluster& snapshot, const ClusterSpec& desired,
                    const Simulation& simulation, plan::Plan& plan) {
  std::int64_t moved = 0;
  for (const TraceStep& step : simulation.steps)
    moved += step.moves_data ? step.bytes.value_or(0) : 0;
  const std::int64_t total = plan.totals.bytes.value_or(0);
  if (total == moved) return;
  const std::int64_t rebalanced = rebalance_bytes(snapshot, desired, simulation).value_or(0);
  plan.notes.push_back(
      {"bytes-beside-steps",
       total == moved + rebalanced
           ? fmt::format("of the total of {}, {} is moved onto the added groups by rebalancing, in "
                         "no step of its own",
                         size_text(total), size_text(rebalanced))
           : fmt::format("the steps move {}, what then lies on the groups that they exclude; the "
                         "total of {} is what lies there now, and the difference of {} leaves "
                         "before, by rebalancing onto groups that are new in between",
                         size_text(moved), size_text(total), size_text(total - moved))});
}

void add_queues(const ClusterSpec& desired, const Simulation& simulation, plan::Plan& plan) {
  plan::Queue replacements;
  replacements.name = "replacements";
  if (const auto& limit = desired.automation.max_concurrent_replacements)
    replacements.limit = *limit;
  plan::Queue deletions;
  deletions.name = "deletions";
  int first_mark = 0;
  bool has_deleted = false;
  for (const TraceStep& step : simulation.steps) {
    if (step.action == Action::MarkForRemoval &&
        step.reconciler == Reconciler::ReplaceMisconfiguredProcessGroups) {
      if (first_mark == 0) first_mark = step.pass;
      if (step.pass == first_mark) {
        replacements.running += static_cast<std::int64_t>(step.targets.size());
      } else {
        replacements.waiting.insert(replacements.waiting.end(), step.targets.begin(),
                                    step.targets.end());
      }
    }
    if (step.action == Action::DeleteResources) {
      if (!has_deleted) {
        deletions.running = static_cast<std::int64_t>(step.targets.size());
      } else {
        deletions.waiting.insert(deletions.waiting.end(), step.targets.begin(), step.targets.end());
      }
      has_deleted = true;
    }
  }
  if (!replacements.waiting.empty()) {
    plan.notes.push_back(
        {"replacement-queue",
         fmt::format("{}: waiting, need replacement, {} of {} replacements in flight",
                     fmt::join(replacements.waiting, ", "), replacements.running,
                     replacements.limit.value_or(replacements.running))});
    plan.notes.push_back({"bytes-lower-bound",
                          "data moves at least once: what an earlier wave drains may land on a "
                          "group that is replaced later and move again"});
  }
  if (first_mark != 0 || replacements.limit) plan.queues.push_back(std::move(replacements));
  if (has_deleted) plan.queues.push_back(std::move(deletions));
}

}  // namespace ballast::fdb
