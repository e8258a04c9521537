// SPDX-License-Identifier: BSD-2-Clause
// The second opinion finds what it is there for: plans that hold, each broken on purpose in one
// way, are found by the rule that is meant, and unbroken ones by none.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ballast/fdb/search/check/second_opinion.hpp"
#include "ballast/fdb/search/plan/planner.hpp"

#include "support/fdb_cases.hpp"

namespace {

using namespace ballast;
using namespace ballast::fdb;
using namespace ballast::fdb_cases;

using Check = void (*)(const Evidence&, std::vector<std::string>&);
using Steps = std::vector<TraceStep>;

struct Broken {
  Cluster snapshot;
  Steps steps;
};

/// Breaks the plan; false where it has nothing to break in that way.
using Break = std::function<bool(const Case&, Broken&)>;

struct Mutation {
  std::string_view name;
  Check check;
  Break apply;
  int applied = 0;
};

std::optional<std::size_t> position(const Steps& steps, Action action, std::size_t from = 0) {
  for (std::size_t i = from; i < steps.size(); ++i) {
    if (steps[i].action == action) return i;
  }
  return std::nullopt;
}

bool has(const TraceStep& step, const std::string& id) {
  return std::ranges::find(step.targets, id) != step.targets.end();
}

void add_target(TraceStep& step, const std::string& id) {
  if (!has(step, id)) step.targets.push_back(id);
  std::ranges::sort(step.targets);
}

/// The exclude of the first group that a step deletes; nothing where the plan did not issue it.
struct Removal {
  std::size_t exclude;
  std::size_t deletion;
  std::string id;
};
std::optional<Removal> removal(const Case& it, const Steps& steps) {
  for (std::size_t k = 0; k < steps.size(); ++k) {
    if (steps[k].action != Action::DeleteResources) continue;
    for (const std::string& id : steps[k].targets) {
      const auto& without = it.desired.groups_to_remove_without_exclusion;
      if (std::ranges::find(without, id) != without.end()) continue;
      for (std::size_t i = 0; i < k; ++i) {
        if (steps[i].action == Action::Exclude && has(steps[i], id)) return Removal{i, k, id};
      }
    }
  }
  return std::nullopt;
}

bool forget_exclusion(const Case& it, Broken& broken) {
  const auto found = removal(it, broken.steps);
  if (!found) return false;
  std::erase(broken.steps[found->exclude].targets, found->id);
  return true;
}

bool delete_early(const Case& it, Broken& broken) {
  const auto found = removal(it, broken.steps);
  if (!found) return false;
  // The exclude of groups that nobody sees is its own confirmation; the deletion follows at once.
  if (broken.steps[found->exclude].reconciler == Reconciler::RemoveProcessGroups) return false;
  broken.steps[found->deletion].at = broken.steps[found->exclude].at + 30;
  return true;
}

bool delete_before_exclusion(const Case& it, Broken& broken) {
  const auto found = removal(it, broken.steps);
  if (!found) return false;
  std::swap(broken.steps[found->exclude], broken.steps[found->deletion]);
  return true;
}

bool delete_unmarked(const Case& it, Broken& broken) {
  const auto deletion = position(broken.steps, Action::DeleteResources);
  if (!deletion) return false;
  for (const ProcessGroup& group : it.snapshot.groups) {
    const bool leaves = std::ranges::any_of(broken.steps, [&](const TraceStep& step) {
      return step.action == Action::MarkForRemoval && has(step, group.id);
    });
    if (leaves) continue;
    add_target(broken.steps[*deletion], group.id);
    return true;
  }
  return false;
}

bool mark_twice(const Case& /*it*/, Broken& broken) {
  const auto mark = position(broken.steps, Action::MarkForRemoval);
  if (!mark) return false;
  const TraceStep again = broken.steps[*mark];
  broken.steps.insert(broken.steps.begin() + static_cast<std::ptrdiff_t>(*mark), again);
  return true;
}

bool add_used_id(const Case& it, Broken& broken) {
  const auto added = position(broken.steps, Action::AddProcessGroup);
  if (!added) return false;
  add_target(broken.steps[*added], it.snapshot.groups.front().id);
  return true;
}

bool drop_early(const Case& /*it*/, Broken& broken) {
  const auto drop = position(broken.steps, Action::DropProcessGroup);
  const auto deletion = position(broken.steps, Action::DeleteResources);
  if (!drop || !deletion || *deletion > *drop) return false;
  const TraceStep step = broken.steps[*drop];
  broken.steps.insert(broken.steps.begin() + static_cast<std::ptrdiff_t>(*deletion), step);
  return true;
}

bool include_early(const Case& /*it*/, Broken& broken) {
  const auto include = position(broken.steps, Action::Include);
  const auto deletion = position(broken.steps, Action::DeleteResources);
  if (!include || !deletion || *deletion > *include) return false;
  const TraceStep step = broken.steps[*include];
  broken.steps.insert(broken.steps.begin() + static_cast<std::ptrdiff_t>(*deletion), step);
  return true;
}

bool coordinate_leaving(const Case& /*it*/, Broken& broken) {
  const auto change = position(broken.steps, Action::ChangeCoordinators);
  const auto mark = position(broken.steps, Action::MarkForRemoval);
  if (!change || !mark || *mark > *change) return false;
  add_target(broken.steps[*change], broken.steps[*mark].targets.front());
  return true;
}

bool takes_pods(const TraceStep& step) {
  return step.action == Action::DeletePod && step.reconciler == Reconciler::UpdatePods;
}

/// The pods of one zone do not come back before those of the next are taken.
bool leave_pods_away(const Case& it, Broken& broken) {
  const auto zone_of = [&](const std::string& id) {
    const ProcessGroup* group = it.snapshot.find(id);
    return group == nullptr ? std::string() : group->fault_domain;
  };
  std::optional<std::string> first;
  for (const TraceStep& step : broken.steps) {
    if (!takes_pods(step)) continue;
    for (const std::string& id : step.targets) {
      const ProcessGroup* group = it.snapshot.find(id);
      if (group == nullptr || !is_stateful(group->process_class)) continue;
      if (!first) first = zone_of(id);
      if (zone_of(id) == *first) continue;
      std::erase_if(broken.steps, [](const TraceStep& s) { return s.action == Action::CreatePod; });
      return true;
    }
  }
  return false;
}

/// Where a group is away, copies are missing for it, and come back with it: that is no fault of a
/// plan.
bool lack_copies(const Case& it, Broken& broken) {
  const bool is_explained = std::ranges::any_of(it.snapshot.groups, [](const ProcessGroup& group) {
    return group.is_marked() || group.processes.empty();
  });
  if (is_explained) return false;
  const bool takes = std::ranges::any_of(broken.steps, [](const TraceStep& step) {
    return takes_pods(step) || step.action == Action::DeleteResources;
  });
  broken.snapshot.database.is_given = true;
  broken.snapshot.database.replicas_remaining = {1};
  return takes;
}

std::optional<std::size_t> storage_exclude(const Case& it, const Steps& steps) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].action != Action::Exclude || steps[i].reconciler != Reconciler::ExcludeProcesses)
      continue;
    for (const std::string& id : steps[i].targets) {
      const ProcessGroup* group = it.snapshot.find(id);
      if (group != nullptr && group->process_class == ProcessClass::Storage) return i;
    }
  }
  return std::nullopt;
}

