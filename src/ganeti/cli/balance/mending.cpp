// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/balance/mending.hpp"

#include "ballast/core/decimal.hpp"
#include "ballast/core/strings.hpp"
#include "ballast/core/words.hpp"
#include "ballast/ganeti/backend/json/number.hpp"
#include "ballast/ganeti/search/mend/left.hpp"
#include "ballast/ganeti/search/planning/blocked_by.hpp"
#include "ballast/ganeti/search/planning/rule_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::ganeti::cli {
namespace {

std::string percent(double share) {
  const std::string text = fixed(share * 100, 1);
  return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
}

std::string counted(std::int64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, of_count(count, one, many));
}

/// What is left, as lines and as blocks of the plan.
void add_left(const Cluster& cluster, const std::vector<LeftOver>& left, FoundPlan& found) {
  for (const LeftOver& one : left) {
    found.remark += fmt::format("  left: {}\n", one.text);
    plan::Blocked blocked;
    blocked.code = "NOT_MENDED";
    blocked.text = one.text;
    if (one.refusal) set_rule(blocked, cluster, *one.refusal);
    if (!one.instance.is_none()) {
      blocked.subject = {"instance", cluster[one.instance].name, ""};
    } else if (!one.node.is_none()) {
      blocked.subject = {"node", cluster[one.node].name, ""};
    }
    found.blocked.push_back(std::move(blocked));
  }
}

struct Fullest {
  NodeId node;
  double share = 0;
};

template <class Use>
Fullest fullest_of(const Cluster& cluster, const State& state, const Part& part, Use use) {
  Fullest found;
  for (const NodeId node : part.nodes) {
    if (cluster[node].is_offline) continue;
    const std::optional<double> share = use(use_of(cluster, node, state[node]));
    if (share && (found.node.is_none() || *share > found.share)) found = {node, *share};
  }
  return found;
}

/// "memory: n2 has 70.3 %"
std::string fullest_text(const Cluster& cluster, const State& state, const Part& part,
                         const Thresholds& thresholds) {
  std::string text;
  const auto add = [&](std::string_view what, const Fullest& found) {
    if (found.node.is_none()) return;
    text += fmt::format("{}{} {} % on {}", text.empty() ? "" : ", ", what, percent(found.share),
                        cluster[found.node].alias);
  };
  if (thresholds.memory)
    add("memory",
        fullest_of(cluster, state, part, [](const NodeShares& use) { return use.memory; }));
  if (thresholds.disk)
    add("disk", fullest_of(cluster, state, part, [](const NodeShares& use) { return use.disk; }));
  if (thresholds.cpu)
    add("cpu", fullest_of(cluster, state, part, [](const NodeShares& use) { return use.cpu; }));
  return text;
}

/// "memory 80 %, cpu 75 %"
std::string limits_text(const Thresholds& thresholds) {
  std::string text;
  const auto add = [&](std::string_view what, std::optional<double> share) {
    if (share) text += fmt::format("{}{} {} %", text.empty() ? "" : ", ", what, percent(*share));
  };
  add("memory", thresholds.memory);
  add("disk", thresholds.disk);
  add("cpu", thresholds.cpu);
  return text;
}

}  // namespace

Result<Thresholds> parse_thresholds(std::string_view text) {
  Thresholds thresholds;
  for (const std::string_view part : split(text, ',')) {
    const auto equals = part.find('=');
    const std::string_view name = part.substr(0, equals);
    std::optional<double>* target = name == "memory" ? &thresholds.memory
                                    : name == "disk" ? &thresholds.disk
                                    : name == "cpu"  ? &thresholds.cpu
                                                     : nullptr;
    if (equals == std::string_view::npos || target == nullptr)
      return fail(
          fmt::format("{}: expected memory=SHARE%, disk=SHARE% or cpu=SHARE%", quoted(part)));
    std::string_view share = part.substr(equals + 1);
    if (share.ends_with('%')) share.remove_suffix(1);
    const auto number = parse_double("share", share);
    if (!number || !(*number >= 0 && *number <= 1000))
      return fail(fmt::format("{}: expected a share such as 80%", quoted(part)));
    *target = *number / 100;
  }
  if (thresholds.empty()) return fail("expected memory=SHARE%, disk=SHARE% or cpu=SHARE%");
  return thresholds;
}

