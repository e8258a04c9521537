// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/search/simulate/together.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "ballast/fdb/search/pass/reconcilers.hpp"
#include "ballast/fdb/search/simulate/parts.hpp"

namespace ballast::fdb {
namespace {

struct Operator {
  Simulation simulation;
  Time next = 0;
  bool is_idle = false;
  std::vector<int> turns;
};

class Meeting {
 public:
  Meeting(const std::vector<ObjectWish>& wishes, const PlanOptions& options) {
    shared_ = wishes.front().snapshot->database;
    std::set<std::string> known;
    for (const ObjectWish& wish : wishes) {
      for (const ProcessGroup& group : wish.snapshot->groups) known.insert(group.id);
      const auto& denied = wish.desired.lock_deny_list;
      shared_.lock_denied.insert(denied.begin(), denied.end());
    }
    for (const ForeignProcess& other : shared_.foreign) {
      if (!known.contains(other.group)) strangers_.push_back(other);
    }
    for (const ObjectWish& wish : wishes) {
      Operator own;
      own.simulation.world = make_world(*wish.snapshot, wish.desired, options);
      own.simulation.world.has_peers = true;
      own.next = wish.snapshot->now;
      own.is_idle = wish.desired.skip;
      if (wish.desired.skip) own.simulation.ending = Ending::Skipped;
      cap_ += pass_cap(*wish.snapshot, options);
      operators_.push_back(std::move(own));
    }
  }

  JointSimulation run() {
    while (Operator* next = earliest()) {
      if (turn_ >= cap_) {
        give_up(next->simulation.world, cap_);
        break;
      }
      ++turn_;
      take_turn(*next);
    }
    for (Operator& own : operators_) {
      Simulation& simulation = own.simulation;
      simulation.passes = simulation.world.passes;
      simulation.steps = std::move(simulation.world.steps);
      if (simulation.ending == Ending::Skipped) continue;
      share(simulation.world);
      finish(simulation);
    }
    JointSimulation result;
    for (Operator& own : operators_) {
      result.turns.push_back(std::move(own.turns));
      result.objects.push_back(std::move(own.simulation));
    }
    return result;
  }

 private:
  Operator* earliest() {
    Operator* best = nullptr;
    for (Operator& own : operators_) {
      if (!own.is_idle && (best == nullptr || own.next < best->next)) best = &own;
    }
    return best;
  }

  /// The database as the object sees it: what is of others is foreign.
  void share(World& world) {
    world.db = shared_;
    world.db.foreign = strangers_;
    for (const Operator& other : operators_) {
      if (&other.simulation.world == &world) continue;
      for (const Member& group : other.simulation.world.groups) {
        for (const Process& process : group.processes)
          world.db.foreign.push_back({group.id, process, false});
      }
    }
    std::ranges::stable_sort(world.db.foreign, {}, &ForeignProcess::group);
  }

  void take_turn(Operator& own) {
    World& world = own.simulation.world;
    world.now = std::max(world.now, own.next);
    share(world);
    const bool was_upgrading = world.is_upgrading;
    run_pass(world);
    own.turns.push_back(turn_);
    const bool happened = settle(world);
    shared_ = world.db;
    if (was_upgrading && !world.is_upgrading) upgrade_others(own);
    if (world.pass.made_progress || happened) {
      own.next = world.now + world.pass.requeue();
      wake_others(own, world.now + 1);
    } else if (const auto opening = next_opening(world)) {
      own.next = *opening;
    } else {
      own.is_idle = true;
      release_lock(own);
    }
  }

  void wake_others(const Operator& own, Time at) {
    for (Operator& other : operators_) {
      if (&other == &own || !other.is_idle || other.simulation.ending == Ending::Skipped) continue;
      other.is_idle = false;
      other.next = at;
    }
  }

  /// An operator gives the lock back once its object is reconciled.
  void release_lock(const Operator& own) {
    const World& world = own.simulation.world;
    if (shared_.lock_owner.empty() || shared_.lock_owner != world.spec.group_prefix) return;
    if (!world.pass.blocks.empty() || !remaining_differences(world).empty()) return;
    shared_.lock_owner.clear();
    wake_others(own, world.now + 1);
  }

  /// The restart of an incompatible upgrade hits the servers of all objects.
  void upgrade_others(const Operator& own) {
    for (Operator& other : operators_) {
      World& world = other.simulation.world;
      if (&other == &own || !world.is_upgrading) continue;
      share(world);
      world.now = std::max(world.now, own.simulation.world.now);
      world.pass = PassState{};
      world.pass.number = world.passes;
      for (Member& group : world.groups) {
        group.is_killed = group.pod && !group.processes.empty();
        world.rouse(group);
      }
      settle(world);
      shared_ = world.db;
    }
    shared_.pending_upgrades.clear();
  }

  Database shared_;
  std::vector<ForeignProcess> strangers_;
  std::vector<Operator> operators_;
  int cap_ = 0;
  int turn_ = 0;
};

}  // namespace

JointSimulation simulate_together(const std::vector<ObjectWish>& wishes,
                                  const PlanOptions& options) {
  return Meeting(wishes, options).run();
}

}  // namespace ballast::fdb
