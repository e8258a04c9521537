// SPDX-License-Identifier: BSD-2-Clause
// Any state that a plan passes through is a normal snapshot: planning again from the files of the
// state after each step breaks no rule, finds no block that the first plan lacked, and ends alike.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>

#include "ballast/fdb/search/check/second_opinion.hpp"
#include "ballast/fdb/search/plan/planner.hpp"

#include "support/fdb_files.hpp"

namespace {

using namespace ballast;
using namespace ballast::fdb;
using namespace ballast::fdb_files;

std::set<std::string> gates(const Simulation& simulation) {
  std::set<std::string> list;
  for (const TraceStep& step : simulation.steps) {
    if (step.action == Action::Blocked) list.insert(step.gate);
  }
  return list;
}

/// How the cluster is in the end, apart from IDs and times.
std::string end_text(const Simulation& simulation) {
  const World& world = simulation.world;
  std::string text;
  PerClass<int> groups{};
  PerClass<std::set<int>> servers{};
  std::set<std::string> conditions;
  int marked = 0;
  int different = 0;
  for (const Member& group : world.groups) {
    marked += group.is_marked() ? 1 : 0;
    if (group.is_marked()) continue;
    ++groups[index(group.process_class)];
    if (group.pod) servers[index(group.process_class)].insert(group.pod->servers);
    different += group.pod && group.pod->spec_differs ? 1 : 0;
    for (std::size_t i = 0; i < kConditionCount; ++i) {
      if (group.conditions.has(static_cast<Condition>(i)))
        conditions.insert(std::string(name(static_cast<Condition>(i))));
    }
  }
  for (std::size_t c = 0; c < kClassCount; ++c) {
    if (groups[c] == 0) continue;
    text += fmt::format("{} {} of", groups[c], name(class_at(c)));
    for (const int n : servers[c]) text += fmt::format(" {}", n);
    text += "; ";
  }
  text += fmt::format("{} marked, {} different, {} coordinators, {}, {}", marked, different,
                      world.db.coordinators.size(), to_string(world.status.running_version),
                      world.db.configuration ? world.db.configuration->redundancy_mode : "");
  for (const std::string& condition : conditions) text += ", " + condition;
  return text;
}

std::string trouble(const Loaded& loaded, const Simulation& simulation) {
  const auto broken = find_broken_rules({loaded.snapshot, loaded.desired, {}, simulation.steps});
  if (!broken.empty()) return broken.front();
  for (const TraceStep& step : simulation.steps) {
    if (step.gate == "no-convergence" || step.gate == "no-progress")
      return step.gate + ": " + step.observed;
  }
  return {};
}

struct Failure {
  std::string text;
  std::string traces;
};

Failure compare(const Folder& folder, const Loaded& loaded, const Simulation& first, int serial) {
  const StateFiles files = state_files(loaded, *first.world.captures.taken.at(serial));
  const auto again = load_files(folder, files, {});
  if (!again) return {"the state is refused: " + again.error(), {}};
  const Simulation second = simulate(again->snapshot, again->desired, {});
  const auto fail = [&](std::string text) {
    return Failure{std::move(text),
                   "first:\n" + to_brief(first.steps) + "second:\n" + to_brief(second.steps)};
  };
  if (auto text = trouble(*again, second); !text.empty()) return fail(text);
  const auto known = gates(first);
  for (const std::string& gate : gates(second)) {
    if (!known.contains(gate)) return fail("a new block: " + gate);
  }
  if (first.ending != Ending::Blocked && second.ending == Ending::Blocked)
    return fail("is blocked");
  if (!known.empty()) return {};  // what stops the first plan may have been passed before
  if (end_text(first) != end_text(second))
    return fail(fmt::format("another end:\n  {}\n  {}", end_text(first), end_text(second)));
  return {};
}

Failure failure_of(const Folder& folder, std::uint64_t seed, unsigned features, int& states) {
  const FileCase it = make_file_case(folder, seed, features);
  const auto loaded = load_files(folder, it.files, it.sets);
  if (!loaded) return {"the case is refused: " + loaded.error(), {}};
  const Simulation dry = simulate(loaded->snapshot, loaded->desired, {});
  if (auto text = trouble(*loaded, dry); !text.empty()) return {text, to_brief(dry.steps)};
  std::set<int> serials;
  for (const TraceStep& step : dry.steps) {
    if (step.action != Action::Blocked) serials.insert(step.serial);
  }
  const Simulation first = simulate(loaded->snapshot, loaded->desired, {}, serials);
  int number = 0;
  for (const TraceStep& step : first.steps) {
    ++number;
    if (step.action == Action::Blocked) continue;
    if (!first.world.captures.taken.contains(step.serial))
      return {fmt::format("step {} has no state", number), to_brief(first.steps)};
    Failure failure = compare(folder, *loaded, first, step.serial);
    ++states;
    if (failure.text.empty()) continue;
    failure.text = fmt::format("after step {}: {}", number, failure.text);
    return failure;
  }
  return {};
}

unsigned shrink(const Folder& folder, std::uint64_t seed, unsigned features) {
  int ignored = 0;
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (unsigned bit = 1; bit < kAll; bit <<= 1U) {
      if ((features & bit) == 0 || failure_of(folder, seed, features & ~bit, ignored).text.empty())
        continue;
      features &= ~bit;
      smaller = true;
    }
  }
  return features;
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t seeds = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const Folder folder("fdb-states");
  int states = 0;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    Random random(seed * 7919);
    auto features = static_cast<unsigned>(random.below(kAll + 1U) & random.below(kAll + 1U));
    if (random.below(2) == 0) features &= static_cast<unsigned>(random.below(kAll + 1U));
    if (failure_of(folder, seed, features, states).text.empty()) continue;
    const unsigned least = shrink(folder, seed, features);
    const Failure failure = failure_of(folder, seed, least, states);
    std::fprintf(stderr, "seed %llu, features %u: %s\n", static_cast<unsigned long long>(seed),
                 least, failure.text.c_str());
    for (const std::string& set : make_file_case(folder, seed, least).sets)
      std::fprintf(stderr, "  --set '%s'\n", set.c_str());
    std::fputs(failure.traces.c_str(), stderr);
    return 1;
  }
  std::printf("%llu plans hold, planned again from %d states\n",
              static_cast<unsigned long long>(seeds), states);
  return 0;
}
