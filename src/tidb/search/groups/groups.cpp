// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/search/groups/groups.hpp"

#include "ballast/core/strings.hpp"
#include "ballast/tidb/search/basis/end_state.hpp"
#include "ballast/tidb/search/basis/versions.hpp"
#include "group_planner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace ballast::tidb {

GroupPlanner::GroupPlanner(const Input& input)
    : input_(input), live_(input.live), capacity_(input) {}

Outcome GroupPlanner::run() {
  notes();
  add_assumptions(input_, out_);
  for (const Component c : kComponents) {
    groups_[index_of(c)] = groups(c);
    stop_code_.empty() ? component(c) : defer(c);
  }
  sort_by_phase();
  summary();
  warn_totals(input_, out_);
  warn_downgrades(input_, out_);
  std::ranges::stable_sort(
      out_.warnings, {}, [](const plan::Warning& w) { return std::pair(w.code, w.subject.name); });
  if (capacity_.is_active()) out_.leftovers = capacity_.leftovers();
  return std::move(out_);
}

void GroupPlanner::notes() {
  out_.notes.push_back(
      {"N-PROPOSAL", "groups of operator v2, each shown as a set of its component"});
  out_.notes.push_back(
      {"N-PARALLEL",
       "groups of one component proceed at the same time, and in a group the operator "
       "does at once all that leaves enough instances available (steps of one phase)"});
  for (const Remark& remark : input_.desired.remarks)
    warn(remark.code, remark.subject, remark.text);
  if (input_.desired.of(Component::Pd).size() > 1 &&
      !input_.options.features.contains("MultiPDGroup")) {
    warn("W-MULTI-PD-GROUP", input_.desired.name,
         "more than one PDGroup needs the feature MultiPDGroup");
  }
  if (input_.desired.paused) {
    warn("W-PAUSED", input_.desired.name,
         "the cluster is paused; the plan is made as if it were not");
  }
  warn_not_planned(input_, out_);
  const bool sick =
      std::ranges::any_of(live_.members, [](const Member& m) { return !m.healthy; }) ||
      std::ranges::any_of(live_.stores, [](const Store& s) {
        return !s.tiflash && (s.state == StoreState::Down || s.state == StoreState::Disconnected);
      });
  if (sick) {
    out_.notes.push_back({"N-NO-FAILOVER",
                          "operator v2 has no failover: what has failed is not replaced by adding "
                          "a peer, and failure records do not count"});
  }
}

GroupState GroupPlanner::state_of(Component c, const SetSpec* wished, const LiveSet* live) const {
  GroupState group;
  group.component = c;
  group.wished = wished;
  group.live = live;
  if (live == nullptr) return group;
  if (wished != nullptr) group.fields = restart_fields(live->spec, *wished);
  std::int64_t n = 0;
  for (const LivePod& pod : live->pods) {
    group.instances.push_back({pod, fmt::format("{}#{}", pod.name, ++n), std::nullopt});
    Instance& instance = group.instances.back();
    if (!group.fields.empty()) instance.pod.updated = pod.has_wished;
    // One whose store is gone is deleted at the end, as one that is marked.
    const Store* store = c == Component::Tikv ? input_.live.store_of(pod.name) : nullptr;
    instance.marked = pod.marked || (store != nullptr && store->state == StoreState::Tombstone);
    instance.offline = store != nullptr && store->state == StoreState::Offline;
  }
  return group;
}

std::vector<GroupState> GroupPlanner::groups(Component c) const {
  std::vector<GroupState> result;
  const auto add = [&](const SetSpec& spec) {
    if (std::ranges::find(result, &spec, &GroupState::wished) == result.end())
      result.push_back(state_of(c, &spec, input_.live.find(c, spec.name)));
  };
  const auto named = input_.options.order.find(c);
  if (named != input_.options.order.end()) {
    for (const std::string& name : named->second) {
      if (const SetSpec* spec = input_.desired.find(c, name)) add(*spec);
    }
  }
  for (const SetSpec& spec : input_.desired.of(c)) add(spec);
  if (!input_.desired.given[index_of(c)]) return result;
  for (const LiveSet& live : input_.live.of(c)) {
    if (input_.desired.find(c, live.name) == nullptr) result.push_back(state_of(c, nullptr, &live));
  }
  return result;
}

void GroupPlanner::component(Component c) {
  auto& groups = groups_[index_of(c)];
  open_gates(c);
  const auto is_done = [](const GroupState& group) { return group.done; };
  for (phase_ = 1; !std::ranges::all_of(groups, is_done); ++phase_) {
    members_away_ = 0;
    for (GroupState& group : groups) {
      if (group.done || group.start > phase_) continue;
      if (!take_turn(group)) return;
    }
  }
}