bool exclude_all(const Case& it, Broken& broken) {
  const auto exclude = storage_exclude(it, broken.steps);
  if (!exclude) return false;
  for (std::size_t i = 0; i <= *exclude; ++i) {
    if (broken.steps[i].action != Action::AddProcessGroup) continue;
    for (const std::string& id : broken.steps[i].targets) add_target(broken.steps[*exclude], id);
  }
  for (const ProcessGroup& group : it.snapshot.groups) {
    if (group.process_class == ProcessClass::Storage) add_target(broken.steps[*exclude], group.id);
  }
  return true;
}

bool keep_coordinators(const Case& it, Broken& broken) {
  int taken = 0;
  for (const TraceStep& step : broken.steps) {
    if (!takes_pods(step)) continue;
    for (const std::string& id : step.targets) {
      const ProcessGroup* group = it.snapshot.find(id);
      taken += group != nullptr && group->is_coordinator() ? 1 : 0;
    }
  }
  if (taken < 2) return false;
  std::erase_if(broken.steps,
                [](const TraceStep& s) { return s.action == Action::ChangeCoordinators; });
  return true;
}

bool replace_too_many(const Case& it, Broken& broken) {
  if (!it.desired.automation.max_concurrent_replacements) return false;
  for (TraceStep& step : broken.steps) {
    if (step.action != Action::MarkForRemoval ||
        step.reconciler != Reconciler::ReplaceMisconfiguredProcessGroups)
      continue;
    for (const ProcessGroup& group : it.snapshot.groups) add_target(step, group.id);
    return true;
  }
  return false;
}

