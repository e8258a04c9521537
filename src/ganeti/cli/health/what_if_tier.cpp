// SPDX-License-Identifier: BSD-2-Clause
// hcheck --what-if tier=NAMES:TYPE/KEY: instances on another tier of storage, as a plan.
#include "ballast/ganeti/cli/health/what_if_report.hpp"

#include <fmt/format.h>

#include <cmath>

#include "ballast/core/bytes.hpp"
#include "ballast/core/words.hpp"
#include "ballast/ganeti/report/explain/tier.hpp"
#include "ballast/ganeti/search/planning/refusal_text.hpp"

namespace ballast::ganeti::cli {
namespace {

constexpr std::string_view kTier = "tier=";

std::int64_t seconds_for(std::int64_t mib, std::optional<double> rate_mib) {
  return static_cast<std::int64_t>(std::ceil(static_cast<double>(mib) / rate_mib.value_or(1)));
}

std::string why_not(const Cluster& cluster, const State& state, const TierMove& move) {
  if (!move.hindrance.empty()) return move.hindrance;
  return refusal_text(cluster, state, cluster[move.instance], *move.refusal);
}

bool is_possible(const TierMove& move) { return move.hindrance.empty() && !move.refusal; }

std::string move_lines(const Cluster& cluster, const State& state, const TierMove& move,
                       std::optional<double> rate_mib) {
  const std::string& name = cluster[move.instance].name;
  if (!is_possible(move))
    return fmt::format("  {} stays: {}\n", name, why_not(cluster, state, move));
  std::string text = fmt::format("  {}: {} MiB copied, {} of them while it is down", name,
                                 move.copied_mib, move.stopped_mib);
  if (rate_mib) text += fmt::format(" (at least {} s)", seconds_for(move.stopped_mib, rate_mib));
  text += "\n";
  for (const std::string& command : move.commands) text += "    " + command + "\n";
  return text;
}

}  // namespace

bool asks_for_tier(const std::string& loss) { return std::string_view(loss).starts_with(kTier); }

Result<SpareNodes> what_if_tier(report::Document& document, const Cluster& cluster,
                                const State& state, const std::string& question,
                                std::optional<double> rate_mib) {
  auto wish = read_tier_wish(cluster, std::string_view(question).substr(kTier.size()));
  if (!wish) return fail("option --what-if: " + wish.error().message);
  const std::vector<TierMove> moves = tier_moves(cluster, state, *wish);
  report::DataTable rows{"tier_moves",
                         {"name", "possible", "primary", "secondary", "copied_bytes",
                          "stopped_bytes", "stopped_seconds", "commands", "why"},
                         {}};
  SpareNodes result;
  std::int64_t copied = 0;
  std::size_t possible = 0;
  std::string lines;
  for (const TierMove& move : moves) {
    lines += move_lines(cluster, state, move, rate_mib);
    const bool goes = is_possible(move);
    if (goes) ++possible;
    copied += move.copied_mib;
    std::string commands;
    for (const std::string& command : move.commands)
      commands += (commands.empty() ? "" : "\n") + command;
    rows.rows.push_back(
        {cluster[move.instance].name, goes, cluster[move.after.primary].name,
         move.after.secondary.is_none() ? Value() : Value(cluster[move.after.secondary].name),
         move.copied_mib * kBytesPerMib, move.stopped_mib * kBytesPerMib,
         rate_mib && goes ? Value(seconds_for(move.stopped_mib, rate_mib)) : Value(), commands,
         goes ? std::string() : why_not(cluster, state, move)});
  }
  result.is_short = possible < moves.size();
  const std::string where = wish->unit.is_none() ? std::string(text_of(wish->disk_template))
                                                 : to_string(cluster[wish->unit]);
  result.text = moves.empty()
                    ? fmt::format("No instance {} has to move to {}.\n", wish->names, where)
                    : fmt::format("{} of {} can move to {}, {} MiB copied:\n", possible,
                                  counted(moves.size(), "instance"), where, copied) +
                          lines;
  document.summary.set("what_if_tier", Value::map()
                                           .set("tier", where)
                                           .set("instances", moves.size())
                                           .set("possible", possible)
                                           .set("copied_bytes", copied * kBytesPerMib));
  document.tables.push_back(std::move(rows));
  return result;
}

}  // namespace ballast::ganeti::cli
