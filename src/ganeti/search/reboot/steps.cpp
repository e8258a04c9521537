// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/reboot/steps.hpp"
#include "ballast/core/words.hpp"
#include "ballast/ganeti/model/ids_of.hpp"
#include "ballast/ganeti/rules/placement_rules.hpp"

#include "set_places.hpp"
#include "words.hpp"

#include "ballast/ganeti/search/planning/blocked_by.hpp"
#include "ballast/ganeti/search/planning/move_step.hpp"
#include "ballast/ganeti/search/planning/node_step.hpp"
#include "ballast/ganeti/search/planning/refusal_text.hpp"
#include "ballast/ganeti/search/planning/round_trips.hpp"
#include "ballast/ganeti/search/planning/states.hpp"
#include "ballast/plan/outcome.hpp"
#include "ballast/plan/select.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

namespace ballast::ganeti {
namespace {

/// Instances that must not leave, since they would not come back.
using Staying = std::map<InstanceId, Refusal>;

/// Writes the steps of one group after the other. Phases: leave, reboot, return.
class RebootWriter {
 public:
  RebootWriter(const Cluster& cluster, const State& state, const RebootOptions& options,
               std::size_t group_count)
      : cluster_(cluster),
        options_(options),
        group_count_(group_count),
        trips_(cluster, state),
        use_(cluster) {}

  /// Adds the steps of the next group, or tells an instance that would not come back if it left:
  /// then this writer is of no further use.
  std::optional<NotMoved> write(const RebootGroup& group, const Staying& staying) {
    staying_ = &staying;
    ++group_;
    stopped_.clear();
    handled_.clear();
    set_refusals_.clear();
    ++phase_;
    for (const NodeId node : group.nodes) empty(node, group);
    ++phase_;
    for (const NodeId node : group.nodes) reboot(node, group);
    ++phase_;
    return bring_back(group);
  }

  void take_into(plan::Plan& plan) {
    plan.steps = std::move(steps_);
    add_stop_warnings(plan, asked_stops_, options_);
    std::ranges::move(warnings_, std::back_inserter(plan.warnings));
    std::ranges::move(blocked_, std::back_inserter(plan.blocked));
  }
  [[nodiscard]] std::size_t moved_count() const { return moved_.size(); }
  [[nodiscard]] std::size_t stopped_count() const { return all_stopped_.size(); }

 private:
  plan::Step& add(plan::Step step, const std::string& code, std::string reason) {
    step.phase = phase_;
    step.reason.code = code;
    step.reason.text = std::move(reason);
    step.system = Value::map().set("reboot_group", group_).set("reboot_groups", group_count_);
    const bool is_first = steps_.empty() || group_ != last_group_;
    last_group_ = group_;
    if (is_first && !open_mirrors_.empty()) wait_for_mirrors(step);
    steps_.push_back(std::move(step));
    return steps_.back();
  }

  [[nodiscard]] int next() const { return static_cast<int>(steps_.size()) + 1; }

  /// The step before is not done until they are: nothing of the next group begins earlier.
  void wait_for_mirrors(plan::Step& step) {
    plan::Gate gate = mirrors_in_sync(cluster_, {open_mirrors_.begin(), open_mirrors_.end()});
    plan::Wait wait;
    wait.gate = "mirrors_in_sync";
    wait.text = gate.text;
    step.waits_for.push_back(std::move(wait));
    step.commands.push_back({plan::CommandUse::Watch, "gnt-cluster verify-disks"});
    if (!steps_.empty()) steps_.back().done_when.push_back(std::move(gate));
    open_mirrors_.clear();
    interrupted_mirrors_.clear();
  }

  void add_move(const MadeMove& made, const std::string& code, std::string reason) {
    const int n = next();
    moved_.insert(made.instance);
    plan::Step step = move_step(cluster_, n, made.instance, made.move, made.before, made.after);
    step.waits_for = use_.touch(n, touched_nodes(made.before, made.after), made.instance);
    // After a reboot that is what is waited for.
    for (plan::Wait& wait : step.waits_for) {
      const plan::Step& earlier = steps_[static_cast<std::size_t>(*wait.step) - 1];
      if (earlier.subject.kind == "node") wait.text = earlier.subject.name + " is up again";
    }
    plan::Step& added = add(std::move(step), code, std::move(reason));
    added.system.set("move", moves_text(cluster_, made.move, made.after));
    if (made.move.joined > 0) added.system.set("joined", made.move.joined);
  }

