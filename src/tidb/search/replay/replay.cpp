// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/search/replay/replay.hpp"

#include "rules.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

namespace {

plan::Problem broken(std::string text) { return {plan::ProblemKind::BrokenRule, std::move(text)}; }

}  // namespace

std::optional<plan::Problem> Rules::apply(const Line& step) {
  if (!broken_.empty()) return std::nullopt;
  peers_.apply(step);
  take(step);
  if (broken_.empty()) return std::nullopt;
  return broken(fmt::format("{} {}: {}", name_of(step.action), step.object, broken_));
}

std::optional<plan::Problem> Rules::ending() const {
  if (!broken_.empty()) return std::nullopt;
  std::string rule = end();
  return rule.empty() ? std::nullopt : std::optional(broken(std::move(rule)));
}

plan::ReplayReport replay(const Input& input, const Outcome& outcome) {
  const auto rules = input.options.profile == Profile::V2 ? group_rules(input, outcome)
                                                          : set_rules(input, outcome);
  return plan::replay_steps(outcome.made(), *rules, std::ranges::all_of(outcome.steps, is_step));
}

}  // namespace ballast::tidb
