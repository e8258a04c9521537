// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/planning/balance_replay.hpp"

#include "ballast/ganeti/score/metrics.hpp"

#include "ballast/ganeti/search/planning/rule_text.hpp"

#include <fmt/format.h>

#include <bit>

namespace ballast::ganeti {
namespace {

Status broken(const Cluster& cluster, const BalanceStep& step, std::size_t number,
              std::string_view what) {
  return fail(Error{fmt::format("step {} ({}) {}", number, cluster[step.instance].name, what),
                    {},
                    Fault::Internal});
}

}  // namespace

Status replay(const Cluster& cluster, const State& state, const Part& part,
              const std::vector<BalanceStep>& steps, bool ignore_soft_errors,
              const StateSeen& seen) {
  State now = state;
  JoinedMoves joined;
  if (seen) seen(now, 0);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const BalanceStep& step = steps[i];
    if (now[step.instance] != step.before)
      return broken(cluster, step, i + 1, "starts from another placement");
    auto effect = evaluate(cluster, now, step.instance, step.move, ignore_soft_errors);
    if (!effect)
      return broken(cluster, step, i + 1,
                    fmt::format("is refused: {}", text_of(effect.error().reason)));
    if (effect->placement != step.after)
      return broken(cluster, step, i + 1, "leads to another placement");
    joined.before(cluster, now, step.instance, step.move.joined);
    apply(now, step.instance, std::move(*effect));
    if (const auto parted = joined.after(cluster, now))
      return broken(cluster, step, i + 1, rule_text(cluster, *parted));
    const double score = full_score(cluster, now, part.nodes);
    if (std::bit_cast<std::uint64_t>(score) != std::bit_cast<std::uint64_t>(step.score)) {
      return broken(cluster, step, i + 1,
                    fmt::format("gives the score {} in place of {}", score, step.score));
    }
    if (seen) seen(now, i + 1);
  }
  return {};
}

}  // namespace ballast::ganeti
