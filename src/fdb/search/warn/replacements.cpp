// SPDX-License-Identifier: BSD-2-Clause
// What is replaced, why, and how much room old and new pods need side by side.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "ballast/fdb/search/simulate/waves.hpp"
#include "ballast/fdb/search/warn/warning_list.hpp"

namespace ballast::fdb {
namespace {

/// Groups that the plan replaces because they are not as wished, with the steps that mark them.
struct Misfits {
  std::vector<const ProcessGroup*> groups;  ///< those of the snapshot
  std::size_t count = 0;
  std::vector<int> steps;
  bool for_volumes = false;
};

Misfits misfits_of(const WarningList& list) {
  Misfits found;
  for (std::size_t i = 0; i < list.simulation.steps.size(); ++i) {
    const TraceStep& step = list.simulation.steps[i];
    if (step.action != Action::MarkForRemoval ||
        step.reconciler != Reconciler::ReplaceMisconfiguredProcessGroups)
      continue;
    found.count += step.targets.size();
    found.steps.push_back(list.numbers()[i]);
    found.for_volumes = found.for_volumes || step.reason == "pvc-spec";
    for (const std::string& id : step.targets) {
      if (const ProcessGroup* group = list.snapshot.find(id)) found.groups.push_back(group);
    }
  }
  return found;
}

void warn_of_extra_room(WarningList& list, const Misfits& misfits) {
  if (misfits.count <= 1 || list.desired.automation.max_concurrent_replacements ||
      list.options.profile != Profile::Today)
    return;
  const Footprint now = make_world(list.snapshot, list.desired, list.options).latest_footprint;
  Footprint most = now;
  for (const Wave& wave : waves_of(list.simulation)) raise(most, wave.peak);
  Footprint more;
  more.pods = most.pods - now.pods;
  more.cpu_milli = most.cpu_milli - now.cpu_milli;
  more.cpu_unknown_pods = most.cpu_unknown_pods - now.cpu_unknown_pods;
  more.memory_bytes = most.memory_bytes - now.memory_bytes;
  more.memory_unknown_pods = most.memory_unknown_pods - now.memory_unknown_pods;
  more.volume_bytes = most.volume_bytes - now.volume_bytes;
  if (more.pods <= 0) return;
  list.add("unbounded-replacement", plan::Severity::Warning,
           fmt::format("maxConcurrentReplacements is not set: old and new pods coexist, {} more "
                       "pods than now, with {}",
                       more.pods, room_text(more)),
           misfits.steps);
}

void warn_of_general_scope(WarningList& list, const Misfits& misfits) {
  std::set<std::string_view> hit;
  for (const ProcessGroup* group : misfits.groups) {
    const ProcessSettings& settings = list.desired.processes[index(group->process_class)];
    const ProcessSettings& old = list.snapshot.spec.processes[index(group->process_class)];
    const bool by_volume = settings.volume_is_general && settings.volume.hash != old.volume.hash;
    const bool by_pod = settings.pod_is_general && settings.pod.canonical != old.pod.canonical;
    if (by_volume || by_pod) hit.insert(name(group->process_class));
  }
  if (hit.size() <= 1) return;
  list.add("general-scope", plan::Severity::Warning,
           fmt::format("classes {} are hit because the setting sits in processes.general",
                       fmt::join(hit, ", ")),
           misfits.steps);
}

void warn_of_new_ids(WarningList& list) {
  const auto adds = list.steps_of(Action::AddProcessGroup);
  if (adds.empty()) return;
  list.add("random-ids", plan::Severity::Note,
           "the operator picks random numbers; IDs of new groups are placeholders", adds);
}

void warn_of_named(WarningList& list) {
  for (const std::string& id : list.desired.groups_to_remove_without_exclusion) {
    const ProcessGroup* group = list.snapshot.find(id);
    if (group != nullptr && group->pod &&
        group->pod->servers != list.desired.density(group->process_class)) {
      list.add("data-loss-density", plan::Severity::Danger,
               id + " has another density and is named for removal without exclusion", {}, id);
    }
  }
  for (const auto* named :
       {&list.desired.groups_to_remove, &list.desired.groups_to_remove_without_exclusion}) {
    for (const std::string& id : *named) {
      if (list.snapshot.find(id) == nullptr)
        list.add("unknown-group", plan::Severity::Warning,
                 id + " is named for removal but does not exist", {}, id);
    }
  }
}

/// Claims whose stored hash is no answer to any spec that was given.
void warn_of_claims(WarningList& list) {
  std::vector<std::string> odd;
  for (const ProcessGroup& group : list.snapshot.groups) {
    if (!group.volume || group.volume->is_assumed || group.is_marked()) continue;
    const std::string& hash = group.volume->spec_hash;
    if (hash != list.snapshot.spec.processes[index(group.process_class)].volume.hash &&
        hash != list.desired.processes[index(group.process_class)].volume.hash)
      odd.push_back(group.id);
  }
  if (odd.empty()) return;
  list.add("pvc-hash", plan::Severity::Warning,
           fmt::format("{}: the claim's annotation foundationdb.org/last-applied-spec is missing "
                       "or fits no given spec: counts as MissingPVC, and the groups are replaced",
                       fmt::join(odd, ", ")));
}

/// Start command and pods change in one edit.
void warn_of_pod_and_knob(WarningList& list) {
  std::set<std::string_view> both;
  for (const ProcessGroup& group : list.snapshot.groups) {
    const std::size_t i = index(group.process_class);
    const ProcessSettings& old = list.snapshot.spec.processes[i];
    const ProcessSettings& wished = list.desired.processes[i];
    if (old.custom_parameters != wished.custom_parameters &&
        old.pod.canonical != wished.pod.canonical)
      both.insert(name(group.process_class));
  }
  if (both.empty()) return;
  list.add("pod-and-knob", plan::Severity::Note,
           fmt::format("customParameters and pod template of {} change together: the restart "
                       "waits for the pods, and the pods wait for the fault tolerance",
                       fmt::join(both, ", ")));
}

/// Groups that are replaced because their pods find no node: their replacements need one as well.
void warn_of_lacking_nodes(WarningList& list) {
  std::vector<int> steps;
  std::string text;
  for (std::size_t i = 0; i < list.simulation.steps.size(); ++i) {
    const TraceStep& step = list.simulation.steps[i];
    if (step.action != Action::MarkForRemoval || step.reason != "failed") continue;
    for (const std::string& id : step.targets) {
      const ProcessGroup* group = list.snapshot.find(id);
      if (group == nullptr || !group->pod || group->pod->unschedulable.empty()) continue;
      text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", id, group->pod->unschedulable);
      if (steps.empty() || steps.back() != list.numbers()[i]) steps.push_back(list.numbers()[i]);
    }
  }
  if (steps.empty()) return;
  list.add("replacement-unschedulable", plan::Severity::Warning,
           "pods find no node, and nothing shows that their replacements will: " + text,
           std::move(steps));
}

}  // namespace

void warn_of_replacements(WarningList& list) {
  const Misfits misfits = misfits_of(list);
  warn_of_extra_room(list, misfits);
  warn_of_general_scope(list, misfits);
  if (misfits.for_volumes) {
    list.add("pvc-immutable", plan::Severity::Note,
             "a volume change always means replacement; existing claims are not grown",
             misfits.steps);
  }
  warn_of_new_ids(list);
  warn_of_named(list);
  warn_of_claims(list);
  warn_of_pod_and_knob(list);
  warn_of_lacking_nodes(list);
}

}  // namespace ballast::fdb
