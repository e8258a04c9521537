// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/report/explain/staying.hpp"

#include "ballast/core/listed.hpp"
#include "ballast/core/words.hpp"
#include "ballast/ganeti/report/explain/explain.hpp"
#include "ballast/ganeti/search/balance/candidates.hpp"
#include "ballast/ganeti/search/planning/blocked_by.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace ballast::ganeti {
namespace {

bool is_emptied(const Cluster& cluster, NodeId node) {
  return !node.is_none() && cluster[node].is_offline;
}

bool is_left_behind(const Cluster& cluster, const State& state, InstanceId id) {
  const Placement& now = state[id];
  return is_emptied(cluster, now.primary) || is_emptied(cluster, now.secondary);
}

/// Does the move take the instance off every node that is emptied?
bool leaves(const Cluster& cluster, const ExplainedMove& move) {
  return !is_emptied(cluster, move.after.primary) && !is_emptied(cluster, move.after.secondary);
}

struct Choice {
  const ExplainedMove* allowed = nullptr;
  const ExplainedMove* nearest = nullptr;  ///< of the refused ones
  std::size_t refused = 0;
};

/// Moves to a node that is emptied itself say nothing.
Choice choose(const Cluster& cluster, const std::vector<ExplainedMove>& moves) {
  Choice choice;
  for (const ExplainedMove& move : moves) {
    if (!leaves(cluster, move)) continue;
    if (!move.refusal) {
      if (choice.allowed == nullptr) choice.allowed = &move;
      continue;
    }
    ++choice.refused;
    if (choice.nearest == nullptr || lack_of(*move.refusal) < lack_of(*choice.nearest->refusal))
      choice.nearest = &move;
  }
  return choice;
}

class Teller {
 public:
  Teller(const Cluster& cluster, const State& state, const Part& part,
         const BalanceOptions& options)
      : cluster_(cluster), state_(state), part_(part), options_(options) {}

  [[nodiscard]] plan::Blocked of(InstanceId id) const {
    const Instance& instance = cluster_[id];
    const Placement& now = state_[id];
    plan::Blocked blocked;
    blocked.code = "STAYS";
    blocked.subject = {"instance", instance.name, ""};
    const bool is_primary = is_emptied(cluster_, now.primary);
    const std::string& node = cluster_[is_primary ? now.primary : now.secondary].name;
    blocked.text = fmt::format("{} {}: ", is_primary ? "stays on" : "its mirror stays on", node);
    add_rule(id, blocked);
    return blocked;
  }

 private:
  void add_rule(InstanceId id, plan::Blocked& blocked) const {
    const Instance& instance = cluster_[id];
    if (mirroring_of(instance.disk_template) == Mirroring::None) {
      set_without_copy(blocked, instance.disk_template);
      blocked.text += fmt::format("{}: its disks are on that node only, balancing cannot move it",
                                  text_of(instance.disk_template));
    } else if (has_secondary(instance.disk_template) && state_[id].secondary.is_none()) {
      blocked.gate = "no_secondary";
      blocked.text += "it has no secondary to work with";
    } else if (!is_considered(cluster_, state_, options_, id)) {
      blocked.gate = "not_movable";
      blocked.text += instance.auto_balance ? "it is excluded, not among the selected ones, or its "
                                              "nodes are in different groups"
                                            : "its auto-balance flag is off";
    } else {
      add_refusal(id, blocked);
    }
  }

  void add_refusal(InstanceId id, plan::Blocked& blocked) const {
    const auto moves = explained_moves(cluster_, state_, part_, options_, id);
    const Choice choice = choose(cluster_, moves);
    if (choice.allowed != nullptr) {
      blocked.gate = "plan_length";
      blocked.text +=
          fmt::format("the plan ends before its turn; {} is allowed",
                      moves_text(cluster_, choice.allowed->move, choice.allowed->after));
    } else if (choice.nearest != nullptr) {
      set_rule(blocked, cluster_, *choice.nearest->refusal);
      blocked.text += choice.nearest->why;
      if (choice.refused > 1)
        blocked.text +=
            fmt::format("; the other {} are refused, too", counted(choice.refused - 1, "move"));
    } else {
      blocked.gate = "no_target";
      blocked.text += "there is no other node that it could go to with these options";
    }
  }

  const Cluster& cluster_;
  const State& state_;
  const Part& part_;
  const BalanceOptions& options_;
};

}  // namespace

std::vector<plan::Blocked> staying_instances(const Cluster& cluster, const State& state,
                                             const Part& part, const BalanceOptions& options) {
  const Teller teller(cluster, state, part, options);
  std::vector<plan::Blocked> all;
  for (const InstanceId id : part.instances) {
    if (is_left_behind(cluster, state, id)) all.push_back(teller.of(id));
  }
  return all;
}

std::string staying_headline(const Cluster& cluster, const State& before, const State& after,
                             const Part& part) {
  std::set<std::string> nodes;
  std::size_t at_first = 0;
  std::size_t left = 0;
  for (const InstanceId id : part.instances) {
    if (is_left_behind(cluster, before, id)) ++at_first;
    if (!is_left_behind(cluster, after, id)) continue;
    ++left;
    for (const NodeId node : {after[id].primary, after[id].secondary}) {
      if (is_emptied(cluster, node)) nodes.insert(cluster[node].name);
    }
  }
  if (left == 0) return "";
  const std::vector<std::string> names(nodes.begin(), nodes.end());
  return fmt::format("{} {} not empty afterwards: {} of {} instances {}", listed(names),
                     of_count(names.size(), "is", "are"), left, at_first,
                     of_count(left, "stays", "stay"));
}

}  // namespace ballast::ganeti