  /// With the nodes changing their roles; none where there are no two.
  [[nodiscard]] std::optional<Placement> swapped(InstanceId i) const {
    const Placement& now = trips_.state()[i];
    if (!has_secondary(cluster_[i].disk_template) || now.secondary.is_none()) return std::nullopt;
    return Placement{now.secondary, now.primary, 0};
  }

  /// Moves the instance there and knows the way back, or tells why not. Nothing that moves to make
  /// way for a reboot lands on a node that reboots at the same time. (A swap leaves the copy on
  /// the node that reboots: that is what it is for.)
  tl::expected<MadeMove, plan::Blocked> leave(InstanceId i, const Placement& to,
                                              const RebootGroup& group) {
    const Placement& now = trips_.state()[i];
    const bool is_swap = to.primary == now.secondary && to.secondary == now.primary;
    for (const NodeId node : {to.primary, is_swap ? NodeId() : to.secondary}) {
      if (node.is_none() || std::ranges::find(group.nodes, node) == group.nodes.end()) continue;
      plan::Blocked blocked;
      blocked.text = cluster_[node].name + " reboots at the same time";
      blocked.gate = "reboots_together";
      blocked.observed = cluster_[node].name;
      return tl::unexpected(std::move(blocked));
    }
    const auto known = staying_->find(i);
    auto made = known != staying_->end() ? tl::unexpected(known->second) : trips_.leave(i, to);
    if (made) return std::move(*made);
    plan::Blocked blocked;
    blocked.text = refusal_text(cluster_, trips_.state(), cluster_[i], made.error());
    const auto of_set = set_refusals_.find(i);
    if (made.error().rule == Rule::KeptTogether && of_set != set_refusals_.end())
      blocked.text += "; " + of_set->second;
    set_rule(blocked, cluster_, made.error());
    return tl::unexpected(std::move(blocked));
  }

  /// The same for places that the search did not think of: `place` makes one of each other node of
  /// the instance's group of nodes, in index order.
  template <class Place>
  std::optional<MadeMove> leave_for_any(InstanceId i, const RebootGroup& group, Place place) {
    const Placement now = trips_.state()[i];
    for (const NodeId node : node_ids(cluster_)) {
      if (cluster_[node].group != cluster_[now.primary].group) continue;
      if (cluster_[node].is_offline || node == now.primary || node == now.secondary) continue;
      if (auto made = leave(i, place(node), group)) return std::move(*made);
    }
    return std::nullopt;
  }

  void empty(NodeId node, const RebootGroup& group) {
    const NodeState at_first = trips_.state()[node];
    for (const InstanceId i : at_first.primaries) {
      if (handled_.contains(i) || send_set_away(i, node, group)) continue;
      handled_.insert(i);
      send_primary_away(i, node, group);
    }
    if (!options_.full_evacuation) return;
    for (const InstanceId i : at_first.secondaries) {
      if (handled_.insert(i).second) send_secondary_away(i, node, group);
    }
  }

  /// What a rule keeps together with the instance leaves with it. False: there is nothing such, or
  /// no node for all of them; then each is asked by itself, and the rule says no.
  bool send_set_away(InstanceId i, NodeId node, const RebootGroup& group) {
    const std::vector<InstanceId> set = companions_of(cluster_, trips_.state(), i);
    const auto is_known = [&](InstanceId one) {
      return handled_.contains(one) || staying_->contains(one);
    };
    if (set.size() < 2 || std::ranges::any_of(set, is_known)) return false;
    for (const NodeId target : set_targets(cluster_, trips_.state(), i, group)) {
      const auto places = places_on(cluster_, trips_.state(), target, set, group, options_);
      if (!places) continue;
      const auto made = trips_.leave_together(*places);
      if (!made) {
        note_refusal(set, made.error());
        continue;
      }
      const std::string reason = leave_reason(cluster_, node, group, group_, group_count_);
      for (const MadeMove& one : *made) add_move(one, "EMPTY_NODE", reason);
      handled_.insert(set.begin(), set.end());
      return true;
    }
    return false;
  }

  /// What stood against the first place that was tried for a set.
  void note_refusal(const std::vector<InstanceId>& set, const NotMoved& not_moved) {
    const std::string text = fmt::format(
        "all of the set together: {}: {}", cluster_[not_moved.instance].alias,
        refusal_text(cluster_, trips_.state(), cluster_[not_moved.instance], not_moved.refusal));
    for (const InstanceId one : set) set_refusals_.try_emplace(one, text);
  }

