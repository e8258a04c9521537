// SPDX-License-Identifier: BSD-2-Clause
// Recording of steps, waits and dead ends, and the gates of the database.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ballast/fdb/search/world/world.hpp"

namespace ballast::fdb {
namespace {

void describe_targets(const World& world, TraceStep& step) {
  if (!std::is_sorted(step.targets.begin(), step.targets.end()))
    std::sort(step.targets.begin(), step.targets.end());
  // Both lists are sorted, and neighbours in one are often neighbours in the other.
  auto at = world.groups.begin();
  const auto end = world.groups.end();
  for (const std::string& id : step.targets) {
    if (at != end && at->id < id) ++at;
    if (at != end && at->id != id)
      at = std::lower_bound(
          at, end, id, [](const Member& g, const std::string& wanted) { return g.id < wanted; });
    if (at != end && at->id == id) step.classes |= class_bit(at->process_class);
  }
}

bool is_subset(const std::vector<std::string>& small, const std::vector<std::string>& large) {
  return std::includes(large.begin(), large.end(), small.begin(), small.end());
}

/// A wait is told once, at the last pass that gets no further.
void forget_earlier(std::vector<TraceStep>& steps, std::vector<TraceStep>::iterator first,
                    const TraceStep& wait) {
  const auto rest = std::remove_if(first, steps.end(), [&](const TraceStep& step) {
    return step.action == Action::Wait && !step.is_released && step.reconciler == wait.reconciler &&
           step.gate == wait.gate && step.required == wait.required &&
           is_subset(step.targets, wait.targets);
  });
  steps.erase(rest, steps.end());
}

}  // namespace

TraceStep& World::emit(Reconciler reconciler, Action action, std::vector<std::string> targets,
                       std::string detail) {
  // An update of the status writes all its fields at once.
  if (reconciler != Reconciler::UpdateStatus) capture();
  TraceStep step;
  step.pass = pass.number;
  step.serial = ++serial;
  step.reconciler = reconciler;
  step.action = action;
  step.targets = std::move(targets);
  step.detail = std::move(detail);
  step.at = now;
  describe_targets(*this, step);
  if (action != Action::Wait && action != Action::Blocked) pass.made_progress = true;
  if (captures.wanted.contains(serial)) captures.due.insert(serial);
  steps.push_back(std::move(step));
  return steps.back();
}

void World::wait(Reconciler reconciler, std::string gate, std::int64_t required,
                 std::vector<std::string> targets, std::optional<Time> until, std::string observed,
                 std::string stopped_by, bool tells_always) {
  TraceStep step;
  step.pass = pass.number;
  step.reconciler = reconciler;
  step.action = Action::Wait;
  step.targets = std::move(targets);
  step.detail = gate + " " + std::to_string(required);
  step.gate = std::move(gate);
  step.required = required;
  step.at = now;
  step.until = until;
  step.observed = std::move(observed);
  step.stopped_by = std::move(stopped_by);
  describe_targets(*this, step);
  pass.waits.push_back(step);
  if (step.targets.empty() && !tells_always) return;  // nothing is held up
  step.serial = ++serial;
  if (captures.wanted.contains(serial)) captures.after_pass.insert(serial);
  forget_earlier(steps, first_open_step(), step);
  steps.push_back(std::move(step));
}

void World::block(Reconciler reconciler, std::string gate, std::vector<std::string> targets,
                  std::string observed) {
  TraceStep step;
  step.pass = pass.number;
  step.reconciler = reconciler;
  step.action = Action::Blocked;
  step.targets = std::move(targets);
  step.detail = gate;
  step.gate = std::move(gate);
  step.observed = std::move(observed);
  step.at = now;
  describe_targets(*this, step);
  pass.blocks.push_back(std::move(step));
}

void World::release(Reconciler reconciler, std::string_view gate, std::int64_t required) {
  for (auto step = first_open_step(); step != steps.end(); ++step) {
    const bool is_meant =
        step->reconciler == reconciler && step->gate == gate && step->required == required;
    if (step->action == Action::Wait && is_meant) step->is_released = true;
  }
}

void World::release_gate(Reconciler reconciler, std::string_view gate) {
  for (auto step = first_open_step(); step != steps.end(); ++step) {
    if (step->action == Action::Wait && step->reconciler == reconciler && step->gate == gate)
      step->is_released = true;
  }
}

std::vector<TraceStep>::iterator World::first_open_step() {
  closed_steps_ = std::min(closed_steps_, steps.size());
  while (closed_steps_ < steps.size()) {
    const TraceStep& step = steps[closed_steps_];
    if (step.action == Action::Wait && !step.is_released) break;
    ++closed_steps_;
  }
  return steps.begin() + static_cast<std::ptrdiff_t>(closed_steps_);
}

void World::capture() {
  for (const int done : captures.due) {
    auto copy = std::make_shared<World>(*this);
    copy->captures = {};
    settle_restarts(*copy);
    captures.taken[done] = std::move(copy);
  }
  captures.due.clear();
}

void World::end_pass(std::int64_t delay) {
  pass.has_ended = true;
  pass.end_delay = delay;
}

void World::delay_pass(std::int64_t delay) { pass.delay = std::max(pass.delay, delay); }

bool passes(World& world, const DatabaseGate& gate) {
  if (gate.checks_state && !world.options.assume_healthy) {
    if (!world.db.is_available) {
      world.block(gate.reconciler, "unavailable", gate.targets, "the database is not available");
      return false;
    }
    if (world.db.active_generations.value_or(1) > 10) {
      world.block(gate.reconciler, "generations", gate.targets,
                  fmt::format("{} active generations, at most 10 are accepted",
                              *world.db.active_generations));
      return false;
    }
  }
  if (world.is_seed()) return true;
  const std::int64_t age = world.recovery_age();
  if (age >= gate.age) return true;
  world.wait(gate.reconciler, "recovery-age", gate.age, gate.targets, world.now + (gate.age - age),
             {}, {}, gate.tells_always);
  return false;
}

bool is_tolerant(World& world, const DatabaseGate& gate) {
  const auto& lack = world.pass.tolerance_lack;
  if (!lack || world.options.assume_healthy || world.is_seed()) return true;
  const bool is_lost =
      std::ranges::any_of(world.db.coordinators,
                          [](const CoordinatorState& coordinator) { return coordinator.is_lost; });
  // Coordinators that the plan's own steps took away come back, or others are chosen.
  if (is_lost || !lacks_fault_tolerance(world)) {
    world.wait(gate.reconciler, "fault-tolerance", 1, gate.targets, std::nullopt, *lack);
  } else {
    world.block(gate.reconciler, "fault-tolerance", gate.targets, *lack);
  }
  return false;
}

bool takes_lock(World& world, Reconciler reconciler, const std::vector<std::string>& targets) {
  if (!world.spec.uses_locks || world.is_seed()) return true;
  const std::string& own = world.spec.group_prefix;
  const auto& denied = world.spec.lock_deny_list;
  if (std::ranges::find(denied, own) != denied.end() || world.db.lock_denied.contains(own)) {
    world.block(reconciler, "lock", targets,
                fmt::format("\"{}\", the ID of this object, is on the deny list of locks", own));
    return false;
  }
  Database& db = world.db;
  const bool is_free = db.lock_owner.empty() || db.lock_owner == own || db.lock_until < world.now ||
                       db.lock_denied.contains(db.lock_owner);
  if (!is_free) {
    world.wait(reconciler, "lock", 1, targets, db.lock_until + 1,
               fmt::format("\"{}\" holds it", db.lock_owner));
    return false;
  }
  constexpr std::int64_t kMinute = 60;
  db.lock_owner = own;
  db.lock_until = world.now + world.spec.lock_minutes * kMinute;
  world.release(reconciler, "lock", 1);
  return true;
}

std::optional<std::string> lacks_fault_tolerance(const World& world) {
  const Database& db = world.db;
  if (!db.is_available) return "the database is not available";
  const int minimum = redundancy_of(db.configuration ? db.configuration->redundancy_mode
                                                     : world.spec.database.redundancy_mode)
                          .minimum_domains;
  if (db.replicas_remaining) {
    if (db.replicas_remaining->empty()) return "no team of storage servers is reported";
    const int least =
        *std::min_element(db.replicas_remaining->begin(), db.replicas_remaining->end());
    if (least < minimum) return fmt::format("{} of {} replicas remain", least, minimum);
  }
  if (db.logs) {
    if (db.logs->empty()) return "no set of logs is reported";
    for (const LogSet& set : *db.logs) {
      const auto lacks = [](int factor, int tolerance) {
        return factor != 0 && tolerance + 1 != factor;
      };
      if (lacks(set.factor, set.tolerance) || lacks(set.remote_factor, set.remote_tolerance) ||
          lacks(set.satellite_factor, set.satellite_tolerance)) {
        return "the logs do not have their full replication";
      }
    }
  }
  if (!db.quorum_reachable) return "no quorum of coordinators is reachable";
  for (const CoordinatorState& coordinator : db.coordinators) {
    if (!coordinator.is_reachable) {
      return "coordinator " + to_string(coordinator.address) + " is not reachable";
    }
  }
  return std::nullopt;
}

}  // namespace ballast::fdb
