// SPDX-License-Identifier: BSD-2-Clause
// Step 1 of a pass: marks from the spec, conditions, densities, required addresses.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ballast/fdb/search/pass/reconcilers.hpp"
#include "ballast/fdb/search/world/changes.hpp"

namespace ballast::fdb {
namespace {

bool contains(const std::vector<std::string>& list, const std::string& id) {
  return std::find(list.begin(), list.end(), id) != list.end();
}

void mark_named(World& world) {
  std::vector<std::string> named;
  const auto& removal = world.spec.groups_to_remove;
  const auto& without = world.spec.groups_to_remove_without_exclusion;
  const bool names_any = !removal.empty() || !without.empty();
  const auto look = [&](Member& group) {
    if (!names_any && group.process_class != ProcessClass::Test) return;
    const bool skips = contains(without, group.id);
    if (!group.is_marked() && (skips || contains(removal, group.id))) {
      mark(world, group);
      named.push_back(group.id);
    }
    if (group.is_marked() && (skips || group.process_class == ProcessClass::Test) &&
        !group.is_excluded()) {
      group.exclusion_skipped = true;
      group.excluded = world.now;
    }
  };
  if (names_any) {
    for (Member& group : world.groups) look(group);
  } else {
    for (const std::size_t i : world.awake()) look(world.groups[i]);
  }
  if (named.empty()) return;
  TraceStep& step = world.emit(Reconciler::UpdateStatus, Action::MarkForRemoval, std::move(named),
                               "named-for-removal");
  step.reason = "named-for-removal";
  step.because = "the spec lists them for removal";
}

void update_addresses(const World& world, Member& group) {
  const Pod& pod = *group.pod;
  if (pod.public_ips.empty()) return;
  if (group.is_marked() || !world.db.is_available) {
    for (const std::string& ip : pod.public_ips) {
      if (!contains(group.addresses, ip)) group.addresses.push_back(ip);
    }
    return;
  }
  group.addresses = pod.public_ips;
}

/// A pod that is ready and whose servers all report can be spoken to, whatever was noted before.
void reach_sidecar(Member& group) {
  const Pod& pod = *group.pod;
  if (pod.is_assumed || pod.phase != Phase::Running || !pod.is_ready) return;
  group.carried.clear(Condition::PodPending);
  if (group.reporting() < pod.servers) return;
  group.conditions.clear(Condition::SidecarUnreachable);
  group.carried.clear(Condition::SidecarUnreachable);
}

void process_conditions(World& world, Member& group) {
  Conditions& conditions = group.conditions;
  const bool knows = world.db.is_given || group.was_touched;
  reach_sidecar(group);
  const bool is_missing = group.reporting() < world.expected_processes(group);
  if (knows) conditions.assign(Condition::MissingProcesses, is_missing, world.now);
  if (group.processes.empty()) return;
  const int wanted =
      world.command_id(group.process_class, group.pod->image_type, group.pod->servers);
  bool is_incorrect = false;
  bool is_excluded = false;
  bool has_error = false;
  bool is_busy = false;
  for (const Process& process : group.processes) {
    is_incorrect = is_incorrect || process.command != wanted ||
                   (world.is_upgrading && process.version != to_string(world.spec.version));
    is_excluded = is_excluded || process.is_excluded;
    has_error = has_error || process.has_io_error;
    is_busy = is_busy || (world.options.flags.high_run_loop_busy &&
                          process.run_loop_busy >= *world.options.flags.high_run_loop_busy);
  }
  conditions.assign(Condition::IncorrectCommandLine, is_incorrect, world.now);
  if (is_missing || !world.db.is_given) return;
  conditions.assign(Condition::ProcessIsMarkedAsExcluded, is_excluded, world.now);
  conditions.assign(Condition::ProcessHasIoError, has_error, world.now);
  conditions.assign(Condition::ProcessHasHighRunLoopBusy, is_busy, world.now);
  if (!is_excluded && group.excluded && !group.exclusion_skipped) group.excluded.reset();
}

/// The claim was made from another spec than the wished one.
bool has_other_hash(const World& world, const Member& group) {
  return !group.volume->is_assumed &&
         group.volume->spec_hash != world.spec.processes[index(group.process_class)].volume.hash;
}

/// False where the pod is pending: nothing after it is looked at.
bool pod_conditions(World& world, Member& group) {
  Conditions& conditions = group.conditions;
  const Pod& pod = *group.pod;
  conditions.assign(Condition::IncorrectPodSpec, pod.spec_differs, world.now);
  conditions.assign(Condition::IncorrectPodMetadata, pod.metadata_differs, world.now);
  if (!pod.sidecar_version.empty()) {
    conditions.assign(Condition::IncorrectSidecarImage,
                      pod.sidecar_version != to_string(world.spec.version), world.now);
  }
  const int config = world.config_id(group.process_class, pod.image_type, pod.servers);
  // While versions change, the files are compared and not the hash that is noted of them.
  const bool is_synced = pod.config == config || (world.is_upgrading && can_sync(group));
  conditions.assign(Condition::IncorrectConfigMap, !is_synced, world.now);
  conditions.assign(Condition::MissingService,
                    world.spec.routing.public_ip_source == IpSource::Service && !group.has_service,
                    world.now);
  if (is_stateful(group.process_class)) {
    const bool lacks =
        !group.volume || group.volume->metadata_differs || has_other_hash(world, group);
    conditions.assign(Condition::MissingPvc, lacks, world.now);
  }
  if (pod.is_assumed && !group.was_touched) return !conditions.has(Condition::PodPending);
  if (pod.phase == Phase::Pending) {
    conditions.set(Condition::PodPending, world.now);
    return false;
  }
  conditions.assign(Condition::PodFailing, pod.phase == Phase::Failed || !pod.is_ready, world.now);
  conditions.clear(Condition::PodPending);
  return true;
}

void taint_conditions(World& world, Member& group) {
  const auto& rules = world.spec.automation.replacements.taints;
  const bool is_carried = group.carried.has(Condition::NodeTaintDetected) ||
                          group.carried.has(Condition::NodeTaintReplacing);
  if (is_carried && !rules.empty() && !world.snapshot->given.nodes && !group.was_touched) return;
  std::optional<Time> detected;
  std::optional<Time> replaced_from;
  for (const auto& [key, since] : group.taints) {
    const auto rule_for = [&](std::string_view wanted) {
      return std::find_if(rules.begin(), rules.end(),
                          [&](const TaintOption& o) { return o.key == wanted; });
    };
    auto rule = rule_for(key);
    if (rule == rules.end()) rule = rule_for("*");
    if (rule == rules.end()) continue;
    const Time from = std::min(since, world.now);
    detected = detected ? std::min(*detected, from) : from;
    const Time over = from + rule->seconds + 1;
    replaced_from = std::min(replaced_from.value_or(over), over);
  }
  if (!detected) {
    group.conditions.clear(Condition::NodeTaintDetected);
    group.conditions.clear(Condition::NodeTaintReplacing);
    return;
  }
  group.conditions.set(Condition::NodeTaintDetected, *detected);
  // From now on, whatever the age of the taint: the wait for a replacement begins here. It stays
  // until no taint is left.
  if (world.now >= *replaced_from) {
    group.conditions.set(Condition::NodeTaintReplacing, world.now);
  } else if (world.spec.automation.replacements.enabled) {
    world.pass.waits.emplace_back();
    world.pass.waits.back().gate = "node-taint";
    world.pass.waits.back().until = replaced_from;
  }
}

void update_conditions(World& world, Member& group) {
  Conditions& conditions = group.conditions;
  const bool is_frozen = !world.db.maintenance_zone.empty() &&
                         group.fault_domain == world.db.maintenance_zone &&
                         group.process_class == ProcessClass::Storage;
  if (is_frozen) return;
  const bool is_leaving = group.is_leaving();
  if (!group.pod) {
    conditions.clear(Condition::IncorrectCommandLine);
    if (is_leaving) {
      const bool is_known = conditions.has(Condition::ResourcesTerminating);
      const Time since = is_known ? conditions.since(Condition::ResourcesTerminating) : world.now;
      conditions.clear_all();
      conditions.set(Condition::ResourcesTerminating, since);
    } else {
      conditions.set(Condition::MissingPod, world.now);
    }
    return;
  }
  conditions.clear(Condition::MissingPod);
  update_addresses(world, group);
  const auto terminating = group.pod->terminating_since;
  if (is_leaving) {
    const bool had = conditions.has(Condition::ResourcesTerminating);
    const Time since = had ? conditions.since(Condition::ResourcesTerminating) : world.now;
    conditions.clear_all();
    if (terminating || had) conditions.set(Condition::ResourcesTerminating, since);
    if (!terminating) process_conditions(world, group);
    if (group.is_leaving()) {
      for (std::size_t i = 0; i < kConditionCount; ++i) {
        const auto c = static_cast<Condition>(i);
        if (c != Condition::ResourcesTerminating) conditions.clear(c);
      }
    }
    return;
  }
  if (terminating) {
    if (world.now - *terminating > world.spec.automation.failed_pod_seconds) {
      conditions.set(Condition::PodFailing, world.now);
      return;
    }
    conditions.clear(Condition::IncorrectCommandLine);
    if (group.pod->is_held) {
      world.pass.waits.emplace_back();
      world.pass.waits.back().gate = "terminating-pod";
      world.pass.waits.back().until = *terminating + world.spec.automation.failed_pod_seconds + 1;
    }
  }
  process_conditions(world, group);
  if (pod_conditions(world, group)) taint_conditions(world, group);
}

/// It differs from the wish in a way that only its replacement ends, and in nothing else.
bool waits_for_replacement(const World& world, const Member& group) {
  for (std::size_t i = 0; i < kConditionCount; ++i) {
    const auto c = static_cast<Condition>(i);
    if (c != Condition::IncorrectPodSpec && group.conditions.has(c)) return false;
  }
  const bool has_volume = group.volume && !group.volume->metadata_differs;
  return (has_volume || !is_stateful(group.process_class)) &&
         !replacement_reason(world, group).empty();
}

/// Under no rule that time alone could change: healthy and staying, or excluded and leaving.
bool can_settle(const World& world, const Member& group) {
  if (!world.db.maintenance_zone.empty() || world.is_upgrading || world.options.runs_every_step ||
      group.pod_created || group.pod_deleted || (group.pod && group.pod->terminating_since))
    return false;
  if (group.is_leaving()) return true;
  if (!group.pod || group.is_marked() || !group.taints.empty()) return false;
  return !group.conditions.any() || waits_for_replacement(world, group);
}

template <class T>
void insert_once(std::vector<T>& list, T value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

/// The zone that the latest of its processes reports.
void observe_zone(Member& group) {
  if (group.has_bound_domain || group.processes.empty()) return;
  const Process* latest = nullptr;
  for (const Process& process : group.processes) {
    if (process.zone.empty()) continue;
    if (latest == nullptr || process.started > latest->started) latest = &process;
  }
  // A zone that nobody has seen is told apart from others, but it is no observation.
  const bool is_made_up = latest != nullptr && latest->zone.front() == '<' && !group.was_touched;
  if (latest != nullptr && !is_made_up) group.fault_domain = latest->zone;
}

std::string list_text(const std::vector<int>& list) {
  std::string text;
  for (const int value : list) text += (text.empty() ? "" : ",") + std::to_string(value);
  return text;
}

std::string image_text(const std::vector<ImageType>& list) {
  std::string text;
  for (const ImageType type : list) {
    text += text.empty() ? "" : ",";
    text += type == ImageType::Split ? "split" : "unified";
  }
  return text;
}

std::string required_text(const RequiredAddresses& required) {
  std::string text = required.tls ? "tls" : "";
  if (required.non_tls) text += text.empty() ? "nonTLS" : ",nonTLS";
  return text;
}

template <class T>
void set_field(World& world, std::string_view field, T& value, T wanted,
               std::string (*text)(const T&)) {
  if (value == wanted) return;
  if (!world.is_seed()) {
    TraceStep& step = world.emit(Reconciler::UpdateStatus, Action::SetStatus, {},
                                 fmt::format("{} {}->{}", field, text(value), text(wanted)));
    step.because = "the status follows what the pods and the spec show";
    add_change(step.changes, fmt::format("status.{}", field), text(value), text(wanted));
  }
  value = std::move(wanted);
  world.clear_signature_cache();
}

RequiredAddresses required_addresses(const World& world) {
  RequiredAddresses required{world.spec.enable_tls, !world.spec.enable_tls};
  for (const CoordinatorState& coordinator : world.db.coordinators) {
    if (!world.status.is_configured) break;
    (coordinator.address.is_tls ? required.tls : required.non_tls) = true;
  }
  return required;
}

void update_fields(World& world) {
  std::vector<int> storage = {world.spec.density(ProcessClass::Storage)};
  std::vector<int> logs = {world.spec.density(ProcessClass::Log)};
  std::vector<ImageType> images = {world.spec.image_type};
  for (const Member& group : world.groups) {
    if (!group.pod) continue;
    const Pod& pod = *group.pod;  // most are like the one before
    if (group.process_class == ProcessClass::Storage) {
      if (storage.back() != pod.servers) insert_once(storage, pod.servers);
    } else if (is_log_class(group.process_class) && logs.back() != pod.servers) {
      insert_once(logs, pod.servers);
    }
    if (images.back() != pod.image_type) insert_once(images, pod.image_type);
  }
  std::sort(storage.begin(), storage.end());
  std::sort(logs.begin(), logs.end());
  std::sort(images.begin(), images.end());
  ClusterStatus& status = world.status;
  set_field(world, "requiredAddresses", status.required, required_addresses(world), &required_text);
  set_field(world, "storageServersPerDisk", status.storage_densities, std::move(storage),
            &list_text);
  set_field(world, "logServersPerDisk", status.log_densities, std::move(logs), &list_text);
  set_field(world, "imageTypes", status.image_types, std::move(images), &image_text);
}

}  // namespace

void mark(World& world, Member& group) {
  world.rouse(group);
  group.marked = world.now;
  world.forget_departing();
}

void update_status(World& world) {
  // Where only removals are under way, nothing happens to the groups that stay.
  const bool is_narrow = world.pass.is_quiet;
  follow_running_version(world);
  if (is_narrow) {
    for (const std::size_t i : world.departing()) {
      if (!world.is_settled(world.groups[i])) observe_zone(world.groups[i]);
    }
  } else {
    for (const std::size_t i : world.awake()) {
      if (!world.is_settled(world.groups[i])) observe_zone(world.groups[i]);
    }
    mark_named(world);
  }
  const int epoch = world.epoch();
  if (!is_narrow || world.pods_changed) update_fields(world);
  world.pods_changed = false;
  const auto update = [&world](Member& group) {
    if (world.is_settled(group)) return;
    update_conditions(world, group);
    if (can_settle(world, group)) world.settle_down(group);
  };
  if (is_narrow && epoch == world.epoch()) {
    for (const std::size_t i : world.departing()) update(world.groups[i]);
  } else {
    for (const std::size_t i : world.awake()) update(world.groups[i]);
  }
  world.forget_awake();
}

}  // namespace ballast::fdb