  void send_primary_away(InstanceId i, NodeId node, const RebootGroup& group) {
    const bool is_running = cluster_[i].is_running();
    const std::optional<Placement> told = told_place(i, group);
    const std::optional<Placement> swap = swapped(i);
    const bool wants_swap = swap && is_running && !options_.offline_maintenance;
    const std::string reason = leave_reason(cluster_, node, group, group_, group_count_);
    if (!told && !wants_swap) {
      if (is_running) stop(i, reason, asked_stops_);
      return;
    }
    const auto made = leave(i, told ? *told : *swap, group);
    if (made) return add_move(*made, "EMPTY_NODE", reason);
    if (told) {
      if (const auto other = leave_elsewhere(i, swap, group))
        return add_move(*other, "EMPTY_NODE", reason);
    }
    if (told && swap) {
      if (const auto swapping = leave(i, *swap, group)) {
        add_move(*swapping, "EMPTY_NODE", reason);
        return tell_mirror_stays(i, node, made.error());
      }
    }
    if (!is_running) return;
    std::vector<int> numbers;
    stop(i, reason, numbers);
    tell_stays(i, node, made.error(), "STOPPED", "is stopped");
  }

  /// Where the place that was told is none: onto the secondary with a new mirror, or anywhere.
  std::optional<MadeMove> leave_elsewhere(InstanceId i, const std::optional<Placement>& swap,
                                          const RebootGroup& group) {
    if (swap) {
      return leave_for_any(i, group, [&](NodeId node) {
        return Placement{swap->primary, node, 0};
      });
    }
    return leave_for_any(i, group, [](NodeId node) { return Placement{node, NodeId(), 0}; });
  }

  void send_secondary_away(InstanceId i, NodeId node, const RebootGroup& group) {
    const std::optional<Placement> told = told_place(i, group);
    if (!told) return;
    const std::string reason = leave_reason(cluster_, node, group, group_, group_count_);
    const auto made = leave(i, *told, group);
    if (made) return add_move(*made, "EMPTY_NODE", reason);
    const NodeId primary = trips_.state()[i].primary;
    const auto other = leave_for_any(i, group, [primary](NodeId mirror) {
      return Placement{primary, mirror, 0};
    });
    if (other) return add_move(*other, "EMPTY_NODE", reason);
    tell_mirror_stays(i, node, made.error());
  }

  void stop(InstanceId i, const std::string& reason, std::vector<int>& numbers) {
    const int n = next();
    numbers.push_back(n);
    stopped_.emplace_back(i, n);
    all_stopped_.insert(i);
    add(stop_step(cluster_, trips_.state(), n, i), "STOP", reason);
  }

  void tell_mirror_stays(InstanceId i, NodeId node, plan::Blocked why) {
    tell_stays(i, node, std::move(why), "MIRROR_STAYS", "has no mirror");
  }

  /// What that means goes to the warnings, what stands in the way to what could not be reached.
  void tell_stays(InstanceId i, NodeId node, plan::Blocked why, std::string code,
                  std::string_view what) {
    plan::Warning warning = stays_warning(cluster_, i, node, std::move(code), what);
    why = stays_on(cluster_, i, node, std::move(why));
    if (!steps_.empty()) {
      warning.steps.push_back(next() - 1);
      why.step = next() - 1;
    }
    warnings_.push_back(std::move(warning));
    blocked_.push_back(std::move(why));
  }

  /// Nodes that hold the other halves of what is mirrored there, and rebooted before.
  void wait_for_partners(NodeId node, plan::Step& step) const {
    for (const NodeId other : mirror_partners(cluster_, trips_.state(), node)) {
      const auto before = rebooted_.find(other);
      const bool is_known = before == rebooted_.end() ||
                            std::ranges::any_of(step.waits_for, [&](const plan::Wait& wait) {
                              return wait.step == before->second;
                            });
      if (!is_known)
        step.waits_for.push_back(wait_for(before->second, cluster_[other].name + " is up again"));
    }
  }

