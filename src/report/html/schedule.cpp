// SPDX-License-Identifier: BSD-2-Clause
#include "schedule.hpp"

#include "ballast/plan/estimate.hpp"
#include "ballast/report/words.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace ballast::report {
namespace {

std::int64_t wait_seconds(const plan::Step& step) {
  std::int64_t seconds = 0;
  for (const plan::Wait& wait : step.waits_for)
    seconds = std::max(seconds, wait.seconds_at_least.value_or(0));
  return seconds;
}

void add_names(const Value& placement, std::set<std::string>& names) {
  const auto* keys = placement.get<ValueMap>();
  if (keys == nullptr) return;
  for (const auto& [key, value] : *keys) {
    if (const auto* name = value.get<std::string>(); name != nullptr && !name->empty())
      names.insert(*name);
  }
}

/// Where the inventory says that an object was: its first node.
Value place_of(const plan::Plan& plan, const plan::Subject& subject) {
  const Value* kind = plan.objects.find(subject.kind);
  const Value* object = kind == nullptr ? nullptr : kind->find(subject.name);
  const Value* node = object == nullptr ? nullptr : object->find("primary");
  return node == nullptr ? Value() : Value::map().set("primary", *node);
}

/// Nodes whose figures the step changes or that it copies between; else the group or the kind of
/// what it is about.
std::set<std::string> lanes_of(const plan::Plan& plan, const plan::Step& step) {
  std::set<std::string> names;
  if (!plan::has_operator(plan.system)) {
    if (step.subject.kind == "node") names.insert(step.subject.name);
    add_names(step.from, names);
    add_names(step.to, names);
    for (const plan::Link& link : step.cost.links) names.insert({link.from, link.to});
    if (names.empty()) add_names(place_of(plan, step.subject), names);
  }
  const auto add_group = [&](const plan::Subject& subject) {
    names.insert(subject.group.empty() ? subject.kind : subject.group);
  };
  if (names.empty()) {
    add_group(step.subject);
    for (const plan::Subject& target : step.targets) add_group(target);
  }
  return names;
}

class Scheduler {
 public:
  explicit Scheduler(const plan::Plan& plan) : plan_(plan) {
    timeline_.is_seconds =
        plan.totals.seconds_at_least.value_or(0) > 0 ||
        std::ranges::any_of(plan.steps, [](const plan::Step& step) {
          return step.cost.seconds_at_least.value_or(0) > 0 || wait_seconds(step) > 0;
        });
    double sum = 0;
    for (const plan::Step& step : plan.steps) sum += known_width(step);
    if (timeline_.is_seconds)
      sum = std::max(sum, static_cast<double>(plan.totals.seconds_at_least.value_or(0)));
    least_ = sum > 0 ? sum / 200 : 1;
  }

  Timeline run() {
    double now = 0;
    for (const PhaseRange& range : phases_of(plan_)) {
      if (timeline_.is_seconds) {
        const plan::Step& first = plan_.steps[range.first];
        now = std::max(now, static_cast<double>(plan::earliest_seconds(first)));
      }
      double end = now;
      for (std::size_t i = range.first; i < range.last; ++i) end = std::max(end, place(i, now));
      now = end;
    }
    const auto total = static_cast<double>(plan_.totals.seconds_at_least.value_or(0));
    timeline_.length = timeline_.is_seconds ? std::max(now, total) : now;
    keep_busiest();
    return std::move(timeline_);
  }

 private:
  [[nodiscard]] double known_width(const plan::Step& step) const {
    return static_cast<double>(timeline_.is_seconds ? step.cost.seconds_at_least.value_or(0)
                                                    : step.cost.bytes.value_or(0));
  }

  /// Gives the end of the step.
  double place(std::size_t i, double now) {
    const plan::Step& step = plan_.steps[i];
    double width = known_width(step);
    double begin = now;
    // An operator's wait is a step of its own, as long as the wait.
    if (timeline_.is_seconds && step.action != "wait")
      begin += static_cast<double>(wait_seconds(step));
    const double end = begin + std::max(width, least_);
    if (step.action != "wait") {
      for (const std::string& name : lanes_of(plan_, step))
        lanes_[name].push_back({i, begin, end, !step.unprotected.empty()});
    }
    return end;
  }

  void keep_busiest() {
    std::vector<Lane> lanes;
    for (auto& [name, spans] : lanes_) lanes.push_back({name, std::move(spans)});
    const auto busy = [](const Lane& lane) {
      double sum = 0;
      for (const Span& span : lane.spans) sum += span.end - span.begin;
      return sum;
    };
    std::ranges::stable_sort(lanes,
                             [&](const Lane& a, const Lane& b) { return busy(a) > busy(b); });
    if (lanes.size() > Timeline::kMostLanes) {
      timeline_.hidden_lanes = lanes.size() - Timeline::kMostLanes;
      lanes.resize(Timeline::kMostLanes);
    }
    timeline_.lanes = std::move(lanes);
  }

  const plan::Plan& plan_;
  Timeline timeline_;
  double least_ = 1;
  std::map<std::string, std::vector<Span>> lanes_;
};

}  // namespace

Timeline timeline_of(const plan::Plan& plan) { return Scheduler(plan).run(); }

}  // namespace ballast::report
