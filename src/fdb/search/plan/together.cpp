// SPDX-License-Identifier: BSD-2-Clause
// The plans of several objects as one.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "ballast/core/sha256.hpp"
#include "ballast/core/words.hpp"
#include "ballast/fdb/search/check/second_opinion.hpp"
#include "ballast/fdb/search/plan/planner.hpp"
#include "ballast/fdb/search/plan/together.hpp"
#include "ballast/fdb/search/simulate/together.hpp"
#include "ballast/fdb/search/simulate/waves.hpp"
#include "ballast/plan/outcome.hpp"
#include "parts.hpp"

namespace ballast::fdb {
namespace {

/// A step of one of the plans, and where it comes to stand.
struct Place {
  int turn = 0;
  std::size_t object = 0;
  int number = 0;  ///< in the plan of its object
};

class Merger {
 public:
  Merger(const std::vector<ObjectWish>& wishes, const JointSimulation& joint,
         std::vector<plan::Plan> plans)
      : wishes_(wishes), joint_(joint), plans_(std::move(plans)), numbers_(plans_.size()) {
    for (const ObjectWish& wish : wishes_)
      names_.push_back(wish.snapshot->name_space + "/" + wish.snapshot->name);
  }

  plan::Plan run(std::vector<Place> places) {
    for (const Place& place : places)
      numbers_[place.object][place.number] = static_cast<int>(numbers_of(places, place)) + 1;
    take_head();
    int last_turn = 0;
    for (const Place& place : places) {
      if (place.turn != last_turn) ++merged_.totals.phases;
      last_turn = place.turn;
      take_step(place);
    }
    for (std::size_t i = 0; i < plans_.size(); ++i) take_rest(i);
    merged_.totals.steps = static_cast<std::int64_t>(merged_.steps.size());
    merged_.result = plan::outcome_of(merged_);
    merged_.headline =
        fmt::format("{} of one database: {}", counted(plans_.size(), "object"),
                    merged_.blocked.empty()
                        ? counted(merged_.steps.size(), "step")
                        : fmt::format("blocked, after {}", counted(merged_.steps.size(), "step")));
    if (merged_.steps.empty() && merged_.blocked.empty())
      merged_.headline += ", each is as its spec wants it";
    return std::move(merged_);
  }

 private:
  static std::ptrdiff_t numbers_of(const std::vector<Place>& places, const Place& place) {
    return &place - places.data();
  }

  void take_head() {
    const plan::Plan& first = plans_.front();
    merged_.system = first.system;
    merged_.tool = first.tool;
    merged_.cluster = first.cluster;
    merged_.profile = first.profile;
    merged_.now = first.now;
    merged_.assumptions = first.assumptions;
    Value names = Value::list();
    std::string prints;
    for (std::size_t i = 0; i < plans_.size(); ++i) {
      names.push(names_[i]);
      prints += plans_[i].fingerprint + "\n";
    }
    merged_.cluster.set("objects", std::move(names));
    merged_.fingerprint = sha256_hex(prints);
    merged_.before = Value::map();
    merged_.after = Value::map();
  }

  void follow(std::optional<int>& step, std::size_t object) const {
    if (!step) return;
    const auto found = numbers_[object].find(*step);
    step = found == numbers_[object].end() ? std::nullopt : std::optional(found->second);
  }

  void take_step(const Place& place) {
    plan::Step step = plans_[place.object].steps[static_cast<std::size_t>(place.number) - 1];
    step.n = numbers_[place.object].at(place.number);
    step.phase = static_cast<int>(merged_.totals.phases);
    for (plan::Wait& wait : step.waits_for) follow(wait.step, place.object);
    for (plan::Unprotected& unprotected : step.unprotected)
      follow(unprotected.until_step, place.object);
    const std::string& name = names_[place.object];
    step.system.set("object", name);
    step.detail = "by the operator of " + name + (step.detail.empty() ? "" : "; " + step.detail);
    merged_.steps.push_back(std::move(step));
  }

  static void add_once(std::vector<plan::CodedText>& list, const plan::CodedText& text) {
    if (std::ranges::find(list, text) == list.end()) list.push_back(text);
  }

  void take_warning(plan::Warning warning, std::size_t object) {
    std::vector<int> steps;
    for (const int step : warning.steps) {
      const auto found = numbers_[object].find(step);
      if (found != numbers_[object].end()) steps.push_back(found->second);
    }
    warning.steps = std::move(steps);
    const auto same = std::ranges::find_if(merged_.warnings, [&](const plan::Warning& other) {
      return other.code == warning.code && other.text == warning.text &&
             other.subject == warning.subject;
    });
    if (same == merged_.warnings.end()) {
      merged_.warnings.push_back(std::move(warning));
    } else {
      same->steps.insert(same->steps.end(), warning.steps.begin(), warning.steps.end());
      std::ranges::sort(same->steps);
    }
  }

