// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/search/simulate/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "ballast/fdb/model/counts.hpp"
#include "ballast/fdb/search/pass/reconcilers.hpp"
#include "ballast/fdb/search/world/coordinators.hpp"

namespace ballast::fdb {
namespace {

/// What was to be seen after a wait: it is over now.
void end_waits(World& world) {
  if (world.captures.after_pass.empty()) return;
  world.captures.due.merge(world.captures.after_pass);
  world.captures.after_pass.clear();
  world.capture();
}

/// What is stuck at one gate for one reason is one dead end.
void join(std::vector<TraceStep>& dead_ends) {
  std::vector<TraceStep> joined;
  for (TraceStep& step : dead_ends) {
    const auto same = std::ranges::find_if(joined, [&](const TraceStep& other) {
      return other.gate == step.gate && other.reconciler == step.reconciler &&
             other.observed == step.observed && !other.targets.empty() && !step.targets.empty();
    });
    if (same == joined.end()) {
      joined.push_back(std::move(step));
      continue;
    }
    std::vector<std::string> both;
    std::ranges::set_union(same->targets, step.targets, std::back_inserter(both));
    same->targets = std::move(both);
    same->classes |= step.classes;
  }
  dead_ends = std::move(joined);
}

}  // namespace

std::optional<Time> next_opening(const World& world) {
  std::optional<Time> next;
  for (const TraceStep& wait : world.pass.waits) {
    if (!wait.until) continue;
    const Time at = std::max(*wait.until, world.now + 1);
    next = next ? std::min(*next, at) : at;
  }
  return next;
}

void finish(Simulation& result) {
  World& world = result.world;
  result.left = left_unhealthy(world);
  result.differences = remaining_differences(world);
  std::vector<TraceStep> dead_ends = world.pass.blocks;
  for (const TraceStep& wait : world.pass.waits) {
    if (wait.until || wait.targets.empty()) continue;
    TraceStep step = wait;
    step.action = Action::Blocked;
    step.detail = step.gate;
    dead_ends.push_back(std::move(step));
  }
  // What hangs in deletion is gone for the operator.
  const bool has_marked = std::ranges::any_of(world.groups, [](const Member& g) {
    return g.is_marked() && !(g.pod && g.pod->is_held && g.pod->terminating_since);
  });
  if (dead_ends.empty() && (has_marked || !result.differences.empty())) {
    TraceStep step;
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
  if (dead_ends.empty()) dead_ends = unfinished_groups(world, !result.steps.empty());
  if (dead_ends.empty()) return;
  join(dead_ends);
  result.ending = Ending::Blocked;
  for (TraceStep& step : dead_ends) {
    const bool known =
        std::any_of(result.steps.begin(), result.steps.end(), [&](const TraceStep& s) {
          return s.action == Action::Blocked && s.gate == step.gate && s.targets == step.targets;
        });
    if (!known) result.steps.push_back(std::move(step));
  }
}

int pass_cap(const Cluster& snapshot, const PlanOptions& options) {
  return options.max_passes.value_or(200 + 10 * static_cast<int>(snapshot.groups.size()));
}

void give_up(World& world, int cap) {
  world.pass.blocks.clear();
  world.pass.waits.clear();
  world.block(Reconciler::UpdateStatus, "no-convergence", {},
              fmt::format("not finished after {} passes", cap));
}

Cluster end_of(const Cluster& snapshot, const World& world) {
  Cluster end = snapshot;
  end.spec = world.spec;
  end.status = world.status;
  end.groups.assign(world.groups.begin(), world.groups.end());
  end.database = world.db;
  end.has_headless_service = world.has_headless_service;
  if (end.config_map) end.config_map = world.config_map;
  end.now = world.now;
  return end;
}

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
  if (!world.spec.uses_locks && !world.spec.lock_deny_list.empty())
    differences.emplace_back("the deny list of locks is not written while locks are off");
  return differences;
}

Simulation simulate(const Cluster& snapshot, const ClusterSpec& desired, const PlanOptions& options,
                    std::set<int> captures) {
  Simulation result;
  result.world = make_world(snapshot, desired, options);
  result.world.captures.wanted = std::move(captures);
  World& world = result.world;
  if (desired.skip) {
    result.ending = Ending::Skipped;
    return result;
  }
  const int cap = pass_cap(snapshot, options);
  const auto& live = world.db.configuration;
  const bool is_foreign_mode = live && !is_known_redundancy_mode(live->redundancy_mode);
  if (is_foreign_mode) {
    world.block(Reconciler::UpdateStatus, "redundancy-mode", {},
                fmt::format("the database runs in redundancy mode {}, which the operator cannot "
                            "write into its status: it reconciles nothing until somebody "
                            "configures another mode",
                            live->redundancy_mode));
  }
  while (!is_foreign_mode) {
    if (world.passes >= cap) {
      give_up(world, cap);
      break;
    }
    run_pass(world);
    const bool happened = settle(world);
    if (world.pass.made_progress || happened) {
      world.now += world.pass.requeue();
      end_waits(world);
      continue;
    }
    const auto next = next_opening(world);
    if (!next) break;
    // Nobody looks sooner than the operator asked for.
    world.now = std::max(*next, world.now + world.pass.requeue());
    end_waits(world);
  }
  end_waits(world);
  result.passes = world.passes;
  result.steps = std::move(world.steps);
  finish(result);
  return result;
}

}  // namespace ballast::fdb
