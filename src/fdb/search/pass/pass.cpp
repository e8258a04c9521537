// SPDX-License-Identifier: BSD-2-Clause
// One pass: the operator's steps in their order.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "ballast/fdb/search/pass/reconcilers.hpp"
#include "ballast/fdb/search/world/coordinators.hpp"

namespace ballast::fdb {
namespace {

using Reconcile = void (*)(World&);

/// Between the update of the status and the removals.
constexpr std::array<Reconcile, 22> kBeforeRemoval = {update_config_map,
                                                      check_client_compatibility,
                                                      delete_buggified_pods,
                                                      delete_terminal_pods,
                                                      replace_misconfigured,
                                                      replace_failed,
                                                      add_groups,
                                                      add_services,
                                                      add_volumes,
                                                      add_pods,
                                                      generate_cluster_file,
                                                      remove_incompatible_processes,
                                                      update_sidecars,
                                                      update_pod_config,
                                                      update_metadata,
                                                      configure_database,
                                                      choose_removals,
                                                      exclude_processes,
                                                      change_coordinators,
                                                      bounce_processes,
                                                      check_maintenance,
                                                      update_pods};

/// The flow of the first design: marks before the config map, coordinators before the exclude.
void move_coordinators_first(World& world) {
  const bool hits = std::any_of(world.groups.begin(), world.groups.end(), [](const Member& g) {
    return g.is_marked() && !g.is_excluded() && g.is_coordinator();
  });
  if (!hits) {
    change_coordinators(world);
    return;
  }
  const bool is_pending = std::any_of(world.groups.begin(), world.groups.end(),
                                      [](const Member& g) { return g.pod_created; });
  if (is_pending) return;
  if (const auto choice = choose_coordinators(world)) {
    set_coordinators(world, Reconciler::ChangeCoordinators, *choice, "coordinators-invalid",
                     "a coordinator is about to be excluded");
    update_config_map(world);
  } else {
    world.block(Reconciler::ChangeCoordinators, "coordinators", {}, choice.error().message);
    world.end_pass(15);
  }
}

/// Everything marked is excluded at once, after the new pods have come up.
void exclude_when_ready(World& world) {
  const bool is_pending = std::any_of(world.groups.begin(), world.groups.end(),
                                      [](const Member& g) { return g.pod_created; });
  if (!is_pending) exclude_processes(world);
}

void confirm_exclusions(World& world) {
  std::vector<std::string> ids;
  for (const Member& group : world.groups) {
    if (group.exclude_running) ids.push_back(group.id);
  }
  if (!ids.empty()) {
    world.wait(Reconciler::ExcludeProcesses, "exclusion-complete", 1, ids, std::nullopt);
    world.release(Reconciler::ExcludeProcesses, "exclusion-complete", 1);
    world.pass.waits.clear();
  }
}

/// The template of a density that is gone stays until the groups are forgotten.
void update_config_map_late(World& world) {
  const bool leaving = std::any_of(world.groups.begin(), world.groups.end(),
                                   [](const Member& g) { return g.is_leaving(); });
  if (!leaving) update_config_map(world);
}

constexpr std::array<Reconcile, 20> kSeed = {update_status,
                                             replace_misconfigured,
                                             replace_failed,
                                             update_config_map_late,
                                             add_groups,
                                             add_services,
                                             add_volumes,
                                             add_pods,
                                             generate_cluster_file,
                                             update_sidecars,
                                             update_pod_config,
                                             update_metadata,
                                             configure_database,
                                             choose_removals,
                                             move_coordinators_first,
                                             exclude_when_ready,
                                             bounce_processes,
                                             update_pods,
                                             confirm_exclusions,
                                             remove_groups};

/// A gate that time opens is told only at a pass that gets no further, or whose own requeue is what
/// waits for it.
void forget_timed_waits(World& world) {
  const Time next_pass = world.now + world.pass.requeue();
  const auto rest =
      std::remove_if(world.first_open_step(), world.steps.end(), [&](const TraceStep& step) {
        return step.action == Action::Wait && step.pass == world.pass.number && !step.is_released &&
               step.gate != "exclude-budget" && !(step.until && *step.until <= next_pass);
      });
  world.steps.erase(rest, world.steps.end());
}

/// What the snapshot found under way and the world finishes after this pass is told as a wait.
void tell_work_under_way(World& world) {
  std::vector<const Member*> moving;
  std::vector<std::string> vanishing;
  for (const std::size_t i : world.awake()) {
    Member& group = world.groups[i];
    if (group.exclude_running && !group.exclusion_told) moving.push_back(&group);
    group.exclusion_told = group.exclusion_told || group.exclude_running;
    if (!is_vanishing(world, group) || group.resources_deleted || group.pod_deleted) continue;
    vanishing.push_back(group.id);
  }
  if (!moving.empty()) tell_exclusion(world, moving);
  if (vanishing.empty()) return;
  const std::int64_t count = static_cast<std::int64_t>(vanishing.size());
  world.wait(Reconciler::RemoveProcessGroups, "terminating", count, std::move(vanishing),
             std::nullopt, "their pods or claims are being deleted already");
  world.release(Reconciler::RemoveProcessGroups, "terminating", count);
  world.pass.waits.pop_back();
}

template <std::size_t N>
void run_all(World& world, const std::array<Reconcile, N>& list) {
  for (const Reconcile step : list) {
    step(world);
    world.capture();
    if (world.pass.has_ended) return;
  }
}

/// Nothing but removals is under way: a step before them would find what it found in this pass.
bool is_quiet(const World& world, std::size_t first_step) {
  return !world.pass.has_ended && world.steps.size() == first_step && world.pass.waits.empty() &&
         world.pass.blocks.empty() && world.pass.delay == 0 && !world.pass.coordinators_deferred &&
         world.db.maintenance_zone.empty() && !world.is_upgrading &&
         std::all_of(world.groups.begin(), world.groups.end(), [&](const Member& group) {
           // A coordinator that leaves with its data calls for others once it is gone.
           return group.is_leaving() ? !group.is_coordinator()
                                     : world.is_settled(group) && !group.conditions.any();
         });
}

/// A pass that gets to its end updates the status once more: the moment from which deleted groups
/// are known to terminate, and from which the wait between removals counts.
void note_terminating(World& world) {
  for (const std::size_t i : world.departing()) {
    Member& group = world.groups[i];
    if (group.resources_deleted && group.is_leaving())
      group.conditions.set(Condition::ResourcesTerminating, world.now);
  }
}

/// The steps of release 2.33. Once a pass was quiet, only the status and the removals are looked at
/// until the status changes: thousands of zones may have to be emptied one by one.
void run_today(World& world) {
  const std::size_t first_step = world.steps.size();
  const bool was_quiet = world.is_quiet && !world.options.runs_every_step;
  const bool uses_names = world.status.is_configured && world.spec.routing.dns_in_cluster_file;
  if (!was_quiet && uses_names) add_pods(world);
  world.pass.is_quiet = was_quiet;
  update_status(world);
  world.capture();
  if (!was_quiet || world.steps.size() != first_step) {
    world.pass.is_quiet = false;
    run_all(world, kBeforeRemoval);
    if (world.pass.has_ended) return;
    world.is_quiet = is_quiet(world, first_step);
  }
  remove_groups(world);
  world.capture();
  if (world.pass.has_ended) return;
  remove_services(world);
  world.capture();
  note_terminating(world);
}

/// The database ends a maintenance by itself when its time is over. Until then that is one of the
/// moments at which what it froze goes on.
void follow_maintenance(World& world) {
  const auto& until = world.db.maintenance_until;
  if (world.db.maintenance_zone.empty() || !until) return;
  if (*until <= world.now) return end_maintenance(world);
  world.pass.waits.emplace_back();
  world.pass.waits.back().gate = "maintenance";
  world.pass.waits.back().until = until;
}

}  // namespace

void run_pass(World& world) {
  world.pass = PassState{};
  world.pass.number = ++world.passes;
  world.forget_awake();
  world.pass.tolerance_lack = lacks_fault_tolerance(world);
  follow_maintenance(world);
  const std::size_t first_step = world.steps.size();
  world.is_seed() ? run_all(world, kSeed) : run_today(world);
  if (!world.pass.is_quiet) tell_work_under_way(world);
  if (world.pass.made_progress) forget_timed_waits(world);
  if (world.pass.is_quiet) {
    world.shrink_footprint();
  } else if (world.pass.made_progress) {
    world.latest_footprint = world.footprint();
  }
  for (std::size_t i = std::min(first_step, world.steps.size()); i < world.steps.size(); ++i)
    world.steps[i].footprint = world.latest_footprint;
}

}  // namespace ballast::fdb