  static void add(std::optional<std::int64_t>& sum, const std::optional<std::int64_t>& value) {
    if (value) sum = sum.value_or(0) + *value;
  }

  void take_totals(const plan::Totals& own) {
    plan::Totals& sum = merged_.totals;
    add(sum.bytes, own.bytes);
    add(sum.added, own.added);
    add(sum.removed, own.removed);
    add(sum.replaced, own.replaced);
    add(sum.restarted, own.restarted);
    add(sum.recreated, own.recreated);
    add(sum.moved, own.moved);
    if (own.seconds_at_least)
      sum.seconds_at_least = std::max(sum.seconds_at_least.value_or(0), *own.seconds_at_least);
  }

  void take_summary(Value& into, const Value& from, const std::string& name) {
    const auto* map = from.get<ValueMap>();
    if (map == nullptr) return;
    for (const auto& [key, value] : *map) into.set(name + " " + key, value);
  }

  /// What is told of waves names steps: here those of the whole.
  void take_notes(std::size_t i) {
    for (const plan::CodedText& text : plans_[i].notes) {
      if (text.code != "wave-peak") add_once(merged_.notes, text);
    }
    const Simulation& simulation = joint_.objects[i];
    const auto number = [&](std::size_t own) {
      const auto after = numbers_[i].upper_bound(static_cast<int>(own));
      return after == numbers_[i].begin() ? 0 : std::prev(after)->second;
    };
    for (plan::CodedText& note : wave_notes(simulation, waves_of(simulation), number)) {
      note.text = names_[i] + ": " + note.text;
      merged_.notes.push_back(std::move(note));
    }
  }

  void take_rest(std::size_t i) {
    plan::Plan& own = plans_[i];
    for (plan::Blocked& blocked : own.blocked) {
      follow(blocked.step, i);
      blocked.text = names_[i] + ": " + blocked.text;
      merged_.blocked.push_back(std::move(blocked));
    }
    for (plan::Warning& warning : own.warnings) take_warning(std::move(warning), i);
    for (const plan::CodedText& text : own.assumptions) add_once(merged_.assumptions, text);
    take_notes(i);
    for (const plan::CodedText& text : own.deferred) add_once(merged_.deferred, text);
    for (const plan::CodedText& text : own.later) add_once(merged_.later, text);
    for (plan::Queue& queue : own.queues) {
      queue.name += " of " + names_[i];
      merged_.queues.push_back(std::move(queue));
    }
    for (plan::Weakest& weakest : own.weakest) {
      follow(weakest.step, i);
      weakest.where = names_[i] + (weakest.where.empty() ? "" : ": " + weakest.where);
      merged_.weakest.push_back(std::move(weakest));
    }
    take_totals(own.totals);
    take_summary(merged_.before, own.before, names_[i]);
    take_summary(merged_.after, own.after, names_[i]);
  }

  const std::vector<ObjectWish>& wishes_;
  const JointSimulation& joint_;
  std::vector<plan::Plan> plans_;
  std::vector<std::map<int, int>> numbers_;  ///< of each plan: old number -> new number
  std::vector<std::string> names_;
  plan::Plan merged_;
};

}  // namespace

JointPlan plan_together(const std::vector<ObjectWish>& wishes, const PlanOptions& options) {
  const JointSimulation joint = simulate_together(wishes, options);
  JointPlan result;
  std::vector<plan::Plan> plans;
  std::vector<std::pair<Place, const TraceStep*>> order;
  std::vector<const TraceStep*> dead_ends;
  for (std::size_t i = 0; i < wishes.size(); ++i) {
    const ObjectWish& wish = wishes[i];
    const Simulation& simulation = joint.objects[i];
    plans.push_back(plan_of(*wish.snapshot, wish.desired, options, wish.generation, simulation));
    for (std::string& problem :
         find_broken_rules({*wish.snapshot, wish.desired, options, simulation.steps}))
      result.problems.push_back(wish.snapshot->name + ": " + std::move(problem));
    int number = 0;
    for (const TraceStep& step : simulation.steps) {
      if (step.action == Action::Blocked) {
        dead_ends.push_back(&step);
        continue;
      }
      const auto pass = static_cast<std::size_t>(std::max(1, step.pass)) - 1;
      const int turn = pass < joint.turns[i].size() ? joint.turns[i][pass] : 0;
      order.push_back({{turn, i, ++number}, &step});
    }
  }
  std::ranges::stable_sort(order, {}, [](const auto& entry) { return entry.first.turn; });
  std::vector<Place> places;
  for (const auto& [place, step] : order) {
    places.push_back(place);
    result.trace.push_back(*step);
  }
  for (const TraceStep* step : dead_ends) result.trace.push_back(*step);
  result.plan = Merger(wishes, joint, std::move(plans)).run(std::move(places));
  return result;
}

}  // namespace ballast::fdb
