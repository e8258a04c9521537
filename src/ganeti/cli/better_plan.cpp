// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/better_plan.hpp"

#include "ballast/core/decimal.hpp"
#include "ballast/ganeti/cli/progress.hpp"
#include "ballast/ganeti/model/unit_resolver.hpp"
#include "ballast/ganeti/search/make_room.hpp"
#include "ballast/ganeti/search/replay.hpp"

#include <fmt/format.h>

#include <chrono>

namespace ballast::ganeti::cli {
namespace {

std::string figures_line(std::string_view label, const PlanFigures& figures) {
  return fmt::format("  {:<14} score {}, {} steps, {} MiB to copy\n", label,
                     fixed(figures.score, 8), figures.steps, figures.copied_mib);
}

std::string comparison_of(const ImproveResult& improved) {
  return (improved.is_better ? std::string() : std::string("No better plan found.\n")) +
         figures_line("this plan:", improved.figures) +
         figures_line("step by step:", improved.plain) +
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
    ImproveResult improved =
        improve(snapshot.cluster, snapshot.state, part, settings.balance, options, started_clock());
    std::string comparison = comparison_of(improved);
    return {std::move(improved.plan), std::move(comparison)};
  }
  BalanceResult result = balance(snapshot.cluster, snapshot.state, part, settings.balance,
                                 [&progress](const BalanceStep& step, std::size_t index) {
                                   progress.step(index + 1, step.score);
                                 });
  stop_at(snapshot.cluster, snapshot.state, part, settings.balance, wish.stop_at_percent, result);
  return {std::move(result), ""};
}

std::string names_of(const Cluster& cluster, const std::vector<NodeId>& nodes) {
  std::string text;
  for (const NodeId node : nodes) text += (text.empty() ? "" : ":") + cluster[node].alias;
  return text;
}

OrExit<FoundPlan> room_for(const Snapshot& snapshot, const Part& part, const Settings& settings,
                           const RoomSpec& room, Output& output) {
  // Storage units of the wanted instance may be new to the cluster.
  Cluster cluster = snapshot.cluster;
  Instance wanted = instance_of(room);
  if (cluster.has_storage) {
    UnitResolver resolver(cluster, settings.load.default_storage);
    const Status resolved = resolver.resolve_request(wanted, part.group);
    if (!resolved)
      return tl::unexpected(
          output.fail(fmt::format("hbal: --make-room: {}\n", resolved.error().message)));
  }
  MakeRoomResult made = make_room(cluster, snapshot.state, part, settings.balance, wanted);
  if (!made.is_found) {
    return tl::unexpected(output.fail(
        fmt::format("hbal: --make-room: no way found to place {} with at most {} moves\n",
                    to_string(room), MakeRoomOptions().most_moves)));
  }
  std::string where =
      fmt::format("An instance with {} fits {} on {}.\n", to_string(room),
                  made.plan.steps.empty() ? "already" : "then", names_of(cluster, made.nodes));
  const bool fits_already = made.plan.steps.empty();
  return FoundPlan{std::move(made.plan), std::move(where), fits_already,
                   "Trying to make room...\n"};
}

}  // namespace

OrExit<FoundPlan> find_plan(const Snapshot& snapshot, const Part& part, const Settings& settings,
                            const SearchWish& wish, Output& output) {
  OrExit<FoundPlan> found = wish.room ? room_for(snapshot, part, settings, *wish.room, output)
                                      : search(snapshot, part, settings, wish, output);
  if (!found) return found;
  const Status replayed = replay(snapshot.cluster, snapshot.state, part, found->result.steps,
                                 settings.balance.ignore_soft_errors);
  if (replayed) return found;
  return tl::unexpected(output.fail(fmt::format(
      "hbal: internal error: the plan is not shown, since {}\n", replayed.error().message)));
}

}  // namespace ballast::ganeti::cli
