// SPDX-License-Identifier: BSD-2-Clause
// What a rule keeps together leaves its node together: to one new primary, or not at all.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ballast/ganeti/rules/placement_rules.hpp"
#include "ballast/ganeti/search/allocate/evacuate.hpp"
#include "evacuate_steps.hpp"

namespace ballast::ganeti::alloc {
namespace {

bool has(const std::vector<NodeId>& nodes, NodeId node) {
  return std::ranges::find(nodes, node) != nodes.end();
}

bool is_mirrored(const Record& record) {
  return record.instance->disk_template == DiskTemplate::Drbd;
}

/// It runs on its mirror afterwards, whatever the targets.
bool goes_to_mirror(const Record& record, const Evacuator::Plan& plan) {
  return is_mirrored(record) && (plan.mode == EvacuateMode::Primary || !plan.leaving.is_none());
}

bool changes_primary(const Record& record, const Evacuator::Plan& plan) {
  if (plan.mode == EvacuateMode::Secondary) return false;
  return plan.leaving.is_none() || plan.leaving == record.placement.primary;
}

std::vector<NodeId> nodes_of_group(const ScopedCluster& scope, GroupId group) {
  std::vector<NodeId> nodes;
  std::ranges::copy_if(scope.nodes, std::back_inserter(nodes),
                       [&](NodeId node) { return (*scope.cluster)[node].group == group; });
  return nodes;
}

/// The rule that keeps all, or most, of them together.
RuleId rule_of(const Cluster& cluster, const std::vector<Evacuator::Leaving>& set) {
  for (const RuleId id : cluster[set.front().instance].rules) {
    const PlacementRule& rule = cluster.rules[id];
    if (rule.kind != RuleKind::Together || rule.price) continue;
    const auto& others = cluster[set.back().instance].rules;
    if (std::ranges::binary_search(others, id)) return id;
  }
  return cluster[set.front().instance].rules.front();
}

/// What one instance's failure says behind the allocator's opening words.
std::string short_failure(std::string text, bool is_mirrored) {
  constexpr std::string_view kOpening = "Can't find any good node: ";
  if (!text.starts_with(kOpening)) return text;
  text.erase(0, kOpening.size());
  if (is_mirrored) return text.empty() ? "no node is left for its mirror" : "its mirror:" + text;
  const std::size_t code = text.rfind("failed: ");
  return code == std::string::npos ? text : text.substr(code + 8, text.size() - code - 9);
}

}  // namespace

/// A scope that is put back as it was.
class Evacuator::Trial {
 public:
  explicit Trial(ScopedCluster& scope) : scope_(scope) {}
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;
  ~Trial() {
    for (auto old = old_.rbegin(); old != old_.rend(); ++old)
      scope_.states[old->first.index()] = old->second;
  }

  void make(const Moved& moved) {
    for (const auto& [node, state] : moved.states) {
      old_.emplace_back(node, scope_.states[node.index()]);
      made_.push_back(state);
      scope_.states[node.index()] = &made_.back();
    }
  }

