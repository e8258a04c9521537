// SPDX-License-Identifier: BSD-2-Clause
// Random clusters and wishes: every trace keeps the rules, ends, and is the same twice.
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ballast/core/random.hpp"
#include "ballast/fdb/backend/readers.hpp"
#include "ballast/fdb/model/counts.hpp"
#include "ballast/fdb/model/identity.hpp"
#include "ballast/fdb/search/check/second_opinion.hpp"
#include "ballast/fdb/search/plan/planner.hpp"
#include "ballast/fdb/search/spread/packing.hpp"

#include "support/fdb_cases.hpp"

namespace {

using namespace ballast;
using namespace ballast::fdb;
using namespace ballast::fdb_cases;

/// When the pod of each group was made that the snapshot lacks.
class Made {
 public:
  explicit Made(const Cluster& snapshot) : snapshot_(snapshot) {}
  void look_at(const TraceStep& step) {
    if (step.action != Action::CreatePod) return;
    for (const std::string& id : step.targets) {
      if (snapshot_.find(id) == nullptr) times_[id] = step.at;
    }
  }
  /// Its server was not seen yet: the operator takes it for empty, and nobody misses it.
  [[nodiscard]] bool is_unseen(const std::string& id, Time now) const {
    const auto found = times_.find(id);
    return found != times_.end() && found->second == now;
  }

 private:
  const Cluster& snapshot_;
  std::map<std::string, Time> times_;
};

/// Excludes leave at least (wanted - F) groups of a class that report and are not excluded.
std::string breaks_budget(const Case& it, const std::vector<TraceStep>& steps, bool is_healthy) {
  const PerClass<int> wanted = wanted_pods(it.desired);
  std::map<std::string, ProcessClass> alive;
  std::map<std::string, ProcessClass> classes;
  Made made(it.snapshot);
  for (const ProcessGroup& group : it.snapshot.groups) {
    classes[group.id] = group.process_class;
    if (!group.processes.empty()) alive[group.id] = group.process_class;
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    made.look_at(steps[i]);
    for (const std::string& id : steps[i].targets) {
      const auto parsed = parse_group_id(id);
      if (steps[i].action == Action::CreatePod && parsed) {
        const auto c = parse_process_class(parsed->class_name);
        if (c) alive[id] = *c;
      }
      if (steps[i].action == Action::Exclude) alive.erase(id);
    }
    if (steps[i].action != Action::Exclude) continue;
    PerClass<int> left{};
    for (const auto& entry : alive) ++left[index(entry.second)];
    for (const std::string& id : steps[i].targets) {
      if (made.is_unseen(id, steps[i].at)) continue;
      const auto parsed = parse_group_id(id);
      const auto c = parsed ? parse_process_class(parsed->class_name) : std::nullopt;
      if (c && is_healthy && left[index(*c)] < wanted[index(*c)] - 1) {
        return fmt::format("step {}: {} groups of {} are left, {} wanted", i + 1, left[index(*c)],
                           name(*c), wanted[index(*c)]);
      }
    }
  }
  return {};
}

std::string breaks_packing(const Case& it, const Simulation& simulation) {
  if (!it.desired.uses_distribution() || simulation.ending != Ending::Reconciled) return {};
  const PerClass<int> wanted = wanted_pods(it.desired);
  const int domains = it.desired.fault_domain.distribution.domains;
  for (std::size_t c = 0; c < kClassCount; ++c) {
    if (wanted[c] == 0) continue;
    std::vector<int> load(static_cast<std::size_t>(domains), 0);
    for (const Member& group : simulation.world.groups) {
      if (index(group.process_class) != c) continue;
      const auto domain = domain_of_key(group.process_class, group.fault_domain);
      if (!domain || *domain >= domains)
        return group.id + " has no wanted domain: " + group.fault_domain;
      ++load[static_cast<std::size_t>(*domain)];
    }
    for (const int n : load) {
      if (n < wanted[c] / domains || n > (wanted[c] + domains - 1) / domains) {
        return fmt::format("a domain of {} holds {} of {} groups over {}", name(class_at(c)), n,
                           wanted[c], domains);
      }
    }
  }
  return {};
}

std::string breaks_coordinators(const Case& it, const std::vector<TraceStep>& steps) {
  std::set<std::string> coordinators;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].action == Action::ChangeCoordinators)
      coordinators = {steps[i].targets.begin(), steps[i].targets.end()};
    // The next pod has another address: what the connection string names is gone.
    if (steps[i].action == Action::DeletePod && !it.desired.routing.dns_in_cluster_file) {
      for (const std::string& id : steps[i].targets) coordinators.erase(id);
    }
    if (steps[i].action != Action::Exclude) continue;
    for (const std::string& id : steps[i].targets) {
      const bool moves_next =
          i + 1 < steps.size() && steps[i + 1].action == Action::ChangeCoordinators;
      const bool is_stuck = steps.back().action == Action::Blocked;
      if (coordinators.contains(id) && !moves_next && !is_stuck)
        return id + " is excluded and stays a coordinator";
    }
  }
  return {};
}

