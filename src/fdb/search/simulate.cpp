// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/search/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "ballast/fdb/model/counts.hpp"
#include "ballast/fdb/search/reconcilers.hpp"

namespace ballast::fdb {
namespace {

using Reconcile = void (*)(World&);

constexpr std::array<Reconcile, 25> kToday = {update_status,
                                              update_config_map,
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
                                              update_pods,
                                              remove_groups,
                                              remove_services};

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

/// A gate that time opens is told only at a pass that gets no further.
void forget_timed_waits(World& world) {
  std::erase_if(world.steps, [&](const Step& step) {
    return step.action == Action::Wait && step.pass == world.pass.number && !step.is_released &&
           step.gate != "exclude-budget";
  });
}

void run_pass(World& world) {
  world.pass = PassState{};
  world.pass.number = world.footprints.empty() ? 1 : static_cast<int>(world.footprints.size()) + 1;
  const std::size_t before = world.steps.size();
  if (world.status.is_configured && world.spec.routing.dns_in_cluster_file && !world.is_seed())
    add_pods(world);
  const auto run = [&](const auto& list) {
    for (const Reconcile step : list) {
      step(world);
      if (world.pass.has_ended) return;
    }
  };
  world.is_seed() ? run(kSeed) : run(kToday);
  if (world.pass.made_progress) forget_timed_waits(world);
  const Footprint footprint = world.footprint();
  for (std::size_t i = std::min(before, world.steps.size()); i < world.steps.size(); ++i) {
    world.steps[i].footprint = footprint;
  }
  world.footprints.push_back(footprint);
}

/// The earliest moment at which a gate of this pass opens by itself.
std::optional<Time> next_opening(const World& world) {
  std::optional<Time> next;
  for (const Step& wait : world.pass.waits) {
    if (!wait.until) continue;
    const Time at = std::max(*wait.until, world.now + 1);
    next = next ? std::min(*next, at) : at;
  }
  return next;
}

std::vector<LeftUnhealthy> left_unhealthy(const World& world) {
  std::vector<LeftUnhealthy> left;
  const Replacements& rules = world.spec.automation.replacements;
  for (const Member& group : world.groups) {
    for (std::size_t i = 0; i < kConditionCount; ++i) {
      const auto c = static_cast<Condition>(i);
      if (group.is_marked() || !group.conditions.has(c)) continue;
      LeftUnhealthy entry{group.id, std::string(name(c)), group.conditions.since(c), std::nullopt};
      if (rules.enabled && rules.max_concurrent > 0 && triggers_replacement(c)) {
        entry.replaced_from = entry.since + rules.failure_seconds;
      }
      left.push_back(std::move(entry));
    }
  }
  return left;
}

void finish(Simulation& result) {
  World& world = result.world;
  result.left = left_unhealthy(world);
  result.differences = remaining_differences(world);
  std::vector<Step> dead_ends = world.pass.blocks;
  for (const Step& wait : world.pass.waits) {
    if (wait.until || wait.targets.empty()) continue;
    Step step = wait;
    step.action = Action::Blocked;
    step.detail = step.gate;
    dead_ends.push_back(std::move(step));
  }
  const bool has_marked = std::any_of(world.groups.begin(), world.groups.end(),
                                      [](const Member& g) { return g.is_marked(); });
  if (dead_ends.empty() && (has_marked || !result.differences.empty())) {
    Step step;
    step.pass = world.pass.number;
    step.action = Action::Blocked;
    step.gate = "no-progress";
    step.detail = step.gate;
    step.at = world.now;
    for (const std::string& difference : result.differences) {
      step.observed += (step.observed.empty() ? "" : "; ") + difference;
    }
    dead_ends.push_back(std::move(step));
  }
  if (dead_ends.empty()) return;
  result.ending = Ending::Blocked;
  for (Step& step : dead_ends) {
    const bool known = std::any_of(result.steps.begin(), result.steps.end(), [&](const Step& s) {
      return s.action == Action::Blocked && s.gate == step.gate && s.targets == step.targets;
    });
    if (!known) result.steps.push_back(std::move(step));
  }
}

}  // namespace

std::vector<std::string> remaining_differences(const World& world) {
  std::vector<std::string> differences;
  PerClass<int> unmarked{};
  for (const Member& group : world.groups)
    unmarked[index(group.process_class)] += group.is_marked() ? 0 : 1;
  for (std::size_t i = 0; i < kClassCount; ++i) {
    if (unmarked[i] == world.wanted[i]) continue;
    differences.push_back(fmt::format("{} of {} groups of class {}", unmarked[i], world.wanted[i],
                                      name(class_at(i))));
  }
  if (!world.status.is_configured) differences.emplace_back("the database is not configured");
  if (world.db.configuration &&
      !(comparable_configuration(*world.db.configuration, world.wanted_configuration) ==
        world.wanted_configuration)) {
    differences.emplace_back("the database configuration differs");
  }
  if (world.status.is_configured && world.db.coordinators_given &&
      !world.status.connection_string.empty()) {
    const CoordinatorCheck check = check_coordinators(world);
    if (!check.are_valid) differences.push_back(check.problem);
  }
  if (world.is_upgrading) differences.emplace_back("servers run another version");
  return differences;
}

Simulation simulate(const Cluster& snapshot, const ClusterSpec& desired,
                    const PlanOptions& options) {
  Simulation result;
  result.world = make_world(snapshot, desired, options);
  World& world = result.world;
  if (desired.skip) {
    result.ending = Ending::Skipped;
    return result;
  }
  world.footprints.reserve(64);
  const int cap = options.max_passes.value_or(200 + 10 * static_cast<int>(snapshot.groups.size()));
  for (;;) {
    if (static_cast<int>(world.footprints.size()) >= cap) {
      world.pass.blocks.clear();
      world.pass.waits.clear();
      world.block(Reconciler::UpdateStatus, "no-convergence", {},
                  fmt::format("not finished after {} passes", cap));
      break;
    }
    run_pass(world);
    const bool happened = settle(world);
    if (world.pass.made_progress || happened) {
      world.now += world.pass.has_ended ? world.pass.end_delay
                                        : std::max<std::int64_t>(10, world.pass.delay);
      continue;
    }
    const auto next = next_opening(world);
    if (!next) break;
    world.now = *next;
  }
  result.passes = static_cast<int>(world.footprints.size());
  result.steps = std::move(world.steps);
  finish(result);
  return result;
}

}  // namespace ballast::fdb
