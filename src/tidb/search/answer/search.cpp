// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/search/answer/search.hpp"

#include "ballast/tidb/search/remedy/remedies.hpp"

#include <fmt/format.h>

namespace ballast::tidb {

Outcome plan_cluster(const Input& input) {
  Outcome outcome = plan_steps(input);
  add_remedies(input, outcome);
  return outcome;
}

std::string brief(const Outcome& outcome) {
  std::string text;
  std::size_t n = 0;
  for (const Line& step : outcome.steps) {
    text += fmt::format("{}\t{}/{}\t{}\t{}\t{}\n", ++n,
                        step.component       ? name_of(*step.component)
                        : step.other.empty() ? "discovery"
                                             : std::string_view(step.other),
                        step.set.empty() ? "-" : step.set, step.object, name_of(step.action),
                        step.detail);
  }
  return text;
}

}  // namespace ballast::tidb