/// Nothing leaves before its exclusion was issued and the recovery after it was over, unless the
/// operator takes it for empty (its pod was just made, and no server was seen) or was told to skip
/// the exclusion.
std::string breaks_exclusion(const Case& it, const std::vector<TraceStep>& steps, bool may_skip) {
  constexpr std::int64_t kVerification = 120;
  std::map<std::string, Time> excluded;
  Made made(it.snapshot);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    made.look_at(steps[i]);
    for (const std::string& id : steps[i].targets) {
      if (steps[i].action == Action::Exclude) excluded[id] = steps[i].at;
      if (steps[i].action != Action::DeleteResources || may_skip) continue;
      const auto found = excluded.find(id);
      if (found == excluded.end()) return fmt::format("step {}: {} was not excluded", i + 1, id);
      if (!made.is_unseen(id, found->second) && steps[i].at < found->second + kVerification)
        return fmt::format("step {}: {} leaves {} s after its exclusion", i + 1, id,
                           steps[i].at - found->second);
    }
  }
  return it.snapshot.groups.empty() ? "no groups" : "";
}

/// At no time are more groups on their way out for a new shape than the wish allows.
std::string breaks_limit(const Case& it, const std::vector<TraceStep>& steps) {
  const auto& limit = it.desired.automation.max_concurrent_replacements;
  if (!limit) return {};
  std::set<std::string> running;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const bool marks = steps[i].action == Action::MarkForRemoval &&
                       steps[i].reconciler == Reconciler::ReplaceMisconfiguredProcessGroups;
    for (const std::string& id : steps[i].targets) {
      if (marks) running.insert(id);
      if (steps[i].action == Action::Exclude) running.erase(id);
    }
    if (marks && static_cast<int>(running.size()) > *limit)
      return fmt::format("step {}: {} replacements at once, {} are allowed", i + 1, running.size(),
                         *limit);
  }
  return {};
}

/// Pods that are made anew one zone at a time never leave more than one zone short.
std::string breaks_tolerance(const Case& it, const std::vector<TraceStep>& steps) {
  if (it.desired.automation.deletion_mode != Mode::Zone) return {};
  std::map<std::string, std::string> zone_of;
  for (const ProcessGroup& group : it.snapshot.groups) zone_of[group.id] = group.fault_domain;
  std::map<std::string, std::string> down;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (const std::string& id : steps[i].targets) {
      if (steps[i].action == Action::DeletePod) down[id] = zone_of[id];
      if (steps[i].action == Action::CreatePod) down.erase(id);
    }
    std::set<std::string> zones;
    for (const auto& entry : down) zones.insert(entry.second);
    if (static_cast<int>(zones.size()) > it.desired.redundancy().fault_tolerance)
      return fmt::format("step {}: {} zones without their pods", i + 1, zones.size());
  }
  return {};
}

std::string breaks_ending(const Case& it, const Simulation& simulation) {
  if (simulation.ending != Ending::Reconciled) return {};
  PerClass<int> left{};
  for (const Member& group : simulation.world.groups) {
    if (group.is_marked()) return group.id + " is marked and still there at the end";
    ++left[index(group.process_class)];
  }
  const PerClass<int> wanted = wanted_pods(it.desired);
  for (std::size_t c = 0; c < kClassCount; ++c) {
    if (left[c] != wanted[c])
      return fmt::format("{} of {} groups of {} at the end", left[c], wanted[c], name(class_at(c)));
  }
  return {};
}

/// A healthy cluster whose own spec is the wish needs nothing.
std::string breaks_rest(const Case& it) {
  const Simulation simulation = simulate(it.snapshot, it.snapshot.spec, {});
  return simulation.steps.empty() ? "" : "steps without a wish:\n" + to_brief(simulation.steps);
}

/// Quiet passes leave nothing out that a full pass would do.
std::string breaks_shortcut(const Case& it, const Simulation& simulation) {
  PlanOptions every;
  every.runs_every_step = true;
  const Simulation full = simulate(it.snapshot, it.desired, every);
  if (to_brief(full.steps) != to_brief(simulation.steps) || full.passes != simulation.passes)
    return "differs without the shortcut through quiet passes";
  for (std::size_t i = 0; i < full.steps.size(); ++i) {
    const Footprint& a = full.steps[i].footprint;
    const Footprint& b = simulation.steps[i].footprint;
    if (a.pods != b.pods || a.pods_of_class != b.pods_of_class || a.cpu_milli != b.cpu_milli ||
        a.cpu_unknown_pods != b.cpu_unknown_pods || a.volume_bytes != b.volume_bytes)
      return fmt::format("step {}: another footprint without the shortcut", i + 1);
  }
  return {};
}

