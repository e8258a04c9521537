// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/score/sheet.hpp"
#include "ballast/ganeti/search/planning/balance_replay.hpp"
#include "ballast/ganeti/search/planning/builder.hpp"
#include "ballast/ganeti/search/planning/move_step.hpp"

#include <fmt/format.h>

namespace ballast::ganeti {
namespace {

/// The unit whose deviation falls most between two score details; none where none falls.
StorageKeyId most_relieved_unit(const ScoreDetail& before, const ScoreDetail& after) {
  StorageKeyId best;
  double most = 0;
  for (std::size_t u = 0; u < before.units.size() && u < after.units.size(); ++u) {
    const double fall = before.units[u].deviation - after.units[u].deviation;
    if (fall > most) {
      most = fall;
      best = before.units[u].unit;
    }
  }
  return best;
}

StepReason reason_between(const ScoreDetail& before, const ScoreDetail& after) {
  StepReason reason;
  reason.gain = before.total - after.total;
  double most = 0;
  for (const MetricId m : kMetricIds) {
    const double fall = kMetrics[m].weight * (before.values[m] - after.values[m]);
    if (fall > most) {
      most = fall;
      reason.metric = m;
    }
  }
  if (is_storage(reason.metric)) reason.unit = most_relieved_unit(before, after);
  return reason;
}

}  // namespace

std::vector<StepReason> step_reasons(const Cluster& cluster, const State& before, const Part& part,
                                     const std::vector<BalanceStep>& steps) {
  std::vector<StepReason> reasons;
  State now = before;
  ScoreSheet sheet(cluster, now, part.nodes);
  ScoreDetail last = sheet.detail();
  for (const BalanceStep& step : steps) {
    // The search allowed the step; whether by force does not change what it does.
    auto effect = evaluate(cluster, now, step.instance, step.move, true);
    if (!effect) break;
    apply(now, step.instance, std::move(*effect));
    for (const NodeId node : touched_nodes(step.before, step.after)) sheet.update(node);
    ScoreDetail next = sheet.detail();
    reasons.push_back(reason_between(last, next));
    last = std::move(next);
  }
  return reasons;
}

std::string reason_text(const Cluster& cluster, const StepReason& reason) {
  std::string text(metric_name(cluster, reason.metric));
  if (!reason.unit.is_none()) text += " of " + to_string(cluster[reason.unit]);
  return text;
}

}  // namespace ballast::ganeti
