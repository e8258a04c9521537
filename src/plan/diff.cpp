// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/plan/diff.hpp"

#include <algorithm>

namespace ballast::plan {
namespace {

bool is_same_step(const Step& a, const Step& b) {
  return a.action == b.action && a.subject == b.subject && a.targets == b.targets &&
         a.from == b.from && a.to == b.to && a.before == b.before && a.after == b.after;
}

/// The same where only what stands around them differs.
bool is_alike(const Step& a, const Step& b) {
  return a.action == b.action && a.subject == b.subject && a.targets == b.targets &&
         a.from == b.from && a.to == b.to;
}

using Same = bool (*)(const Step&, const Step&);

/// Pairs open steps of both, in order; what is paired is closed.
std::size_t pair_up(const Plan& first, const Plan& second, std::vector<bool>& open_first,
                    std::vector<bool>& open_second, Same same) {
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < first.steps.size(); ++i) {
    for (std::size_t k = 0; open_first[i] && k < second.steps.size(); ++k) {
      if (!open_second[k] || !same(first.steps[i], second.steps[k])) continue;
      open_first[i] = false;
      open_second[k] = false;
      ++pairs;
    }
  }
  return pairs;
}

std::vector<std::string> said_in(const Plan& plan) {
  std::vector<std::string> texts;
  for (const Warning& warning : plan.warnings)
    texts.push_back(std::string(to_string(warning.severity)) + ": " + warning.text);
  for (const Blocked& blocked : plan.blocked) {
    const std::string& name = blocked.subject.name;
    texts.push_back("blocked: " + (name.empty() ? "" : name + ": ") + blocked.text);
  }
  return texts;
}

std::vector<std::string> only_in_first(const std::vector<std::string>& first,
                                       const std::vector<std::string>& second) {
  std::vector<std::string> only;
  for (const std::string& text : first) {
    if (std::ranges::find(second, text) == second.end()) only.push_back(text);
  }
  return only;
}

}  // namespace

Diff diff_of(const Plan& first, const Plan& second) {
  Diff diff;
  diff.is_of_plans = true;
  diff.objects = find_object_drift(first.objects, second.objects);
  // Nodes that came or went stand in the summary.
  std::erase_if(diff.objects, [](const Drift& drift) {
    return drift.kind == "node" && change_of(drift) != DriftChange::Changed;
  });
  diff.summary = find_drift(first.before, second.before);
  diff.summary_end = find_drift(first.after, second.after);
  std::vector<bool> open_first(first.steps.size(), true);
  std::vector<bool> open_second(second.steps.size(), true);
  diff.common = pair_up(first, second, open_first, open_second, is_same_step);
  diff.common += pair_up(first, second, open_first, open_second, is_alike);
  for (std::size_t i = 0; i < open_first.size(); ++i) {
    if (open_first[i]) diff.gone.push_back(first.steps[i].n);
  }
  for (std::size_t i = 0; i < open_second.size(); ++i) {
    if (open_second[i]) diff.added.push_back(second.steps[i].n);
  }
  const auto before = said_in(first);
  const auto now = said_in(second);
  diff.said_before = only_in_first(before, now);
  diff.said_now = only_in_first(now, before);
  return diff;
}

}  // namespace ballast::plan