  void reboot(NodeId node, const RebootGroup& group) {
    const int n = next();
    plan::Step step = reboot_step(cluster_, trips_.state(), n, node);
    step.waits_for = use_.touch(n, {node});
    for (plan::Wait& wait : step.waits_for) wait.text = "until then it is needed";
    for (const auto& [i, stopped_at] : stopped_) {
      if (trips_.state()[i].primary == node)
        step.waits_for.push_back(wait_for(stopped_at, cluster_[i].name + " runs there until then"));
    }
    wait_for_partners(node, step);
    rebooted_[node] = n;
    for (const auto* held : {&trips_.state()[node].primaries, &trips_.state()[node].secondaries}) {
      for (const InstanceId i : *held) {
        if (has_secondary(cluster_[i].disk_template)) interrupted_mirrors_.insert(i);
      }
    }
    if (node == options_.master) step.risks.push_back(master_risk(cluster_, node));
    // All nodes are told to reboot before the first is waited for.
    if (node == group.nodes.back()) {
      for (const NodeId other : group.nodes) step.done_when.push_back(node_is_up(cluster_, other));
    }
    add(std::move(step), "REBOOT_GROUP",
        reboot_reason(cluster_, node, group, group_, group_count_, options_));
  }

  std::optional<NotMoved> bring_back(const RebootGroup& group) {
    open_mirrors_ = interrupted_mirrors_;
    const std::string reason =
        fmt::format("goes back to where it was: {} {} up again", node_names(cluster_, group.nodes),
                    of_count(group.nodes.size(), "is", "are"));
    for (const auto& [i, stopped_at] : stopped_) {
      const int n = next();
      plan::Step step = start_step(cluster_, n, i);
      const NodeId node = trips_.state()[i].primary;
      step.waits_for.push_back(wait_for(rebooted_.at(node), cluster_[node].name + " is up again"));
      add(std::move(step), "START", "was stopped for the reboot");
      steps_[static_cast<std::size_t>(stopped_at) - 1].unprotected.push_back(
          {"service (stopped)", cluster_[i].name, n});
    }
    const auto returned = trips_.return_all();
    if (!returned) return returned.error();
    for (const MadeMove& made : *returned) add_move(made, "MOVE_BACK", reason);
    return std::nullopt;
  }

  const Cluster& cluster_;
  const RebootOptions& options_;
  std::size_t group_count_;
  RoundTrips trips_;
  const Staying* staying_ = nullptr;
  NodeUse use_;
  std::vector<plan::Step> steps_;
  std::vector<plan::Warning> warnings_;
  std::vector<plan::Blocked> blocked_;
  std::vector<int> asked_stops_;  ///< steps that stop instances because the options say so
  std::set<InstanceId> moved_;
  std::set<InstanceId> all_stopped_;
  int phase_ = 0;
  int group_ = 0;
  int last_group_ = 0;
  std::vector<std::pair<InstanceId, int>> stopped_;  ///< in this group, with the step
  std::map<NodeId, int> rebooted_;                   ///< the step that does it
  std::set<InstanceId> handled_;                     ///< in this group
  std::map<InstanceId, std::string> set_refusals_;   ///< in this group
  std::set<InstanceId> open_mirrors_;         ///< that the reboots of earlier groups interrupted
  std::set<InstanceId> interrupted_mirrors_;  ///< since then: those, and this group's
};

std::unique_ptr<RebootWriter> with_group(std::unique_ptr<RebootWriter> writer,
                                         const RebootGroup& group) {
  for (Staying staying;;) {
    auto attempt = std::make_unique<RebootWriter>(*writer);
    const auto stuck = attempt->write(group, staying);
    if (!stuck) return attempt;
    staying.emplace(stuck->instance, stuck->refusal);
  }
}

}  // namespace

plan::Plan reboot_plan(const Cluster& cluster, const State& state, const Part& part,
                       const RebootPlan& found, const RebootOptions& options, bool first_only) {
  std::vector<RebootGroup> groups;
  for (const RebootGroup& group : found.groups) {
    if (!group.nodes.empty()) groups.push_back(group);
    if (first_only) break;
  }
  plan::Plan plan;
  plan.system = plan::System::Ganeti;
  if (!part.group.is_none()) plan.cluster = Value::map().set("group", cluster[part.group].name);
  auto writer = std::make_unique<RebootWriter>(cluster, state, options, groups.size());
  for (const RebootGroup& group : groups) writer = with_group(std::move(writer), group);
  writer->take_into(plan);
  plan.result = plan::outcome_of(plan);
  plan.totals.bytes = 0;
  plan::renumber(plan);
  plan.totals.moved = static_cast<std::int64_t>(writer->moved_count());
  count_reboots(plan);
  add_reboot_words(plan, cluster, state, part, found, options, first_only);
  plan.headline = reboot_headline(plan, groups.size(), writer->stopped_count());
  (void)fill_states(plan, cluster, state, part, true);
  return plan;
}

}  // namespace ballast::ganeti