std::string to_string(const Thresholds& thresholds) {
  std::string text;
  const auto add = [&](std::string_view what, std::optional<double> share) {
    if (share) text += fmt::format("{}{}={}%", text.empty() ? "" : ",", what, percent(*share));
  };
  add("memory", thresholds.memory);
  add("disk", thresholds.disk);
  add("cpu", thresholds.cpu);
  return text;
}

FoundPlan repair_plan(const Snapshot& snapshot, const Part& part, const Settings& settings) {
  const Cluster& cluster = snapshot.cluster;
  const auto goal = repair_goal(cluster, part);
  MendResult mended = mend(cluster, snapshot.state, part, settings.balance, *goal);
  FoundPlan found;
  found.heading = "Looking for the fewest moves after which no rule is broken...\n";
  if (mended.before.count == 0) {
    const std::string text = "No rule is broken.";
    found.notes.push_back({"NOTHING_BROKEN", text});
    found.remark = text + "\nSolution length=0\n";
    found.is_settled = true;
  } else {
    found.remark =
        fmt::format("Broken: {} before, {} after.\n", mended.before.count, mended.after.count);
    if (mended.after.count > 0)
      add_left(cluster, left_over(cluster, mended.plan.state, part, settings.balance, *goal),
               found);
  }
  found.result = std::move(mended.plan);
  return found;
}

FoundPlan relief_plan(const Snapshot& snapshot, const Part& part, const Settings& settings,
                      const Thresholds& thresholds) {
  const Cluster& cluster = snapshot.cluster;
  const auto goal = threshold_goal(cluster, thresholds);
  MendResult mended = mend(cluster, snapshot.state, part, settings.balance, *goal);
  FoundPlan found;
  found.heading = fmt::format("Looking for the fewest moves after which no node is above {}...\n",
                              limits_text(thresholds));
  if (mended.before.count == 0) {
    const std::string text =
        fmt::format("No node is above {}; the most is {}.", limits_text(thresholds),
                    fullest_text(cluster, snapshot.state, part, thresholds));
    found.notes.push_back({"BELOW_THRESHOLD", text});
    found.remark = text + "\nSolution length=0\n";
    found.is_settled = true;
  } else {
    const std::string text =
        fmt::format("{} above {} before, {} after; the most is {}.",
                    counted(mended.before.count, "figure", "figures"), limits_text(thresholds),
                    mended.after.count, fullest_text(cluster, mended.plan.state, part, thresholds));
    found.notes.push_back({"ABOVE_THRESHOLD", text});
    found.remark = text + "\n";
    if (mended.after.count > 0)
      add_left(cluster, left_over(cluster, mended.plan.state, part, settings.balance, *goal),
               found);
  }
  found.result = std::move(mended.plan);
  return found;
}

BalanceResult mended_rules(const Snapshot& snapshot, const Part& part, const Settings& settings) {
  if (breaches_of(snapshot.cluster, snapshot.state, part).empty()) {
    BalanceResult nothing;
    nothing.state = snapshot.state;
    return nothing;
  }
  const auto goal = repair_goal(snapshot.cluster, part, RepairScope::RulesOnly);
  return mend(snapshot.cluster, snapshot.state, part, settings.balance, *goal).plan;
}

std::string breach_lines(std::string_view heading, const Cluster& cluster, const State& state,
                         const Part& part) {
  const std::vector<Breach> breaches = breaches_of(cluster, state, part);
  if (breaches.empty()) return "";
  std::string text(heading);
  for (const Breach& breach : breaches)
    text += fmt::format("  - {}\n", breach_text(cluster, state, breach));
  return text;
}

void add_breaches(const Cluster& cluster, const State& before, const State& after, const Part& part,
                  plan::Plan& plan) {
  std::vector<std::string> left;
  for (const Breach& breach : breaches_of(cluster, after, part)) {
    left.push_back(breach_text(cluster, after, breach));
    plan.warnings.push_back({"RULE_BROKEN", plan::Severity::Warning, left.back(), {}, {}});
  }
  for (const Breach& breach : breaches_of(cluster, before, part)) {
    std::string text = breach_text(cluster, before, breach);
    if (std::ranges::find(left, text) == left.end())
      plan.notes.push_back({"RULE_MENDED", std::move(text)});
  }
}

}  // namespace ballast::ganeti::cli