/// The second recovery of the two comes right after the first, though the plan waits between them.
bool hurry(Broken& broken, Action action) {
  std::optional<std::size_t> before;
  for (std::size_t i = 0; i < broken.steps.size(); ++i) {
    TraceStep& step = broken.steps[i];
    if (step.action == action && before && broken.steps[i - 1].action == Action::Wait) {
      step.at = broken.steps[*before].at + 5;
      return true;
    }
    const bool recovers = step.action == Action::Exclude || step.action == Action::Include ||
                          step.action == Action::ChangeCoordinators ||
                          step.action == Action::KillProcesses;
    if (recovers) before = i;
  }
  return false;
}

std::vector<Mutation> all_mutations() {
  return {{"forget an exclusion", check_lives, forget_exclusion},
          {"delete too early", check_lives, delete_early},
          {"delete before the exclusion", check_lives, delete_before_exclusion},
          {"delete an unmarked group", check_lives, delete_unmarked},
          {"mark twice", check_lives, mark_twice},
          {"add a used ID", check_lives, add_used_id},
          {"drop too early", check_lives, drop_early},
          {"include too early", check_lives, include_early},
          {"coordinators that leave", check_lives, coordinate_leaving},
          {"two zones at once", check_copies, leave_pods_away},
          {"copies are missing", check_copies, lack_copies},
          {"no zones left", check_copies, exclude_all},
          {"quorum lost", check_quorum, keep_coordinators},
          {"too many exclusions", check_budgets, exclude_all},
          {"too many replacements", check_budgets, replace_too_many},
          {"exclusions in a hurry", check_recoveries,
           [](const Case&, Broken& b) { return hurry(b, Action::Exclude); }},
          {"inclusions in a hurry", check_recoveries,
           [](const Case&, Broken& b) { return hurry(b, Action::Include); }},
          {"restarts in a hurry", check_recoveries,
           [](const Case&, Broken& b) { return hurry(b, Action::KillProcesses); }}};
}

int complain(std::uint64_t seed, unsigned features, std::string_view text, const Steps& steps) {
  std::fprintf(stderr, "seed %llu, features %u: %s\n%s", static_cast<unsigned long long>(seed),
               features, std::string(text).c_str(), to_brief(steps).c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t seeds = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 300;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  std::vector<Mutation> mutations = all_mutations();
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    Random random(seed * 104729);
    const auto features = static_cast<unsigned>(random.below(kAll + 1U) & random.below(kAll + 1U));
    const Case it = make_case(seed, features);
    const PlanOptions options;
    const Simulation simulation = simulate(it.snapshot, it.desired, options);
    const auto found = find_broken_rules({it.snapshot, it.desired, options, simulation.steps});
    if (!found.empty()) return complain(seed, features, found.front(), simulation.steps);
    for (Mutation& mutation : mutations) {
      Broken broken{it.snapshot, simulation.steps};
      if (!mutation.apply(it, broken)) continue;
      std::vector<std::string> problems;
      mutation.check({broken.snapshot, it.desired, options, broken.steps}, problems);
      if (problems.empty()) {
        return complain(seed, features, "not found: " + std::string(mutation.name), broken.steps);
      }
      ++mutation.applied;
    }
  }
  int left_out = 0;
  for (const Mutation& mutation : mutations) {
    if (mutation.applied > 0) continue;
    std::fprintf(stderr, "never tried: %s\n", std::string(mutation.name).c_str());
    ++left_out;
  }
  if (left_out == 0) std::printf("%zu ways to break a plan are found\n", mutations.size());
  return left_out == 0 ? 0 : 1;
}
