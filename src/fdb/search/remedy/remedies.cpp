// SPDX-License-Identifier: BSD-2-Clause
// Each remedy is planned again, alone, on top of the user's edit; the first that is not blocked
// wins, and alternatives that are not blocked either stand beside it.
#include "ballast/fdb/search/remedy/remedy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace ballast::fdb {
namespace {

std::vector<std::string> with_number(const std::vector<std::string>& templates, int number) {
  std::vector<std::string> texts;
  for (std::string text : templates) {
    if (const auto at = text.find("{}"); at != std::string::npos)
      text.replace(at, 2, std::to_string(number));
    texts.push_back(std::move(text));
  }
  return texts;
}

/// The gate at which the plan of `edit` with `number` gets stuck; nothing where it does not.
std::optional<std::string> stuck_at(const RemedyContext& context, const RemedyEdit& edit,
                                    int number) {
  Trial trial{context.snapshot, context.desired, context.options};
  edit.apply(trial, number);
  const Simulation simulation = simulate(trial.snapshot, trial.spec, trial.options);
  if (simulation.ending != Ending::Blocked) return std::nullopt;
  return simulation.steps.back().gate;
}

/// What an edit comes to: a remedy that works, or one that says where it gets stuck.
struct Tried {
  plan::Remedy remedy;
  bool works = false;
};

Tried try_out(const RemedyContext& context, const RemedyEdit& edit) {
  const std::string text = edit.cost.empty() ? edit.text : edit.text + "; cost: " + edit.cost;
  if (!edit.apply) return {{text, edit.set, edit.commands}, false};
  std::string gate;
  for (int number = edit.from + 1; number <= edit.most; ++number) {
    const auto stuck = stuck_at(context, edit, number);
    if (!stuck) {
      return {{text, with_number(edit.set, number), with_number(edit.commands, number)}, true};
    }
    gate = *stuck;
  }
  const std::string note =
      edit.counts ? fmt::format(" (gets stuck at {} for every number that was tried)", gate)
                  : fmt::format(" (gets stuck at {})", gate);
  // No number works: none is told.
  const auto has_number = [](const std::string& line) {
    return line.find("{}") != std::string::npos;
  };
  plan::Remedy remedy{text + note, edit.set, edit.commands};
  std::erase_if(remedy.set, has_number);
  std::erase_if(remedy.commands, has_number);
  return {std::move(remedy), false};
}

}  // namespace

std::vector<plan::Remedy> find_remedies(const Cluster& snapshot, const ClusterSpec& desired,
                                        const PlanOptions& options, const Simulation& simulation,
                                        const TraceStep& dead_end) {
  const RemedyContext context{snapshot, desired, options, simulation, dead_end};
  std::vector<plan::Remedy> working;
  std::vector<plan::Remedy> stuck;
  for (const RemedyEdit& edit : remedy_edits(context)) {
    if (!working.empty() && !edit.is_alternative) continue;
    Tried tried = try_out(context, edit);
    auto& list = tried.works ? working : stuck;
    if (std::ranges::find(list, tried.remedy) == list.end())
      list.push_back(std::move(tried.remedy));
  }
  return working.empty() ? stuck : working;
}

}  // namespace ballast::fdb
