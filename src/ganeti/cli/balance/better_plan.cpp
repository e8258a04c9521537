// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/balance/better_plan.hpp"

#include "ballast/core/decimal.hpp"
#include "ballast/core/words.hpp"
#include "ballast/ganeti/cli/balance/mending.hpp"
#include "ballast/ganeti/report/explain/bound.hpp"
#include "ballast/ganeti/rules/prices.hpp"
#include "ballast/ganeti/score/node_values.hpp"
#include "ballast/ganeti/search/improve/level_unit.hpp"
#include "ballast/ganeti/search/planning/balance_replay.hpp"
#include "ballast/ganeti/search/planning/builder.hpp"
#include "ballast/ganeti/search/planning/window.hpp"
#include "held.hpp"
#include "progress.hpp"
#include "room_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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
  const std::string breaches = cluster.rules.has_prices()
                                   ? fmt::format(" and {} for rules", fixed(figures.breaches, 8))
                                   : std::string();
  return fmt::format("  {:<14} score {}{}, {} steps, {} MiB to copy{}\n", label,
                     fixed(figures.score, 8), breaches, figures.steps, figures.copied_mib,
                     weakest_text(cluster, figures.weakest));
}

/// "left out: archive, 3072 GiB for 0.012"
std::string left_out_text(const Cluster& cluster, const LeftOut& one) {
  const std::string gib = fixed(static_cast<double>(one.mib) / 1024, one.mib % 1024 == 0 ? 0 : 1);
  return fmt::format("left out: {}, {} GiB for {}", cluster[one.instance].alias, gib,
                     fixed(one.gain, 4));
}

std::string comparison_of(const Cluster& cluster, const ImproveResult& improved,
                          const SearchWish& wish) {
  std::string text;
  if (!improved.is_better) {
    text = wish.improve.max_steps
               ? "No better plan found.\n"
               : "No better plan found with as few steps and as little data as step by "
                 "step (--max-steps allows more).\n";
  }
  for (const LeftOut& one : improved.left_out) text += left_out_text(cluster, one) + "\n";
  text += figures_line(cluster, "this plan:", improved.figures) +
          figures_line(cluster, "step by step:", improved.plain) +
          fmt::format("  at least:      score {}\n", fixed(improved.at_least.score, 8));
  if (wish.explains_bound) {
    for (const std::string& line : bound_text(cluster, improved.at_least))
      text += fmt::format("    {}\n", line);
  }
  return text;
}

plan::CodedText bound_note(const Cluster& cluster, const Bound& bound) {
  return {"BOUND", fmt::format("no plan scores below {}: {}", fixed(bound.score, 8),
                               fmt::join(bound_text(cluster, bound), "; "))};
}

Clock started_clock() {
  const auto start = std::chrono::steady_clock::now();
  return [start] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
}

Window window_of(const Settings& settings, const SearchWish& wish) {
  return {wish.max_seconds, settings.output.rate_mib, settings.output.parallel,
          wish.max_per_node_mib};
}

std::string window_text(const Cluster& cluster, const std::vector<BalanceStep>& steps,
                        const Window& window) {
  if (!window.seconds) return "";
  return fmt::format("Time: at least {} s of {} s\n", seconds_of(cluster, steps, window),
                     *window.seconds);
}

FoundPlan search_on(const Snapshot& snapshot, const State& start, const Part& part,
                    const Settings& settings, const SearchWish& wish, Output& output) {
  Progress progress(output);
  const Window window = window_of(settings, wish);
  if (wish.is_wanted) {
    ImproveOptions options = wish.improve;
    if (const auto most = window.most_mib())
      options.max_data_mib = std::min(options.max_data_mib.value_or(*most), *most);
    options.stop_at_percent = wish.stop_at_percent;
    options.seen = [&progress](double score, std::int64_t trials) {
      progress.search(score, trials);
    };
    ImproveResult improved =
        improve(snapshot.cluster, start, part, settings.balance, options, started_clock());
    fit_into(snapshot.cluster, start, part, settings.balance, window, improved.plan);
    improved.figures.score = improved.plan.score_after;
    improved.figures.breaches = price_of_breaches(snapshot.cluster, improved.plan.state);
    improved.figures.steps = improved.plan.steps.size();
    improved.figures.copied_mib = total_copied_mib(snapshot.cluster, improved.plan.steps);
    std::vector<plan::CodedText> notes;
    for (const LeftOut& one : improved.left_out)
      notes.push_back({"LEFT_OUT", left_out_text(snapshot.cluster, one)});
    if (wish.explains_bound) notes.push_back(bound_note(snapshot.cluster, improved.at_least));
    std::string comparison = comparison_of(snapshot.cluster, improved, wish);
    FoundPlan found;
    found.result = std::move(improved.plan);
    found.remark = window_text(snapshot.cluster, found.result.steps, window);
    found.remark = std::move(comparison) + found.remark;
    found.notes = std::move(notes);
    return found;
  }
  BalanceResult result = balance(snapshot.cluster, start, part, settings.balance,
                                 [&progress](const BalanceStep& step, std::size_t index) {
                                   progress.step(index + 1, step.score);
                                 });
  stop_at(snapshot.cluster, start, part, settings.balance, wish.stop_at_percent, result);
  fit_into(snapshot.cluster, start, part, settings.balance, window, result);
  FoundPlan found;
  found.result = std::move(result);
  found.remark = window_text(snapshot.cluster, found.result.steps, window);
  return found;
}