/// The same case gives the same plan to the last field, and its clock is the only one.
std::string breaks_repetition(std::uint64_t seed, unsigned features, const Case& it,
                              const Simulation& simulation) {
  const plan::Plan plan = make_plan(it.snapshot, it.desired, {}, 1).plan;
  if (!(make_plan(it.snapshot, it.desired, {}, 1).plan == plan)) return "differs the second time";
  constexpr Time kLater = 40'000'000;
  const Case later = make_case(seed, features, it.snapshot.now + kLater);
  const Simulation other = simulate(later.snapshot, later.desired, {});
  return to_brief(other.steps) == to_brief(simulation.steps) &&
                 other.world.now == simulation.world.now + kLater
             ? ""
             : "depends on a clock beside the snapshot's";
}

/// The weakest moments of the plan agree with a count of pods that are down, step by step.
std::string breaks_weakest(const Case& it, const Simulation& simulation) {
  const plan::Plan plan = make_plan(it.snapshot, it.desired, {}, 1).plan;
  std::map<std::string, std::string> down;
  std::set<std::string> excluded;
  std::optional<std::int64_t> least;
  for (const ProcessGroup& group : it.snapshot.groups) {
    if (is_stateful(group.process_class) && group.processes.empty())
      down[group.id] = group.fault_domain;
  }
  const auto look = [&] {
    std::set<std::string> zones;
    for (const auto& entry : down) zones.insert(entry.second);
    const auto left = it.desired.redundancy().fault_tolerance - static_cast<int>(zones.size());
    if (!zones.empty()) least = std::min<std::int64_t>(least.value_or(left), left);
  };
  look();
  for (const TraceStep& step : simulation.steps) {
    for (const std::string& id : step.targets) {
      const ProcessGroup* group = it.snapshot.find(id);
      if (step.action == Action::Exclude) excluded.insert(id);
      if (step.action == Action::CreatePod) down.erase(id);
      if (step.action == Action::DeleteResources && excluded.contains(id)) down.erase(id);
      const bool goes = step.action == Action::DeletePod ||
                        (step.action == Action::DeleteResources && !excluded.contains(id));
      if (goes && group != nullptr && is_stateful(group->process_class))
        down[id] = group->fault_domain;
    }
    if (step.action == Action::DeletePod || step.action == Action::DeleteResources) look();
  }
  for (const plan::Weakest& moment : plan.weakest) {
    if (moment.what != "redundancy") continue;
    return least && moment.left == Value(*least) ? "" : "another least redundancy than counted";
  }
  return least && !plan.steps.empty() ? "the least redundancy is not told" : "";
}

std::string problem_of(std::uint64_t seed, unsigned features) {
  const Case it = make_case(seed, features);
  const PlanOptions options;
  const Simulation simulation = simulate(it.snapshot, it.desired, options);
  const auto broken = find_broken_rules({it.snapshot, it.desired, options, simulation.steps});
  if (!broken.empty()) return broken.front();
  for (const TraceStep& step : simulation.steps) {
    if (step.gate == "no-convergence" || step.gate == "no-progress")
      return step.gate + ": " + step.observed;
  }
  if (auto text = breaks_repetition(seed, features, it, simulation); !text.empty()) return text;
  if (auto text = breaks_weakest(it, simulation); !text.empty()) return text;
  const bool is_healthy = (features & (kSick | kWithoutExclusion)) == 0;
  if (auto text = breaks_budget(it, simulation.steps, is_healthy); !text.empty()) return text;
  if (auto text = breaks_packing(it, simulation); !text.empty()) return text;
  if (auto text = breaks_exclusion(it, simulation.steps, !is_healthy); !text.empty()) return text;
  if (auto text = breaks_limit(it, simulation.steps); !text.empty()) return text;
  if (auto text = breaks_ending(it, simulation); !text.empty()) return text;
  if (auto text = breaks_shortcut(it, simulation); !text.empty()) return text;
  if (is_healthy) {
    if (auto text = breaks_tolerance(it, simulation.steps); !text.empty()) return text;
    if (auto text = breaks_rest(it); !text.empty()) return text;
  }
  return breaks_coordinators(it, simulation.steps);
}

unsigned shrink(std::uint64_t seed, unsigned features) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (unsigned bit = 1; bit < kAll; bit <<= 1U) {
      if ((features & bit) == 0 || problem_of(seed, features & ~bit).empty()) continue;
      features &= ~bit;
      smaller = true;
    }
  }
  return features;
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t seeds = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1500;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    Random random(seed * 7919);
    const auto features = static_cast<unsigned>(random.below(kAll + 1U) & random.below(kAll + 1U));
    const std::string problem = problem_of(seed, features);
    if (problem.empty()) continue;
    const unsigned least = shrink(seed, features);
    std::fprintf(stderr, "seed %llu, features %u: %s\n", static_cast<unsigned long long>(seed),
                 least, problem_of(seed, least).c_str());
    const Case it = make_case(seed, least);
    std::fputs(to_brief(simulate(it.snapshot, it.desired, {}).steps).c_str(), stderr);
    return 1;
  }
  std::printf("%llu plans hold\n", static_cast<unsigned long long>(seeds));
  return 0;
}