/// Only a change of version waits for the components before; it never comes where one of them stays
/// at an older version.
void GroupPlanner::open_gates(Component c) {
  if (c == Component::Pd || input_.desired.no_constraints) return;
  for (GroupState& group : groups_[index_of(c)]) {
    if (std::ranges::find(group.fields, "version") == group.fields.end()) continue;
    const auto wanted = parse_version(group.wished->version);
    for (const Component before : kComponents) {
      if (before >= c) break;
      for (const GroupState& other : groups_[index_of(before)]) {
        group.start = std::max(group.start, other.end + 1);
        const SetSpec& reached = other.gated ? other.live->spec : other.spec();
        const auto version = parse_version(reached.version);
        if (other.wished == nullptr || group.gated || !wanted || !version || *version >= *wanted)
          continue;
        phase_ = group.start;
        block(group, "-", "B-GATE",
              fmt::format("{}/{} must be at {} or newer first", name_of(before), other.wished->name,
                          group.wished->version),
              fmt::format("it {} at {}", other.gated ? "stays" : "is wished", reached.version));
        group.gated = true;
        group.done = true;
      }
    }
  }
}

bool GroupPlanner::changes(const GroupState& group) const {
  if (group.wished == nullptr || group.live == nullptr) return true;
  const auto leaves = [](const Instance& i) { return i.marked || i.offline; };
  return !group.fields.empty() || next_move(counts_of(group)) != Move::Finish ||
         std::ranges::any_of(group.instances, leaves) ||
         group.wished->storage_bytes != group.live->spec.storage_bytes ||
         !differing(group.live->spec.config, group.wished->config).empty();
}

void GroupPlanner::defer(Component c) {
  for (GroupState& group : groups_[index_of(c)]) {
    if (!changes(group)) continue;
    Line step = make(Action::Deferred, group, "-", stop_code_, "",
                     fmt::format("not handled while {} is blocked", stop_code_));
    step.code = stop_code_;
    out_.steps.push_back(std::move(step));
  }
}

GroupPlanner::Going GroupPlanner::take_turn(GroupState& group) {
  const std::size_t before = out_.steps.size();
  // What is written first takes no pass of its own.
  const bool going = (group.told || begin(group)) && (group.done || pass(group));
  // A turn without a step is no turn.
  if (going && out_.steps.size() == before && !group.done) return take_turn(group);
  return going;
}

/// What is written once, before the first instance moves.
GroupPlanner::Going GroupPlanner::begin(GroupState& group) {
  group.told = true;
  if (group.live == nullptr) {
    if (!place(group, group.target())) return false;
    create(group);
    return true;
  }
  if (group.wished == nullptr) return true;
  const bool requests = std::ranges::find(group.fields, "requests") != group.fields.end();
  if (requests) {
    std::vector<std::string> names;
    for (const Instance& instance : group.instances) names.push_back(instance.pod.name);
    if (const auto refusal = capacity_.restart(*group.wished, names, group.target())) {
      if (!refuse(group, refusal->pod, "U-CAPACITY", "every restarted instance needs a node",
                  refusal->text))
        return false;
    }
  }
  update_config(group);
  expand(group);
  if (!group.fields.empty()) update_template(group);
  const std::int64_t missing = group.target() - counts_of(group).actual();
  return missing <= 0 || place(group, missing);
}

void GroupPlanner::sort_by_phase() {
  std::vector<std::size_t> order(out_.steps.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [this](std::size_t i) {
    const Line& step = out_.steps[i];
    const bool last = !is_step(step);
    return std::pair(last, last ? 0 : step.phase);
  });
  std::vector<Line> sorted;
  std::vector<int> numbers(order.size() + 1);  // by the number before
  for (const std::size_t i : order) {
    sorted.push_back(std::move(out_.steps[i]));
    numbers[i + 1] = static_cast<int>(sorted.size());
  }
  out_.steps = std::move(sorted);
  for (plan::Warning& warning : out_.warnings) {
    for (int& line : warning.steps) {
      const auto before = static_cast<std::size_t>(line);
      if (before < numbers.size()) line = numbers[before];
    }
    std::ranges::sort(warning.steps);
  }
}

void GroupPlanner::summary() {
  for (const Component c : kComponents) {
    for (const GroupState& group : groups_[index_of(c)]) {
      out_.summary.push_back(
          {c, group.spec().name, group.live == nullptr ? 0 : group.live->replicas, group.target()});
    }
  }
}

Outcome plan_groups(const Input& input) { return GroupPlanner(input).run(); }

}  // namespace ballast::tidb
