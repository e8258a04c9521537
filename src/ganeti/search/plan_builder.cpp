// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/plan_builder.hpp"

#include "ballast/core/decimal.hpp"
#include "ballast/ganeti/score/metrics.hpp"
#include "ballast/ganeti/search/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace ballast::ganeti {
namespace {

constexpr std::int64_t kMib = 1024 * 1024;

/// Everything that one step's description reads.
struct Scene {
  const Cluster& cluster;
  const std::vector<BalanceStep>& steps;
  std::vector<int> set_of;  ///< step index -> job set, from 1
  std::vector<int> job_of;  ///< step index -> job within its set, from 1
  std::vector<StepReason> reasons;
};

std::string_view action_of(MoveKind kind, bool running) {
  switch (kind) {
    case MoveKind::Failover:
    case MoveKind::FailoverToAny:
      return running ? "migrate" : "failover";
    case MoveKind::ReplacePrimary:
      return "replace_primary";
    case MoveKind::ReplaceSecondary:
      return "replace_secondary";
    case MoveKind::ReplaceAndFailover:
      return running ? "replace_and_migrate" : "replace_and_failover";
    case MoveKind::FailoverAndReplace:
      return running ? "migrate_and_replace" : "failover_and_replace";
  }
  return "";
}

bool copies_disks(MoveKind kind) {
  return kind != MoveKind::Failover && kind != MoveKind::FailoverToAny;
}

/// The node that holds the good copy while a new mirror is filled.
NodeId copy_source(const BalanceStep& step) {
  const bool from_old_secondary =
      step.move.kind == MoveKind::ReplacePrimary || step.move.kind == MoveKind::FailoverAndReplace;
  return from_old_secondary ? step.before.secondary : step.before.primary;
}

Value placement_value(const Cluster& cluster, const Placement& placement) {
  Value value = Value::map();
  value.set("primary", cluster[placement.primary].name);
  if (!placement.secondary.is_none()) value.set("secondary", cluster[placement.secondary].name);
  return value;
}

std::set<NodeId> touched_nodes(const BalanceStep& step) {
  std::set<NodeId> nodes{step.before.primary, step.before.secondary, step.after.primary,
                         step.after.secondary};
  nodes.erase(NodeId());
  return nodes;
}

plan::Cost cost_of(const Scene& scene, const BalanceStep& step) {
  plan::Cost cost;
  cost.bytes = copied_mib(scene.cluster, step.instance, step.move) * kMib;
  if (*cost.bytes > 0 && copies_disks(step.move.kind)) {
    cost.links.push_back(
        {scene.cluster[copy_source(step)].name, scene.cluster[step.move.target].name, *cost.bytes});
  }
  return cost;
}

/// The last earlier step that uses one of the same nodes: the two cannot run at the same time.
std::vector<plan::Wait> waits_of(const Scene& scene, std::size_t index) {
  const std::set<NodeId> nodes = touched_nodes(scene.steps[index]);
  for (std::size_t earlier = index; earlier-- > 0;) {
    for (const NodeId node : touched_nodes(scene.steps[earlier])) {
      if (!nodes.contains(node)) continue;
      plan::Wait wait;
      wait.step = static_cast<int>(earlier) + 1;
      wait.text = fmt::format("uses node {}, too", scene.cluster[node].name);
      return {wait};
    }
  }
  return {};
}

/// In single quotes unless it is plainly harmless.
std::string shell_word(const std::string& text) {
  const bool is_plain = !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("._-:").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (is_plain) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

plan::Step step_of(const Scene& scene, std::size_t index) {
  const Cluster& cluster = scene.cluster;
  const BalanceStep& step = scene.steps[index];
  const Instance& instance = cluster[step.instance];
  const StepReason& reason = scene.reasons[index];
  plan::Step out;
  out.n = static_cast<int>(index) + 1;
  out.phase = scene.set_of[index];
  out.action = action_of(step.move.kind, instance.is_running());
  out.subject = {"instance", instance.name, ""};
  out.from = placement_value(cluster, step.before);
  out.to = placement_value(cluster, step.after);
  out.reason.code = "BALANCE";
  out.reason.text = fmt::format("lowers the score by {}, most of it {}", fixed(reason.gain, 8),
                                reason_text(cluster, reason));
  out.reason.metric = metric_name(cluster, reason.metric);
  out.reason.gain = reason.gain;
  out.waits_for = waits_of(scene, index);
  out.commands.push_back(
      {plan::CommandUse::Check, placement_check(cluster, step.instance, step.before)});
  for (const std::string& command : commands_of(cluster, step.instance, step.move, step.after)) {
    out.commands.push_back({plan::CommandUse::Hand, "gnt-instance " + command});
  }
  out.cost = cost_of(scene, step);
  if (copies_disks(step.move.kind))
    out.unprotected.push_back({"mirror of the disks", instance.name, out.n});
  out.system = Value::map();
  out.system.set("move", moves_text(cluster, step.move, step.after));
  out.system.set("score_after", step.score);
  out.system.set("job_set", scene.set_of[index]);
  out.system.set("job", scene.job_of[index]);
  return out;
}

/// The moment at which an online node has least memory left beyond what it reserves for the failure
/// of another.
class WeakestMemory {
 public:
  WeakestMemory(const Cluster& cluster, const Part& part) : cluster_(cluster), part_(part) {}
  void look(const State& state, std::size_t steps_done) {
    for (const NodeId id : part_.nodes) {
      if (cluster_[id].is_offline) continue;
      const std::int64_t left = unallocated_mem(cluster_[id], state[id]) - state[id].reserved_mem;
      if (is_known_ && left >= left_) continue;
      is_known_ = true;
      left_ = left;
      weakest_.step.reset();
      if (steps_done > 0) weakest_.step = static_cast<int>(steps_done);
      weakest_.where = cluster_[id].name;
    }
  }
  [[nodiscard]] plan::Weakest take() {
    if (is_known_) {
      weakest_.what = "free memory";
      weakest_.left = left_ * kMib;
      weakest_.required = 0;
    }
    return weakest_;
  }

 private:
  const Cluster& cluster_;
  const Part& part_;
  bool is_known_ = false;
  std::int64_t left_ = 0;
  plan::Weakest weakest_;
};

/// What the states between the steps tell: which nodes a step leaves without N+1 until when, and
/// what it changes at the nodes that it touches.
class StepWatch {
 public:
  StepWatch(const Cluster& cluster, const Part& part, const std::vector<BalanceStep>& steps)
      : cluster_(cluster),
        part_(part),
        steps_(steps),
        before_(steps.size()),
        after_(steps.size()) {}

  void look(const State& state, std::size_t steps_done) {
    if (steps_done < steps_.size()) before_[steps_done] = touched_figures(state, steps_done);
    if (steps_done > 0) after_[steps_done - 1] = touched_figures(state, steps_done - 1);
    for (const NodeId id : part_.nodes) {
      const bool fails = !cluster_[id].is_offline && state[id].fails_n1;
      const auto open = open_.find(id);
      if (steps_done == 0) {
        if (fails) failing_at_start_.insert(id);
      } else if (fails && open == open_.end() && !failing_at_start_.contains(id)) {
        open_.emplace(id, gaps_.size());
        gaps_.push_back({steps_done, {"N+1 memory", cluster_[id].name, std::nullopt}});
      } else if (!fails) {
        failing_at_start_.erase(id);
        if (open == open_.end()) continue;
        gaps_[open->second].unprotected.until_step = static_cast<int>(steps_done);
        open_.erase(open);
      }
    }
  }
  void add_to(std::vector<plan::Step>& steps) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      steps[i].before = std::move(before_[i]);
      steps[i].after = std::move(after_[i]);
    }
    for (const Gap& gap : gaps_) steps[gap.step - 1].unprotected.push_back(gap.unprotected);
  }

