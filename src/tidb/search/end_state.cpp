// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/search/end_state.hpp"

#include "ballast/core/strings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

void add_warning(Outcome& outcome, std::string code, std::string subject, std::string text) {
  const bool said = std::ranges::any_of(
      outcome.warnings, [&](const Warning& w) { return w.code == code && w.subject == subject; });
  if (said) return;
  outcome.warnings.push_back(
      {std::move(code), std::move(subject), std::move(text), Severity::Warning, {}});
}

void warn_totals(const Input& input, Outcome& outcome) {
  const auto changes_total = [&](Component c) {
    std::int64_t now = 0;
    for (const LiveSet& set : input.live.of(c)) now += set.replicas;
    return input.desired.given[index_of(c)] && now != total_replicas(input.desired.of(c));
  };
  const std::int64_t pd = total_replicas(input.desired.of(Component::Pd));
  if (changes_total(Component::Pd) && pd > 0) {
    if (pd % 2 == 0) {
      add_warning(outcome, "W-EVEN-PD", "pd",
                  fmt::format("{} PD members tolerate no more failures than {}", pd, pd - 1));
    }
    if (pd < 3) {
      add_warning(outcome, "W-PD-SMALL", "pd",
                  fmt::format("{} PD members: the loss of one stops PD", pd));
    }
  }
  const std::int64_t tikv = total_replicas(input.desired.of(Component::Tikv));
  if (changes_total(Component::Tikv) && tikv < input.max_replicas) {
    add_warning(outcome, "W-TIKV-BELOW-REPLICAS", "tikv",
                fmt::format("{} TiKV pods are wished, {} copies of each region are wanted", tikv,
                            input.max_replicas));
  }
}

void warn_not_planned(const Input& input, Outcome& outcome) {
  const Fields none;
  const Fields& before = input.current ? input.current->other_components : none;
  const auto others = differing(before, input.desired.other_components);
  if (others.empty()) return;
  add_warning(outcome, "W-NOT-PLANNED", input.desired.name,
              fmt::format("not planned: {}", join(others, ", ")));
}

}  // namespace ballast::tidb
