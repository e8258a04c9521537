// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/search/remedy/remedies.hpp"

#include "ballast/tidb/search/remedy/parts.hpp"
#include "ballast/tidb/search/steps/plan_steps.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

std::string set_key(const ClusterSpec& spec, Component component, const std::string& set,
                    const std::string& key) {
  if (spec.form == Form::Groups) return fmt::format("{}.{}", set, key);
  if (spec.form == Form::List) return fmt::format("{}[{}].{}", name_of(component), set, key);
  if (set == kDefaultSet) return fmt::format("{}.{}", name_of(component), key);
  if (spec.form == Form::Merged) return fmt::format("{}s[{}].{}", name_of(component), set, key);
  return fmt::format("{}.extra[{}].{}", name_of(component), set, key);
}

std::string name_beside(const ClusterSpec& spec, Component component, const std::string& set) {
  const std::string stem = set == kDefaultSet ? std::string(name_of(component)) : set;
  for (int n = 2;; ++n) {
    std::string name = fmt::format("{}-{}", stem, n);
    if (spec.find(component, name) == nullptr) return name;
  }
}

std::vector<Candidate> candidates_for(const Input& input, const Line& block) {
  Candidates candidates;
  store_remedies(candidates, input, block);
  member_remedies(candidates, input, block);
  rollout_remedies(candidates, input, block);
  capacity_remedies(candidates, input, block);
  return candidates.take();
}

namespace {

std::optional<operators::DeadEnd> dead_end_of(const Outcome& outcome) {
  const Line* stuck = outcome.first_block();
  if (stuck == nullptr) return std::nullopt;
  return operators::DeadEnd{stuck->code, stuck->object};
}

}  // namespace

void add_remedies(const Input& input, Outcome& outcome) {
  for (Line& step : outcome.steps) {
    if (step.action == Action::Blocked) step.cycle = cycle_of(input, step);
  }
  const Line* block = outcome.first_block();
  if (block == nullptr) return;
  outcome.remedies =
      operators::tried_out(input, *dead_end_of(outcome), candidates_for(input, *block),
                           [](const Input& changed) { return dead_end_of(plan_steps(changed)); });
  for (const Remedy& remedy : outcome.remedies) {
    if (outcome.snippet.empty()) outcome.snippet = remedy.snippet;
  }
}

}  // namespace ballast::tidb
