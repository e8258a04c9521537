// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/planning/balance_replay.hpp"

#include "ballast/ganeti/score/metrics.hpp"

#include "ballast/ganeti/score/sheet.hpp"
#include "ballast/ganeti/search/planning/move_step.hpp"
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

/// The score after a step: from scratch, which is dear where there are many nodes. There the sheet
/// gives it, which a few of the steps and the last hold against the score from scratch.
class ScoreCheck {
 public:
  ScoreCheck(const Cluster& cluster, const State& state, const Part& part, std::size_t steps)
      : cluster_(cluster),
        state_(state),
        part_(part),
        steps_(steps),
        sheet_(cluster, state, part.nodes) {}

  /// `number` of the step, from 1.
  double after(const BalanceStep& step, std::size_t number) {
    for (const NodeId node : touched_nodes(step.before, step.after)) sheet_.update(node);
    const std::size_t period = 1 + part_.nodes.size() / kNodesPerPeriod;
    if (number == steps_ || number % period == 0) return full_score(cluster_, state_, part_.nodes);
    return sheet_.total();
  }

 private:
  static constexpr std::size_t kNodesPerPeriod = 100;

  const Cluster& cluster_;
  const State& state_;
  const Part& part_;
  std::size_t steps_;
  ScoreSheet sheet_;
};

}  // namespace

Status replay(const Cluster& cluster, const State& state, const Part& part,
              const std::vector<BalanceStep>& steps, bool ignore_soft_errors,
              const StateSeen& seen) {
  State now = state;
  JoinedMoves joined;
  ScoreCheck check(cluster, now, part, steps.size());
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
    const double score = check.after(step, i + 1);
    if (std::bit_cast<std::uint64_t>(score) != std::bit_cast<std::uint64_t>(step.score)) {
      return broken(cluster, step, i + 1,
                    fmt::format("gives the score {} in place of {}", score, step.score));
    }
    if (seen) seen(now, i + 1);
  }
  return {};
}

}  // namespace ballast::ganeti
