// SPDX-License-Identifier: BSD-2-Clause
// One line that says what changes.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "ballast/core/decimal.hpp"
#include "ballast/core/units.hpp"
#include "ballast/fdb/model/counts.hpp"
#include "ballast/fdb/search/moments/weak_moments.hpp"
#include "ballast/fdb/search/plan/planner.hpp"
#include "ballast/kube/quantity.hpp"

namespace ballast::fdb {
namespace {

std::string times(double ratio, std::string_view doubled, std::string_view halved) {
  if (ratio == 2) return std::string(doubled);
  if (ratio == 0.5) return std::string(halved);
  return fmt::format("times {:.3g}", ratio);
}

std::string disk_text(std::int64_t bytes) {
  return fmt::format("{:.1f} GB", static_cast<double>(bytes) / 1e9);
}

struct Density {
  int groups = 0;
  int before = 0;
  int after = 0;
  int processes_before = 0;
  int processes_after = 0;
  int pods_after = 0;
};

Density density_of(const Cluster& snapshot, const ClusterSpec& desired, ProcessClass c) {
  Density density;
  density.after = desired.density(c);
  for (const ProcessGroup& group : snapshot.groups) {
    if (group.process_class != c || group.is_marked()) continue;
    ++density.groups;
    const int servers = group.pod ? group.pod->servers : 1;
    density.processes_before += servers;
    density.before = std::max(density.before, servers);
  }
  density.pods_after = wanted_pods(desired)[index(c)];
  density.processes_after = density.pods_after * density.after;
  return density;
}

std::int64_t cpu_of(const ProcessSettings& settings) {
  std::int64_t sum = 0;
  for (const Container& container : settings.pod.containers)
    sum += container.name == "foundationdb" ? container.cpu_milli : 0;
  return sum;
}

std::int64_t memory_of(const ProcessSettings& settings) {
  std::int64_t sum = 0;
  for (const Container& container : settings.pod.containers)
    sum += container.name == "foundationdb" ? container.memory_bytes : 0;
  return sum;
}

std::string density_text(const Cluster& snapshot, const ClusterSpec& desired, ProcessClass c,
                         const Density& density) {
  const ProcessSettings& old = snapshot.spec.processes[index(c)];
  const ProcessSettings& wanted = desired.processes[index(c)];
  std::string text =
      fmt::format("processes {} -> {}, pods and disks {} -> {}", density.processes_before,
                  density.processes_after, density.groups, density.pods_after);
  if (old.volume.bytes == wanted.volume.bytes) {
    text += density.groups == density.pods_after ? ", usable disk unchanged" : "";
  } else {
    text += fmt::format(", disk {} -> {} per pod", disk_text(old.volume.bytes),
                        disk_text(wanted.volume.bytes));
  }
  const double share = static_cast<double>(density.before) / std::max(1, density.after);
  if (cpu_of(old) == cpu_of(wanted) && memory_of(old) == memory_of(wanted)) {
    if (share != 1) text += ", CPU and memory per process " + times(share, "doubled", "halved");
  } else {
    text += fmt::format(", requests per pod {} CPU {} -> {} CPU {}", kube::format_cpu(cpu_of(old)),
                        kube::format_bytes(memory_of(old)), kube::format_cpu(cpu_of(wanted)),
                        kube::format_bytes(memory_of(wanted)));
  }
  return text;
}

void add_counts(const Cluster& snapshot, const ClusterSpec& desired,
                std::vector<std::string>& parts) {
  const PerClass<int> wanted = wanted_pods(desired);
  PerClass<int> now{};
  for (const ProcessGroup& group : snapshot.groups)
    now[index(group.process_class)] += group.is_marked() ? 0 : 1;
  for (std::size_t i = 0; i < kClassCount; ++i) {
    if (now[i] != wanted[i])
      parts.push_back(fmt::format("{} pods {} -> {}", name(class_at(i)), now[i], wanted[i]));
  }
}

void add_actions(const plan::Totals& totals, const Simulation& simulation,
                 std::vector<std::string>& parts) {
  if (totals.replaced.value_or(0) > 0) {
    parts.push_back(
        fmt::format("{} group{} replaced", *totals.replaced, *totals.replaced == 1 ? "" : "s"));
  }
  if (totals.recreated.value_or(0) > 0) {
    parts.push_back(fmt::format("{} pod{} made anew in place", *totals.recreated,
                                *totals.recreated == 1 ? "" : "s"));
  }
  if (totals.restarted.value_or(0) > 0)
    parts.push_back(fmt::format("servers of {} groups restarted", *totals.restarted));
  for (const TraceStep& step : simulation.steps) {
    if (step.action == Action::ConfigureDatabase)
      parts.push_back("database configured: " + step.detail);
  }
}

}  // namespace

std::string headline(const Cluster& snapshot, const ClusterSpec& desired,
                     const Simulation& simulation, const plan::Plan& plan) {
  const plan::Totals& totals = plan.totals;
  if (simulation.ending == Ending::Skipped) return "the cluster is skipped: spec.skip is true";
  if (simulation.steps.empty()) return "nothing to do: the cluster is as the spec wants it";
  std::vector<std::string> parts;
  bool has_density = false;
  for (const ProcessClass c :
       {ProcessClass::Storage, ProcessClass::Log, ProcessClass::Transaction}) {
    const Density density = density_of(snapshot, desired, c);
    if (density.groups == 0 || density.before == density.after || density.pods_after == 0) continue;
    parts.push_back(density_text(snapshot, desired, c, density));
    has_density = true;
  }
  if (!has_density) add_counts(snapshot, desired, parts);
  add_actions(totals, simulation, parts);
  const bool moves = std::any_of(simulation.steps.begin(), simulation.steps.end(),
                                 [](const TraceStep& s) { return s.moves_data; });
  if (totals.bytes && *totals.bytes > 0) {
    parts.push_back("at least " + size_text(*totals.bytes) + " to move");
  } else if (moves && !totals.bytes) {
    parts.emplace_back("bytes to move unknown");
  }
  if (totals.seconds_at_least.value_or(0) > 0)
    parts.push_back("at least " + duration_text(*totals.seconds_at_least));
  if (totals.peak && totals.peak->pods)
    parts.push_back(fmt::format("at most {} pods at once", *totals.peak->pods));
  if (const std::string worst = worst_moment_text(plan.weakest); !worst.empty())
    parts.push_back("worst moment: " + worst);
  if (simulation.ending == Ending::Blocked)
    parts.emplace_back(plan.steps.empty() ? "BLOCKED before the first step"
                                          : "BLOCKED before the end");
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : "; ") + part;
  return text;
}

}  // namespace ballast::fdb
