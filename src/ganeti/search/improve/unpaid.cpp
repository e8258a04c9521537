// SPDX-License-Identifier: BSD-2-Clause
#include "unpaid.hpp"

#include <algorithm>
#include <map>

#include "ballast/ganeti/rules/prices.hpp"
#include "ballast/ganeti/score/metrics.hpp"
#include "plan.hpp"

namespace ballast::ganeti {
namespace {

/// Steps that can only be left out together: those of one instance, and those of moves that are
/// joined.
class Bundles {
 public:
  explicit Bundles(const std::vector<BalanceStep>& steps) {
    std::map<InstanceId, std::size_t> of_instance;
    std::size_t joined = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const std::size_t own = of_instance.try_emplace(steps[i].instance, i).first->second;
      bundle_of_.push_back(own);
      const std::int32_t left = steps[i].move.joined;
      if (i > 0 && left > 0 && steps[i - 1].move.joined == left + 1) merge(own, joined);
      joined = bundle_of_.back();
    }
  }

  [[nodiscard]] std::size_t of(std::size_t step) const { return bundle_of_[step]; }

 private:
  void merge(std::size_t from, std::size_t to) {
    for (std::size_t& bundle : bundle_of_) {
      if (bundle == from) bundle = to;
    }
  }
  std::vector<std::size_t> bundle_of_;  ///< by step
};

class Pruner {
 public:
  Pruner(const Cluster& cluster, const State& start, const Part& part,
         const BalanceOptions& options, const StepPrices& prices,
         const std::function<bool()>& is_over)
      : cluster_(cluster),
        start_(start),
        part_(part),
        options_(options),
        prices_(prices),
        is_over_(is_over) {}

  std::vector<LeftOut> run(BalanceResult& plan) {
    std::vector<LeftOut> left_out;
    while (!plan.steps.empty()) {
      auto next = worst(plan);
      if (!next) break;
      left_out.insert(left_out.end(), next->left_out.begin(), next->left_out.end());
      plan.steps = std::move(next->steps);
      plan.state = std::move(next->state);
      plan.score_after = next->score;
    }
    return left_out;
  }

 private:
  struct Shorter {
    std::vector<BalanceStep> steps;
    State state;
    double score = 0;
    double saved = 0;  ///< price less gain of what is left out
    std::vector<LeftOut> left_out;
  };

  /// The plan without the bundle that pays least; none where all pay.
  [[nodiscard]] std::optional<Shorter> worst(const BalanceResult& plan) const {
    const Bundles bundles(plan.steps);
    std::optional<Shorter> best;
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
      if (is_over_()) return std::nullopt;
      if (bundles.of(i) != i && is_seen_before(bundles, i)) continue;
      auto shorter = without(plan, bundles, bundles.of(i));
      if (shorter && shorter->saved > 0 && (!best || shorter->saved > best->saved))
        best = std::move(shorter);
    }
    return best;
  }

  static bool is_seen_before(const Bundles& bundles, std::size_t step) {
    for (std::size_t i = 0; i < step; ++i) {
      if (bundles.of(i) == bundles.of(step)) return true;
    }
    return false;
  }

  [[nodiscard]] std::optional<Shorter> without(const BalanceResult& plan, const Bundles& bundles,
                                               std::size_t bundle) const {
    Shorter shorter;
    shorter.state = start_;
    double price = 0;
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
      const BalanceStep& step = plan.steps[i];
      if (bundles.of(i) == bundle) {
        const std::int64_t mib = copied_mib(cluster_, step.instance, step.move);
        price += prices_.per_step + prices_.per_mib * static_cast<double>(mib);
        note(shorter.left_out, step.instance, mib);
        continue;
      }
      auto effect =
          evaluate(cluster_, shorter.state, step.instance, step.move, options_.ignore_soft_errors);
      if (!effect) return std::nullopt;
      apply(shorter.state, step.instance, std::move(*effect));
      shorter.steps.push_back(step);
      shorter.steps.back().after = shorter.state[step.instance];
      shorter.steps.back().score = full_score(cluster_, shorter.state, part_.nodes);
    }
    shorter.score = full_score(cluster_, shorter.state, part_.nodes);
    const double gain = shorter.score + price_of_breaches(cluster_, shorter.state) -
                        plan.score_after - price_of_breaches(cluster_, plan.state);
    shorter.saved = price - gain;
    for (LeftOut& one : shorter.left_out)
      one.gain = gain / static_cast<double>(shorter.left_out.size());
    return shorter;
  }

  static void note(std::vector<LeftOut>& list, InstanceId id, std::int64_t mib) {
    const auto known = std::ranges::find(list, id, &LeftOut::instance);
    if (known == list.end()) {
      list.push_back({id, mib, 0});
    } else {
      known->mib += mib;
    }
  }

  const Cluster& cluster_;
  const State& start_;
  const Part& part_;
  const BalanceOptions& options_;
  StepPrices prices_;
  const std::function<bool()>& is_over_;
};

}  // namespace

std::vector<LeftOut> leave_out_unpaid(const Cluster& cluster, const State& start, const Part& part,
                                      const BalanceOptions& options, const StepPrices& prices,
                                      const std::function<bool()>& is_over, BalanceResult& plan) {
  constexpr std::size_t kMostSteps = 400;
  if (plan.steps.size() > kMostSteps) return {};
  return Pruner(cluster, start, part, options, prices, is_over).run(plan);
}

}  // namespace ballast::ganeti
