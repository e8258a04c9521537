// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/search/basis/end_state.hpp"
#include "ballast/core/words.hpp"

#include "ballast/core/strings.hpp"
#include "ballast/tidb/search/basis/versions.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

void add_warning(Outcome& outcome, std::string code, std::string subject, std::string text) {
  const bool said = std::ranges::any_of(outcome.warnings, [&](const plan::Warning& w) {
    return w.code == code && w.subject.name == subject;
  });
  if (said) return;
  const Severity severity = severity_of(code);
  outcome.warnings.push_back(
      {std::move(code), severity, std::move(text), {}, {"", std::move(subject), ""}});
}

void add_assumptions(const Input& input, Outcome& outcome) {
  const Live& live = input.live;
  if (!live.exists) return;
  const auto assume = [&](const char* code, const char* text) {
    outcome.assumptions.push_back({code, text});
  };
  if (!live.of(Component::Tikv).empty() && !live.stores_known)
    assume("A-STORES", "store states not given, all stores taken as Up");
  if (!live.of(Component::Pd).empty() && !live.members_known)
    assume("A-MEMBERS", "PD members not given, all taken as healthy");
  if (!live.of(Component::Pd).empty() && live.leader.empty())
    assume("A-LEADER", "PD leader not known: transfers are conditional");
  if (!live.pods_known)
    assume("A-PODS", "pods not given, all pods of the specification taken as running and Ready");
  if (live.nodes_known && !live.volumes_known)
    assume("A-VOLUMES", "volumes not given: no limit on claims");
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
                  counted(pd, "PD member") + ": the loss of one stops PD");
    }
  }
  const std::int64_t tikv = total_replicas(input.desired.of(Component::Tikv));
  if (changes_total(Component::Tikv) && tikv < input.max_replicas) {
    add_warning(
        outcome, "W-TIKV-BELOW-REPLICAS", "tikv",
        fmt::format("{} {} wished, {} copies of each region are wanted", counted(tikv, "TiKV pod"),
                    of_count(tikv, "is", "are"), input.max_replicas));
  }
}

void warn_downgrades(const Input& input, Outcome& outcome) {
  for (const Component c : kComponents) {
    for (const SetSpec& spec : input.desired.of(c)) {
      const LiveSet* live = input.live.find(c, spec.name);
      if (live == nullptr || live->pods.empty()) continue;
      const auto from = parse_version(live->spec.version);
      const auto to = parse_version(spec.version);
      if (!from || !to || *to >= *from) continue;
      add_warning(outcome, "W-DOWNGRADE", live->statefulset,
                  fmt::format("{} -> {} goes back: no downgrade is supported, the older program "
                              "may not start on what the newer one wrote",
                              live->spec.version, spec.version));
    }
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
