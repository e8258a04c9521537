// SPDX-License-Identifier: BSD-2-Clause
// Ways out of a block: each is planned again, and only what helps is told.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ballast/plan/loss.hpp"
#include "ballast/plan/plan.hpp"

namespace ballast::operators {

/// What to set or run, and what it takes.
struct Remedy {
  std::string text;
  plan::Loss loss = plan::Loss::None;
  std::string cost{};                   ///< in words and figures; empty: nothing
  std::string snippet{};                ///< the same as values, where --set cannot say it
  std::vector<std::string> set{};       ///< PATH=VALUE
  std::vector<std::string> commands{};  ///< shell lines
  /// Once tried: the code at which it stops later; empty: it gets through.
  std::string stuck_at{};
};

/// The remedy in a plan: what came of the trial and the cost stand behind its text.
plan::Remedy worded(const Remedy& remedy);

/// A remedy, and the edit or the state that it leaves, as a change of a copy of the planner's
/// input.
template <class Input>
struct WayOut {
  Remedy remedy;
  std::function<void(Input&)> apply;
};

/// Where a plan gets stuck.
struct DeadEnd {
  std::string code;
  std::string object;
  friend bool operator==(const DeadEnd&, const DeadEnd&) = default;
};

constexpr std::size_t kMostRemedies = 4;  ///< more are no help at three in the morning

/// Plans `input` again with each way alone. `dead_end_of(changed)` says where that plan gets stuck,
/// nothing where it gets through. The answer: the ways that get through, or where there are none,
/// those that get past `block` at least; the least harmful first, at most kMostRemedies.
template <class Input, class DeadEndOf>
std::vector<Remedy> tried_out(const Input& input, const DeadEnd& block,
                              std::vector<WayOut<Input>> ways, DeadEndOf dead_end_of) {
  std::vector<Remedy> through;
  std::vector<Remedy> further;
  for (WayOut<Input>& way : ways) {
    Input changed = input;
    way.apply(changed);
    const std::optional<DeadEnd> stuck = dead_end_of(changed);
    if (!stuck) {
      through.push_back(std::move(way.remedy));
    } else if (*stuck != block) {
      way.remedy.stuck_at = stuck->code;
      further.push_back(std::move(way.remedy));
    }
  }
  std::vector<Remedy>& told = through.empty() ? further : through;
  std::ranges::stable_sort(told, {}, &Remedy::loss);
  if (told.size() > kMostRemedies) told.resize(kMostRemedies);
  return std::move(told);
}

/// Where a plan gets stuck first.
inline std::optional<DeadEnd> dead_end_of(const plan::Plan& plan) {
  if (plan.blocked.empty()) return std::nullopt;
  return DeadEnd{plan.blocked.front().code, plan.blocked.front().subject.name};
}

/// The remedies of the first block of a plan of `input`: what of `ways_of(block)` helps, as
/// `plan_of(changed)` says.
template <class Input, class WaysOf, class PlanOf>
void add_remedies(plan::Plan& plan, const Input& input, WaysOf ways_of, PlanOf plan_of) {
  const std::optional<DeadEnd> block = dead_end_of(plan);
  if (!block) return;
  std::vector<WayOut<Input>> ways = ways_of(plan.blocked.front());
  for (const Remedy& remedy : tried_out(input, *block, std::move(ways), [&](const Input& changed) {
         return dead_end_of(plan_of(changed));
       }))
    plan.blocked.front().remedies.push_back(worded(remedy));
}

}  // namespace ballast::operators