 private:
  struct Gap {
    std::size_t step;
    plan::Unprotected unprotected;
  };

  [[nodiscard]] Value touched_figures(const State& state, std::size_t index) const {
    Value figures = Value::map();
    for (const NodeId id : touched_nodes(steps_[index])) {
      Value node = Value::map();
      node.set("memory_free_bytes", unallocated_mem(cluster_[id], state[id]) * kMib);
      node.set("disk_free_bytes", state[id].free_disk * kMib);
      node.set("n_plus_one", !state[id].fails_n1);
      figures.set(cluster_[id].name, std::move(node));
    }
    return figures;
  }

  const Cluster& cluster_;
  const Part& part_;
  const std::vector<BalanceStep>& steps_;
  std::vector<Value> before_;
  std::vector<Value> after_;
  std::set<NodeId> failing_at_start_;
  std::map<NodeId, std::size_t> open_;
  std::vector<Gap> gaps_;
};

void number_jobs(Scene& scene, const std::vector<std::vector<std::size_t>>& job_sets) {
  scene.set_of.resize(scene.steps.size());
  scene.job_of.resize(scene.steps.size());
  for (std::size_t set = 0; set < job_sets.size(); ++set) {
    for (std::size_t job = 0; job < job_sets[set].size(); ++job) {
      scene.set_of[job_sets[set][job]] = static_cast<int>(set) + 1;
      scene.job_of[job_sets[set][job]] = static_cast<int>(job) + 1;
    }
  }
}

