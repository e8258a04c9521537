// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/better_plan.hpp"

#include "ballast/core/decimal.hpp"
#include "ballast/ganeti/cli/progress.hpp"
#include "ballast/ganeti/cli/room_plan.hpp"
#include "ballast/ganeti/score/node_values.hpp"
#include "ballast/ganeti/search/improve/level_unit.hpp"
#include "ballast/ganeti/search/planning/balance_replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace ballast::ganeti::cli {
namespace {

std::string weakest_text(const Cluster& cluster, const WeakestMoment& weakest) {
  if (weakest.node.is_none()) return "";
  const std::string when = weakest.after_step == 0
                               ? std::string("at the start")
                               : fmt::format("after step {}", weakest.after_step);
  return fmt::format(", least spare memory {} MiB on {} {}", weakest.spare_mib,
                     cluster[weakest.node].alias, when);
}

std::string figures_line(const Cluster& cluster, std::string_view label,
                         const PlanFigures& figures) {
  return fmt::format("  {:<14} score {}, {} steps, {} MiB to copy{}\n", label,
                     fixed(figures.score, 8), figures.steps, figures.copied_mib,
                     weakest_text(cluster, figures.weakest));
}

std::string comparison_of(const Cluster& cluster, const ImproveResult& improved,
                          const ImproveOptions& wish) {
  std::string text;
  if (!improved.is_better) {
    text = wish.max_steps ? "No better plan found.\n"
                          : "No better plan found with as few steps and as little data as step by "
                            "step (--max-steps allows more).\n";
  }
  return text + figures_line(cluster, "this plan:", improved.figures) +
         figures_line(cluster, "step by step:", improved.plain) +
         fmt::format("  at least:      score {}\n", fixed(improved.at_least, 8));
}

Clock started_clock() {
  const auto start = std::chrono::steady_clock::now();
  return [start] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
}

FoundPlan search(const Snapshot& snapshot, const Part& part, const Settings& settings,
                 const SearchWish& wish, Output& output) {
  Progress progress(output);
  if (wish.is_wanted) {
    ImproveOptions options = wish.improve;
    options.stop_at_percent = wish.stop_at_percent;
    options.seen = [&progress](double score, std::int64_t trials) {
      progress.search(score, trials);
    };
    ImproveResult improved =
        improve(snapshot.cluster, snapshot.state, part, settings.balance, options, started_clock());
    std::string comparison = comparison_of(snapshot.cluster, improved, options);
    FoundPlan found;
    found.result = std::move(improved.plan);
    found.remark = std::move(comparison);
    return found;
  }
  BalanceResult result = balance(snapshot.cluster, snapshot.state, part, settings.balance,
                                 [&progress](const BalanceStep& step, std::size_t index) {
                                   progress.step(index + 1, step.score);
                                 });
  stop_at(snapshot.cluster, snapshot.state, part, settings.balance, wish.stop_at_percent, result);
  FoundPlan found;
  found.result = std::move(result);
  return found;
}

OrExit<FoundPlan> level(const Snapshot& snapshot, const Part& part, const Settings& settings,
                        const StorageKey& unit, Output& output) {
  const Cluster& cluster = snapshot.cluster;
  const auto& keys = cluster.storage_keys;
  const auto key = std::find(keys.begin(), keys.end(), unit);
  const StorageKeyId id(static_cast<std::size_t>(key - keys.begin()));
  const std::vector<StorageKeyId> scored =
      cluster.has_storage ? scored_units(cluster, part.nodes) : std::vector<StorageKeyId>();
  if (key == keys.end() || std::find(scored.begin(), scored.end(), id) == scored.end()) {
    std::string known;
    for (const StorageKeyId one : scored)
      known += (known.empty() ? "" : ", ") + to_string(cluster[one]);
    return tl::unexpected(
        output.fail(fmt::format("hbal: --only-storage: no online node has {}; there is: {}\n",
                                to_string(unit), known.empty() ? "no storage unit" : known)));
  }
  LevelResult levelled = level_unit(cluster, snapshot.state, part, settings.balance, id);
  FoundPlan found;
  found.result = std::move(levelled.plan);
  found.heading = fmt::format("Trying to level {}...\n", to_string(unit));
  found.remark =
      fmt::format("Deviation of {} from {} to {}\n", to_string(unit),
                  fixed(levelled.deviation_before, 8), fixed(levelled.deviation_after, 8));
  return found;
}

}  // namespace

OrExit<FoundPlan> find_plan(const Snapshot& snapshot, const Part& part, const Settings& settings,
                            const SearchWish& wish, Output& output) {
  OrExit<FoundPlan> found = wish.room ? room_for(snapshot, part, settings, *wish.room, output)
                            : wish.only_storage
                                ? level(snapshot, part, settings, *wish.only_storage, output)
                                : search(snapshot, part, settings, wish, output);
  if (!found) return found;
  const Status replayed = replay(snapshot.cluster, snapshot.state, part, found->result.steps,
                                 settings.balance.ignore_soft_errors);
  if (replayed) return found;
  return tl::unexpected(output.fail(fmt::format(
      "hbal: internal error: the plan is not shown, since {}\n", replayed.error().message)));
}

}  // namespace ballast::ganeti::cli
