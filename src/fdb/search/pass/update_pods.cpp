// SPDX-License-Identifier: BSD-2-Clause
// Pods that are made anew in place, zone by zone, and the maintenance mode around it.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "ballast/fdb/search/pass/reconcilers.hpp"
#include "ballast/fdb/search/world/changes.hpp"

namespace ballast::fdb {
namespace {

constexpr Reconciler kSelf = Reconciler::UpdatePods;

bool is_pending_long(const World& world, const Member& group) {
  return group.conditions.has(Condition::PodPending) &&
         group.conditions.since(Condition::PodPending) <
             world.now - world.spec.automation.ignore_pending_seconds;
}

/// Groups whose pods are never made anew in place are not looked at, whatever becomes of them.
bool is_looked_at(const World& world, const Member& group) {
  return !group.is_marked() && !is_pending_long(world, group) &&
         !is_replaced_by_strategy(world, group);
}

std::set<std::string> unavailable_zones(World& world) {
  std::set<std::string> zones;
  for (const std::size_t i : world.awake()) {
    const Member& group = world.groups[i];
    if (!is_stateful(group.process_class)) continue;
    const Conditions& c = group.conditions;
    if (c.has(Condition::PodPending) || c.has(Condition::MissingProcesses) ||
        c.has(Condition::PodFailing) || !group.pod || group.pod->terminating_since) {
      zones.insert(group.fault_domain);
    }
  }
  return zones;
}

std::vector<Member*> candidates(World& world) {
  std::vector<Member*> list;
  for (const std::size_t i : world.awake()) {
    Member& group = world.groups[i];
    if (!is_looked_at(world, group) || !group.pod || group.pod_created) continue;
    if (!group.pod->spec_differs) continue;
    if (!replacement_reason(world, group).empty()) continue;
    list.push_back(&group);
  }
  return list;
}

std::vector<std::string> ids(const std::vector<Member*>& groups) {
  std::vector<std::string> list;
  for (const Member* group : groups) list.push_back(group->id);
  return list;
}

/// Only groups in zones that are unavailable anyway, where the limit is reached. False: nothing may
/// be updated.
bool apply_zone_limit(World& world, std::vector<Member*>& list) {
  const auto& limit = world.spec.max_unavailable_zones;
  if (!limit) return true;
  const auto zones = unavailable_zones(world);
  const auto allowed = static_cast<std::size_t>(std::max(0, *limit));
  const auto all = ids(list);
  if (zones.size() == allowed) {
    std::erase_if(list, [&](const Member* g) { return !zones.contains(g->fault_domain); });
  }
  if (zones.size() <= allowed && !list.empty()) return true;
  if (!all.empty()) {
    world.block(kSelf, "unavailable-zones", all,
                fmt::format("{} zones with unavailable pods, at most {} are accepted", zones.size(),
                            *limit));
  }
  return false;
}

bool is_unsettled(World& world) {
  return std::ranges::any_of(world.awake(), [&](std::size_t i) {
    const Member& group = world.groups[i];
    if (!is_looked_at(world, group)) return false;
    if (group.pod_created || group.pod_deleted) return true;
    const Conditions& c = group.conditions;
    if (c.has(Condition::MissingPod) && world.now - c.since(Condition::MissingPod) < 90)
      return true;
    return group.pod && group.pod->terminating_since &&
           world.now - *group.pod->terminating_since <
               world.spec.automation.ignore_terminating_seconds;
  });
}

/// The pods that go together under the deletion mode.
std::vector<Member*> batch(const World& world, const std::vector<Member*>& list,
                           std::string& zone) {
  const Mode mode = world.spec.automation.deletion_mode;
  if (mode == Mode::All) return list;
  std::map<std::string, std::vector<Member*>> zones;
  for (Member* group : list) zones[group->fault_domain].push_back(group);
  for (const auto& [name, members] : zones) {
    const bool has_storage = std::any_of(members.begin(), members.end(), [](const Member* g) {
      return g->process_class == ProcessClass::Storage;
    });
    // One by one, nobody asks for a maintenance that the operator itself did not begin.
    if (mode == Mode::Zone && !world.db.maintenance_zone.empty() &&
        name != world.db.maintenance_zone && has_storage)
      continue;
    zone = name;
    return mode == Mode::Zone ? members : std::vector<Member*>{members.front()};
  }
  return {};
}

/// Another zone is under maintenance, until that is ended or ends by itself.
void hold_for_maintenance(World& world, const std::vector<Member*>& list) {
  const std::string observed = "zone " + world.db.maintenance_zone + " is under maintenance";
  if (world.db.maintenance_until) {
    world.wait(kSelf, "maintenance", 1, ids(list), world.db.maintenance_until, observed);
  } else {
    world.block(kSelf, "maintenance", ids(list), observed);
  }
}

bool is_terminating(const Member* group) { return group->pod->terminating_since.has_value(); }

/// False where another zone is under maintenance.
bool enter_maintenance(World& world, const std::vector<Member*>& list, const std::string& zone) {
  const bool has_storage = std::any_of(list.begin(), list.end(), [](const Member* g) {
    return g->process_class == ProcessClass::Storage;
  });
  if (!world.spec.automation.use_maintenance_checker || !has_storage || zone.empty()) return true;
  if (!world.db.maintenance_zone.empty() && world.db.maintenance_zone != zone) {
    hold_for_maintenance(world, list);
    world.delay_pass(15);
    return false;
  }
  const std::int64_t seconds = world.spec.automation.maintenance_seconds;
  world.db.maintenance_zone = zone;
  world.db.maintenance_until = world.now + seconds;
  for (const Member* group : list) world.maintenance_groups[group->id] = world.now;
  if (std::ranges::all_of(list, is_terminating)) {
    // For pods that hang it is prolonged with each try, and so never ends by itself.
    world.db.maintenance_until.reset();
    return true;
  }
  TraceStep& step = world.emit(kSelf, Action::SetMaintenance, {zone}, std::to_string(seconds));
  step.because =
      "storage pods of the zone are about to restart; the database need not copy their data "
      "meanwhile";
  step.commands = {fmt::format("maintenance on {} {}", zone, seconds)};
  return true;
}

}  // namespace

void update_pods(World& world) {
  if (world.is_upgrading || world.is_tls_conversion()) {
    world.delay_pass(5);
    return;
  }
  std::vector<Member*> list = candidates(world);
  if (list.empty() || !apply_zone_limit(world, list)) return;
  if (is_unsettled(world)) {
    world.delay_pass(15);
    world.pass.waits.emplace_back();
    world.pass.waits.back().gate = "pods-settled";
    world.pass.waits.back().until = world.now + 15;
    return;
  }
  const Automation& rules = world.spec.automation;
  if (rules.update_strategy == UpdateStrategy::Replace) {
    world.end_pass(0);
    return;
  }
  if (rules.deletion_mode == Mode::None) {
    world.block(kSelf, "mode-none", ids(list), "deletionMode is None");
    world.end_pass(0);
    return;
  }
  std::string zone;
  std::vector<Member*> chosen = batch(world, list, zone);
  if (chosen.empty()) {
    hold_for_maintenance(world, list);
    world.end_pass(15);
    return;
  }
  if (!is_tolerant(world, {kSelf, 0, false, ids(chosen)})) {
    world.end_pass(15);
    return;
  }
  if (rules.deletion_mode != Mode::All && !takes_lock(world, kSelf, ids(chosen))) {
    world.delay_pass(15);
    return;
  }
  if (!enter_maintenance(world, chosen, zone)) return;
  const std::vector<std::string> tried = ids(chosen);
  std::erase_if(chosen, is_terminating);
  if (chosen.empty()) {
    world.block(kSelf, "held-pods", tried,
                "finalizers hold the pods: to delete them again changes nothing");
    world.delay_pass(10);
    return;
  }
  world.release(kSelf, "maintenance", 1);
  TraceStep& step = world.emit(kSelf, Action::DeletePod, ids(chosen));
  step.reason = "pod-spec";
  step.because = "the pod spec differs; the pod is made anew under its name, the volume stays";
  step.needs_lock = world.spec.uses_locks && rules.deletion_mode != Mode::All;
  step.changes = pod_changes(world, step.targets);
  for (Member* group : chosen) group->pod_deleted = true;
  world.delay_pass(2);
}

void end_maintenance(World& world) {
  world.db.maintenance_zone.clear();
  world.db.maintenance_until.reset();
  world.maintenance_groups.clear();
}

void check_maintenance(World& world) {
  const Automation& rules = world.spec.automation;
  if (!(rules.use_maintenance_checker || rules.reset_maintenance) ||
      world.db.maintenance_zone.empty())
    return;
  for (const auto& [id, since] : world.maintenance_groups) {
    const Member* group = world.find(id);
    if (group == nullptr) continue;
    const bool is_back =
        !group->processes.empty() &&
        std::all_of(group->processes.begin(), group->processes.end(),
                    [&, from = since](const Process& p) { return p.started && *p.started > from; });
    if (!is_back) {
      world.delay_pass(5);
      return;
    }
  }
  const Database& db = world.db;
  if (!passes(world, {Reconciler::MaintenanceModeChecker, 0, true, {}})) return;
  constexpr std::int64_t kQueue = 250LL << 20;
  if (db.data_lag_seconds.value_or(0) > 60 || db.durability_lag_seconds.value_or(0) > 60 ||
      db.log_queue_bytes.value_or(0) > kQueue || db.storage_queue_bytes.value_or(0) > kQueue) {
    world.block(Reconciler::MaintenanceModeChecker, "lag", {}, "the database lags behind");
    return;
  }
  TraceStep& step = world.emit(Reconciler::MaintenanceModeChecker, Action::ResetMaintenance,
                               {db.maintenance_zone});
  step.because = "all pods of the zone are back";
  step.commands = {"maintenance off"};
  end_maintenance(world);
}

void update_metadata(World& world) {
  std::vector<std::string> pods;
  std::vector<std::string> volumes;
  for (const std::size_t i : world.awake()) {
    Member& group = world.groups[i];
    if (group.conditions.has(Condition::ResourcesTerminating)) continue;
    if (group.pod && !group.pod_created && group.pod->metadata_differs) {
      group.pod->metadata_differs = false;
      // From now on the pod is taken for one that was made so.
      group.pod->public_ip_source = world.spec.routing.public_ip_source;
      group.carried.clear(Condition::IncorrectPodMetadata);
      group.conditions.clear(Condition::IncorrectPodMetadata);
      pods.push_back(group.id);
    }
    if (group.volume && group.volume->metadata_differs) {
      group.volume->metadata_differs = false;
      group.conditions.clear(Condition::MissingPvc);
      volumes.push_back(group.id);
    }
  }
  if (!pods.empty()) {
    TraceStep& step =
        world.emit(Reconciler::UpdateMetadata, Action::UpdatePodMetadata, std::move(pods));
    step.because = "labels or annotations differ; patched in place, nothing restarts";
    step.changes = metadata_changes(world, step.targets, false);
  }
  if (!volumes.empty()) {
    TraceStep& step =
        world.emit(Reconciler::UpdateMetadata, Action::UpdatePvcMetadata, std::move(volumes));
    step.because = "labels or annotations of the claims differ; patched in place";
    step.changes = metadata_changes(world, step.targets, true);
  }
}

void delete_terminal_pods(World& world) {
  std::vector<std::string> old;
  for (const std::size_t i : world.awake()) {
    Member& group = world.groups[i];
    if (!group.pod || group.pod->is_assumed ||
        group.conditions.has(Condition::ResourcesTerminating))
      continue;
    if (group.pod->phase != Phase::Failed && group.pod->phase != Phase::Succeeded) continue;
    const std::int64_t age = world.now - group.pod->created.value_or(0);
    if (age < world.options.flags.terminal_pod_age) {
      world.delay_pass(world.options.flags.terminal_pod_age - age);
      world.pass.waits.emplace_back();
      world.pass.waits.back().gate = "terminal-pod";
      world.pass.waits.back().until = world.now + world.options.flags.terminal_pod_age - age;
      continue;
    }
    group.pod_deleted = true;
    old.push_back(group.id);
  }
  if (!old.empty()) {
    world.emit(Reconciler::DeleteTerminalPods, Action::DeletePod, std::move(old)).because =
        "the pods have ended and would never run again";
  }
}

void delete_buggified_pods(World& world) {
  if (world.buggify_done) return;
  world.buggify_done = true;
  const Buggify& old = world.snapshot->spec.buggify;
  const Buggify& now = world.spec.buggify;
  const auto differs = [](const std::vector<std::string>& a, const std::vector<std::string>& b,
                          const std::string& id) {
    const auto has = [&](const auto& list) {
      return std::find(list.begin(), list.end(), id) != list.end() ||
             std::find(list.begin(), list.end(), "*") != list.end();
    };
    return has(a) != has(b);
  };
  std::vector<std::string> changed;
  for (Member& group : world.groups) {
    if (!group.pod || group.is_marked()) continue;
    if (!differs(old.no_schedule, now.no_schedule, group.id) &&
        !differs(old.crash_loop, now.crash_loop, group.id))
      continue;
    group.pod_deleted = true;
    world.rouse(group);
    changed.push_back(group.id);
  }
  if (changed.empty()) return;
  world.emit(Reconciler::DeletePodsForBuggification, Action::DeletePod, std::move(changed))
      .because = "buggify settings of the pods change";
  world.end_pass(0);
}

}  // namespace ballast::fdb