void tell_held(const HeldSnapshot& held, FoundPlan& found) {
  if (held.held.empty()) return;
  found.notes.push_back({"HELD", held_text(held.held)});
  found.remark += held_text(held.held) + "\n";
}

/// With what earlier plans moved left where it is.
template <class Find>
OrExit<FoundPlan> without_held(const Snapshot& snapshot, const Part& part, const SearchWish& wish,
                               Output& output, Find find) {
  const auto names = moved_before(wish, output);
  if (!names) return tl::unexpected(names.error());
  const HeldSnapshot held = hold(snapshot, part, *names);
  OrExit<FoundPlan> found = find(held.from(snapshot));
  if (found) tell_held(held, *found);
  return found;
}

/// Rules that are broken are mended first, whatever is held; the time for it is no longer there.
FoundPlan search(const Snapshot& snapshot, const Snapshot& held, const Part& part,
                 const Settings& settings, const SearchWish& wish_as_given, Output& output) {
  SearchWish wish = wish_as_given;
  const BalanceResult mended = mended_rules(snapshot, part, settings);
  Settings rest = settings;
  const auto count = static_cast<std::int64_t>(mended.steps.size());
  if (rest.balance.max_length >= 0)
    rest.balance.max_length = std::max<std::int64_t>(0, rest.balance.max_length - count);
  if (wish.max_seconds && count > 0) {
    const std::int64_t used = seconds_of(snapshot.cluster, mended.steps, window_of(settings, wish));
    wish.max_seconds = std::max<std::int64_t>(0, *wish.max_seconds - used);
  }
  if (auto& most = wish.improve.max_data_mib; most && count > 0) {
    const std::int64_t used = total_copied_mib(snapshot.cluster, mended.steps);
    most = std::max<std::int64_t>(0, *most - used);
  }
  const Window window = window_of(settings, wish_as_given);
  FoundPlan found = search_on(held, mended.state, part, rest, wish, output);
  if (count > 0) {
    found.result.score_before = mended.score_before;
    found.result.steps.insert(found.result.steps.begin(), mended.steps.begin(), mended.steps.end());
    // What a node sends and receives for both counts together.
    fit_into(held.cluster, snapshot.state, part, settings.balance, window, found.result,
             mended.steps.size());
    if (!found.remark.empty()) {
      found.remark =
          fmt::format("Behind the {} that {} rules:\n", counted(mended.steps.size(), "step"),
                      of_count(count, "mends", "mend")) +
          found.remark;
    }
  }
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
  // The deviation of a unit is not counted in points of the score, as prices are.
  const Cluster hard = without_prices(cluster);
  LevelResult levelled = level_unit(hard, snapshot.state, part, settings.balance, id);
  FoundPlan found;
  found.result = std::move(levelled.plan);
  found.heading = fmt::format("Trying to level {}...\n", to_string(unit));
  found.remark =
      fmt::format("Deviation of {} from {} to {}\n", to_string(unit),
                  fixed(levelled.deviation_before, 8), fixed(levelled.deviation_after, 8));
  return found;
}

OrExit<FoundPlan> plan_for_aim(const Snapshot& snapshot, const Part& part, const Settings& settings,
                               const SearchWish& wish, Output& output) {
  if (wish.room) return room_for(snapshot, part, settings, *wish.room, output);
  if (wish.repair) return repair_plan(snapshot, part, settings);
  if (!wish.only_above.empty()) {
    return without_held(snapshot, part, wish, output,
                        [&](const Snapshot& rest) -> OrExit<FoundPlan> {
                          return relief_plan(rest, part, settings, wish.only_above);
                        });
  }
  if (wish.only_storage) {
    return without_held(snapshot, part, wish, output, [&](const Snapshot& rest) {
      return level(rest, part, settings, *wish.only_storage, output);
    });
  }
  return without_held(snapshot, part, wish, output, [&](const Snapshot& held) -> OrExit<FoundPlan> {
    return search(snapshot, held, part, settings, wish, output);
  });
}

}  // namespace

OrExit<FoundPlan> find_plan(const Snapshot& snapshot, const Part& part, const Settings& settings,
                            const SearchWish& wish, Output& output) {
  OrExit<FoundPlan> found = plan_for_aim(snapshot, part, settings, wish, output);
  if (!found) return found;
  const Status replayed = replay(snapshot.cluster, snapshot.state, part, found->result.steps,
                                 settings.balance.ignore_soft_errors);
  if (replayed) return found;
  return tl::unexpected(output.fail(fmt::format(
      "hbal: internal error: the plan is not shown, since {}\n", replayed.error().message)));
}

}  // namespace ballast::ganeti::cli
