// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/planning/builder.hpp"
#include "ballast/core/bytes.hpp"
#include "ballast/core/words.hpp"

#include "ballast/core/decimal.hpp"
#include "ballast/ganeti/score/metrics.hpp"
#include "ballast/ganeti/search/planning/move_step.hpp"
#include "ballast/ganeti/search/planning/states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace ballast::ganeti {
namespace {

/// Everything that one step's description reads.
struct Scene {
  const Cluster& cluster;
  const std::vector<BalanceStep>& steps;
  std::vector<int> set_of;  ///< step index -> job set, from 1
  std::vector<int> job_of;  ///< step index -> job within its set, from 1
  std::vector<StepReason> reasons;
};

plan::Step step_of(const Scene& scene, std::size_t index, NodeUse& use) {
  const Cluster& cluster = scene.cluster;
  const BalanceStep& step = scene.steps[index];
  const StepReason& reason = scene.reasons[index];
  const int n = static_cast<int>(index) + 1;
  plan::Step out = move_step(cluster, n, step.instance, step.move, step.before, step.after);
  out.phase = scene.set_of[index];
  out.reason.code = "BALANCE";
  out.reason.text = fmt::format("lowers the score by {}, most of it {}", fixed(reason.gain, 8),
                                reason_text(cluster, reason));
  if (!step.purpose.empty()) {
    out.reason.code = "REPAIR";
    out.reason.text = step.purpose;
  }
  out.reason.metric = metric_name(cluster, reason.metric);
  out.reason.gain = reason.gain;
  out.waits_for = use.touch(n, touched_nodes(step.before, step.after), step.instance);
  out.system = Value::map();
  out.system.set("move", moves_text(cluster, step.move, step.after));
  out.system.set("score_after", step.score);
  out.system.set("job_set", scene.set_of[index]);
  out.system.set("job", scene.job_of[index]);
  if (step.move.joined > 0) out.system.set("joined", static_cast<std::int64_t>(step.move.joined));
  return out;
}

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
  return fmt::format("{} in {} of jobs, score {} to {}, {} GiB to copy",
                     counted(plan.steps.size(), "step"), counted(plan.totals.phases, "set"),
                     fixed(plan.score->before, 8), fixed(plan.score->after, 8),
                     fixed(static_cast<double>(plan.totals.bytes.value_or(0)) / kGib, 1));
}

plan::Totals totals_of(const Cluster& cluster, const std::vector<BalanceStep>& steps,
                       std::size_t sets) {
  plan::Totals totals;
  totals.steps = static_cast<std::int64_t>(steps.size());
  totals.phases = static_cast<std::int64_t>(sets);
  totals.bytes = total_copied_mib(cluster, steps) * kBytesPerMib;
  std::set<InstanceId> moved;
  for (const BalanceStep& step : steps) moved.insert(step.instance);
  totals.moved = static_cast<std::int64_t>(moved.size());
  return totals;
}

/// Units that have a figure before and after: one whose last nodes are switched off has none then,
/// and the units behind it move up.
std::vector<plan::MetricRow> unit_rows(const Cluster& cluster, const ScoreDetail& before,
                                       const ScoreDetail& after, bool is_forth) {
  const auto figure = is_forth ? &UnitDeviation::forth_deviation : &UnitDeviation::deviation;
  std::vector<plan::MetricRow> rows;
  for (const UnitDeviation& old : before.units) {
    const auto now = std::ranges::find(after.units, old.unit, &UnitDeviation::unit);
    if (now == after.units.end()) continue;
    rows.push_back({to_string(cluster[old.unit]), 0, old.*figure, (*now).*figure, {}});
  }
  return rows;
}

}  // namespace

plan::Score plan_score(const Cluster& cluster, const ScoreDetail& before, const ScoreDetail& after,
                       double lower_bound) {
  plan::Score score;
  score.before = before.total;
  score.after = after.total;
  score.lowest_possible = lower_bound;
  for (const MetricId m : kMetricIds) {
    plan::MetricRow row{std::string(metric_name(cluster, m)),
                        kMetrics[m].weight,
                        before.values[m],
                        after.values[m],
                        {}};
    if (is_storage(m)) row.units = unit_rows(cluster, before, after, kMetrics[m].is_forth);
    score.metrics.push_back(std::move(row));
  }
  return score;
}

std::int64_t total_copied_mib(const Cluster& cluster, const std::vector<BalanceStep>& steps) {
  std::int64_t mib = 0;
  for (const BalanceStep& step : steps) mib += copied_mib(cluster, step.instance, step.move);
  return mib;
}

std::vector<plan::Step> balance_steps(const Cluster& cluster, const State& before, const Part& part,
                                      const std::vector<BalanceStep>& steps,
                                      const std::vector<std::vector<std::size_t>>& job_sets) {
  Scene scene{cluster, steps, {}, {}, step_reasons(cluster, before, part, steps)};
  number_jobs(scene, job_sets);
  NodeUse use(cluster);
  std::vector<plan::Step> described;
  for (std::size_t i = 0; i < scene.reasons.size(); ++i)
    described.push_back(step_of(scene, i, use));
  return described;
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
  plan.steps = balance_steps(cluster, before, part, result.steps, job_sets);
  plan.totals = totals_of(cluster, result.steps, job_sets.size());
  plan.headline = headline_of(plan);
  // Whoever prints the plan replays it; here the states between the steps are only looked at.
  (void)fill_states(plan, cluster, before, part, ignore_soft_errors);
  return plan;
}

}  // namespace ballast::ganeti