std::string headline_of(const plan::Plan& plan) {
  if (plan.steps.empty())
    return fmt::format("nothing to move, score {}", fixed(plan.score->before, 8));
  constexpr double kGib = 1024.0 * 1024.0 * 1024.0;
  return fmt::format("{} {} in {} {} of jobs, score {} to {}, {} GiB to copy", plan.steps.size(),
                     plan.steps.size() == 1 ? "step" : "steps", plan.totals.phases,
                     plan.totals.phases == 1 ? "set" : "sets", fixed(plan.score->before, 8),
                     fixed(plan.score->after, 8),
                     fixed(static_cast<double>(plan.totals.bytes.value_or(0)) / kGib, 1));
}

plan::Totals totals_of(const Cluster& cluster, const std::vector<BalanceStep>& steps,
                       std::size_t sets) {
  plan::Totals totals;
  totals.steps = static_cast<std::int64_t>(steps.size());
  totals.phases = static_cast<std::int64_t>(sets);
  totals.bytes = total_copied_mib(cluster, steps) * kMib;
  std::set<InstanceId> moved;
  for (const BalanceStep& step : steps) moved.insert(step.instance);
  totals.moved = static_cast<std::int64_t>(moved.size());
  return totals;
}

}  // namespace

std::string placement_check(const Cluster& cluster, InstanceId instance,
                            const Placement& placement) {
  std::string place = cluster[placement.primary].name + ":";
  if (!placement.secondary.is_none()) place += cluster[placement.secondary].name;
  return fmt::format(
      "test \"$(gnt-instance list --no-headers --separator=: -o pnode,snodes {})\" = {}",
      shell_word(cluster[instance].name), shell_word(place));
}

plan::Score plan_score(const Cluster& cluster, const ScoreDetail& before, const ScoreDetail& after,
                       double lower_bound) {
  plan::Score score;
  score.before = before.total;
  score.after = after.total;
  score.lowest_possible = lower_bound;
  for (std::size_t m = 0; m < kMetricCount; ++m) {
    plan::MetricRow row{std::string(metric_name(cluster, m)),
                        kMetrics[m].weight,
                        before.values[m],
                        after.values[m],
                        {}};
    const bool is_storage = kMetrics[m].name == "free_disk_cv";
    const bool is_forth = kMetrics[m].name == "free_disk_cv_forth";
    for (std::size_t u = 0;
         (is_storage || is_forth) && u < before.units.size() && u < after.units.size(); ++u) {
      const UnitDeviation& b = before.units[u];
      const UnitDeviation& a = after.units[u];
      row.units.push_back({to_string(cluster[b.unit]),
                           0,
                           is_forth ? b.forth_deviation : b.deviation,
                           is_forth ? a.forth_deviation : a.deviation,
                           {}});
    }
    score.metrics.push_back(std::move(row));
  }
  return score;
}

std::int64_t total_copied_mib(const Cluster& cluster, const std::vector<BalanceStep>& steps) {
  std::int64_t mib = 0;
  for (const BalanceStep& step : steps) mib += copied_mib(cluster, step.instance, step.move);
  return mib;
}

plan::Plan balance_plan(const Cluster& cluster, const State& before, const Part& part,
                        const BalanceResult& result,
                        const std::vector<std::vector<std::size_t>>& job_sets,
                        bool ignore_soft_errors) {
  plan::Plan plan;
  plan.system = plan::System::Ganeti;
  plan.cluster = Value::map();
  plan.cluster.set("group", cluster[part.group].name);
  plan.result = result.steps.empty() ? plan::Outcome::NoChange : plan::Outcome::Changes;
  plan.score = plan_score(cluster, score_detail(cluster, before, part.nodes),
                          score_detail(cluster, result.state, part.nodes), result.lower_bound);
  Scene scene{cluster, result.steps, {}, {}, step_reasons(cluster, before, part, result.steps)};
  number_jobs(scene, job_sets);
  WeakestMemory weakest(cluster, part);
  StepWatch watch(cluster, part, result.steps);
  // The caller replayed the plan already; this run only watches the states.
  (void)replay(cluster, before, part, result.steps, ignore_soft_errors,
               [&](const State& now, std::size_t done) {
                 weakest.look(now, done);
                 watch.look(now, done);
               });
  for (std::size_t i = 0; i < scene.reasons.size(); ++i) plan.steps.push_back(step_of(scene, i));
  watch.add_to(plan.steps);
  plan.weakest = weakest.take();
  plan.before = node_summary(cluster, before, part);
  plan.after = node_summary(cluster, result.state, part);
  plan.totals = totals_of(cluster, result.steps, job_sets.size());
  plan.headline = headline_of(plan);
  return plan;
}

}  // namespace ballast::ganeti
