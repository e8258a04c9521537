// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/search/remedy/remedies.hpp"

#include "ballast/tidb/search/remedy/remedy_parts.hpp"
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

std::vector<Candidate> candidates_for(const Input& input, const Step& block) {
  Candidates candidates;
  store_remedies(candidates, input, block);
  member_remedies(candidates, input, block);
  rollout_remedies(candidates, input, block);
  capacity_remedies(candidates, input, block);
  return candidates.take();
}

namespace {

constexpr std::size_t kMostRemedies = 4;  // more are no help at three in the morning

}  // namespace

void add_remedies(const Input& input, Outcome& outcome) {
  for (Step& step : outcome.steps) {
    if (step.action == Action::Blocked) step.cycle = cycle_of(input, step);
  }
  const Step* block = outcome.first_block();
  if (block == nullptr) return;
  std::vector<Remedy> through;
  std::vector<Remedy> further;
  for (Candidate& candidate : candidates_for(input, *block)) {
    Input tried = input;
    candidate.apply(tried);
    const Outcome result = plan_steps(tried);
    const Step* stuck = result.first_block();
    if (stuck == nullptr) {
      through.push_back(std::move(candidate.remedy));
    } else if (stuck->code != block->code || stuck->object != block->object) {
      candidate.remedy.stuck_at = stuck->code;
      further.push_back(std::move(candidate.remedy));
    }
  }
  outcome.remedies = through.empty() ? std::move(further) : std::move(through);
  std::ranges::stable_sort(outcome.remedies, {}, &Remedy::loss);
  if (outcome.remedies.size() > kMostRemedies) outcome.remedies.resize(kMostRemedies);
  for (const Remedy& remedy : outcome.remedies) {
    if (outcome.snippet.empty()) outcome.snippet = remedy.snippet;
  }
}

}  // namespace ballast::tidb
