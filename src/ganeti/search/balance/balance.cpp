// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/balance/balance.hpp"

#include "fast_finder.hpp"

namespace ballast::ganeti {

namespace {

/// Every candidate, scored from the sheet.
class SheetFinder final : public StepFinder {
 public:
  SheetFinder(const Cluster& cluster, const State& state, const Part& part,
              const BalanceOptions& options)
      : state_(state),
        sheet_(cluster, state, part.nodes),
        plain_(cluster, state, part, options, &sheet_) {}

  StepChoice best(double current) override { return plain_.best(current); }
  void moved(InstanceId instance, const Placement& before) override {
    for (const NodeId node :
         {before.primary, before.secondary, state_[instance].primary, state_[instance].secondary}) {
      if (!node.is_none()) sheet_.update(node);
    }
  }

 private:
  const State& state_;
  ScoreSheet sheet_;
  PlainFinder plain_;
};

}  // namespace

BalanceResult balance(const Cluster& cluster, const State& state, const Part& part,
                      const BalanceOptions& options, const StepSeen& seen) {
  BalanceResult result;
  result.state = state;
  if (options.max_length == 0) {  // nothing is sought
    PlainFinder finder(cluster, result.state, part, options, nullptr);
    balance_with(finder, cluster, part, options, seen, result);
    return result;
  }
  // The bounds of the fast search know no prices.
  if (!cluster.rules.has_prices() && fast::is_ordinary(cluster, state, part)) {
    fast::FastFinder finder(cluster, result.state, part, options);
    balance_with(finder, cluster, part, options, seen, result);
  } else {
    SheetFinder finder(cluster, result.state, part, options);
    balance_with(finder, cluster, part, options, seen, result);
  }
  return result;
}

}  // namespace ballast::ganeti
