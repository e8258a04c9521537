// SPDX-License-Identifier: BSD-2-Clause
// hcheck --what-if tier=NAMES:TYPE/KEY: instances on another tier of storage, as a plan.
#include "ballast/ganeti/cli/health/what_if_tier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ballast/core/words.hpp"
#include "ballast/ganeti/cli/delivery/plan_delivery.hpp"
#include "ballast/ganeti/report/explain/tier.hpp"

namespace ballast::ganeti::cli {
namespace {

constexpr std::string_view kTier = "tier=";

std::int64_t seconds_for(std::int64_t mib, double rate_mib) {
  return static_cast<std::int64_t>(std::ceil(static_cast<double>(mib) / rate_mib));
}

std::string move_lines(const Cluster& cluster, const TierMove& move,
                       std::optional<double> rate_mib) {
  const std::string& name = cluster[move.instance].name;
  if (!move.why.empty()) return fmt::format("  {} stays: {}\n", name, move.why);
  const auto [local, mirror] = move.cost;
  const bool is_running = cluster[move.instance].is_running();
  std::string text = fmt::format("  {}: {} MiB copied", name, local + mirror);
  text += is_running ? fmt::format(", {} of them while it is down", local) : ", it is down anyway";
  if (rate_mib && is_running)
    text += fmt::format(" (at least {} s)", seconds_for(local, *rate_mib));
  text += "\n";
  for (const std::string& command : move.commands) text += "    " + command + "\n";
  return text;
}

std::string tier_text(const Cluster& cluster, const TierWish& wish,
                      const std::vector<TierMove>& moves, std::optional<double> rate_mib) {
  const std::string where = tier_name(cluster, wish.tier);
  if (moves.empty()) return fmt::format("No instance {} has to move to {}.\n", wish.names, where);
  std::int64_t copied = 0;
  std::size_t possible = 0;
  std::string lines;
  for (const TierMove& move : moves) {
    lines += move_lines(cluster, move, rate_mib);
    copied += move.cost.local_mib + move.cost.mirror_mib;
    if (move.why.empty()) ++possible;
  }
  return fmt::format("{} of {} can move to {}, {} MiB copied:\n", possible,
                     counted(moves.size(), "instance"), where, copied) +
         lines;
}

plan::Plan described(const Snapshot& snapshot, const Settings& settings, const TierWish& wish,
                     const std::vector<TierMove>& moves) {
  plan::Plan plan = tier_plan(snapshot.cluster, snapshot.state, wish, moves);
  plan.options = shaping_options(settings);
  plan.options.set("what-if", text_list(settings.tool.what_if));
  return plan;
}

}  // namespace

bool asks_for_tier(const std::string& loss) { return std::string_view(loss).starts_with(kTier); }

Exit answer_tier(const Snapshot& snapshot, const Settings& settings, const std::string& question,
                 Output& output) {
  const auto wish =
      read_tier_wish(snapshot.cluster, std::string_view(question).substr(kTier.size()));
  if (!wish)
    return output.fail_at(Error{"option --what-if: " + wish.error().message, {}, Fault::Input});
  const auto moves = tier_moves(snapshot.cluster, snapshot.state, *wish);
  output.say(tier_text(snapshot.cluster, *wish, moves, settings.output.rate_mib));
  const Exit delivered = deliver_plan(
      snapshot, whole_part(snapshot.cluster), settings, false,
      [&] { return described(snapshot, settings, *wish, moves); }, output);
  if (settings.output.detailed_exit_code) return delivered;
  const bool is_short =
      std::ranges::any_of(moves, [](const TierMove& move) { return !move.why.empty(); });
  return is_short ? std::max<Exit>(delivered, ballast::cli::kFailed) : delivered;
}

}  // namespace ballast::ganeti::cli
