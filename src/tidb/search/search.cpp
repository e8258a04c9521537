// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/search/search.hpp"

#include "ballast/tidb/search/engine.hpp"

#include <fmt/format.h>

namespace ballast::tidb {

Outcome plan_steps(const Input& input) { return Engine(input).run(); }

Outcome plan_cluster(const Input& input) { return plan_steps(input); }

std::string brief(const Outcome& outcome) {
  std::string text;
  std::size_t n = 0;
  for (const Step& step : outcome.steps) {
    text += fmt::format(
        "{}\t{}/{}\t{}\t{}\t{}\n", ++n, step.component ? name_of(*step.component) : "discovery",
        step.set.empty() ? "-" : step.set, step.object, name_of(step.action), step.detail);
  }
  return text;
}

}  // namespace ballast::tidb