 private:
  ScopedCluster& scope_;
  StateStore made_;
  std::vector<std::pair<NodeId, const NodeState*>> old_;
};

Record Evacuator::joined(InstanceId instance) const {
  Record record = initial_.at(instance.value());
  record.is_joined = true;
  return record;
}

/// As move(), with the new primary that the plan names.
Outcome<Evacuator::Moved> Evacuator::move_to(const Record& record, Plan plan) {
  const NodeId primary = plan.primary;
  if (goes_to_mirror(record, plan)) {
    if (record.placement.secondary == primary) return move(record, plan);
    return tl::unexpected(Text("its mirror is on another node"));
  }
  if (!has(plan.targets, primary)) return tl::unexpected(Text("it may not go there"));
  if (!is_mirrored(record)) {
    plan.targets = {primary};
    return move(record, plan);
  }
  auto half = move_primary(scope_, record, primary, plan.force);
  if (!half) return tl::unexpected(half.error());
  std::erase(plan.targets, primary);
  return move_half(half->record, plan, std::move(half->job), half->overlay);
}

std::vector<Evacuator::Leaving> Evacuator::set_of(const Leaving& one,
                                                  const std::vector<Leaving>& all) const {
  const Cluster& cluster = *scope_.cluster;
  if (cluster[one.instance].rules.empty()) return {one};
  const Record& record = initial_.at(one.instance.value());
  const auto companions = companions_on(cluster, scope_[record.placement.primary], one.instance);
  std::vector<Leaving> set;
  for (const InstanceId id : companions) {
    const auto leaves = std::ranges::find(all, id, &Leaving::instance);
    if (leaves == all.end() || !changes_primary(initial_.at(id.value()), leaves->plan))
      return {one};
    set.push_back(*leaves);
  }
  return set;
}

bool Evacuator::move_together(const std::vector<Leaving>& set) {
  const Record& first = initial_.at(set.front().instance.value());
  const Plan& plan = set.front().plan;
  const std::vector<NodeId> scored = nodes_of_group(scope_, plan.group);
  NodeId best;
  double best_score = 0;
  for (const NodeId target :
       goes_to_mirror(first, plan) ? std::vector{first.placement.secondary} : plan.targets) {
    Trial trial(scope_);
    double price = 0;
    const bool all_go = std::ranges::all_of(set, [&](Leaving one) {
      one.plan.primary = target;
      const Record record = joined(one.instance);
      const auto moved = move_to(record, one.plan);
      if (!moved) return false;
      price += price_of_change(scope_, record, record.placement, moved->record.placement);
      trial.make(*moved);
      return true;
    });
    if (!all_go) continue;
    const double score = ScoreSheet(*scope_.cluster, scope_.states, scored).total() + price;
    if (!best.is_none() && !(score < best_score)) continue;
    best = target;
    best_score = score;
  }
  if (best.is_none()) return false;
  auto left = static_cast<std::int32_t>(set.size());
  for (Leaving one : set) {
    if (seen_) seen_(scope_, joined(one.instance), one.plan, true);
    one.plan.primary = best;
    auto moved = move_to(joined(one.instance), one.plan);
    take(one.instance, std::move(*moved), left--);
  }
  return true;
}

void Evacuator::refuse_together(const std::vector<Leaving>& set) {
  const Cluster& cluster = *scope_.cluster;
  const Record& first = initial_.at(set.front().instance.value());
  const Plan& plan = set.front().plan;
  std::string failures;
  for (const NodeId target :
       goes_to_mirror(first, plan) ? std::vector{first.placement.secondary} : plan.targets) {
    Trial trial(scope_);
    for (Leaving one : set) {
      one.plan.primary = target;
      const Record record = joined(one.instance);
      const auto moved = move_to(record, one.plan);
      if (moved) {
        trial.make(*moved);
        continue;
      }
      if (seen_) seen_(scope_, record, one.plan, false);
      failures += fmt::format(" Node {} failed for {}: {};", cluster[target].name,
                              cluster[one.instance].name,
                              short_failure(moved.error(), is_mirrored(record)));
      break;
    }
  }
  std::string names;
  for (const Leaving& one : set) names += (names.empty() ? "" : ", ") + cluster[one.instance].name;
  const RuleId rule = rule_of(cluster, set);
  const std::string text = fmt::format(
      "{}: {} move together or not at all, and no node takes all of them:{}",
      cluster.rules[rule].name, names, failures.empty() ? " no nodes available" : failures);
  Refusal why{FailReason::Tags, Rule::KeptTogether, first.placement.primary, -1, {}, 0, 0};
  why.wanted = static_cast<double>(set.size() - 1);
  why.placement_rule = rule;
  for (const Leaving& one : set) result_.failed.push_back({cluster[one.instance].name, text, why});
}

void Evacuator::evacuate_all(const std::vector<Leaving>& all) {
  std::set<InstanceId> done;
  for (const Leaving& one : all) {
    if (done.contains(one.instance)) continue;
    const std::vector<Leaving> set = set_of(one, all);
    if (set.size() < 2) {
      evacuate(one.instance, one.plan);
      continue;
    }
    for (const Leaving& member : set) done.insert(member.instance);
    if (!move_together(set)) refuse_together(set);
  }
}

}  // namespace ballast::ganeti::alloc
