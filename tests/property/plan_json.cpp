// SPDX-License-Identifier: BSD-2-Clause
// property_plan_json [SEEDS] [FIRST_SEED]: plan -> JSON -> plan is the identity, for random plans.
// property_plan_json --print SEED STEPS: such a plan, for the check against the schema and for
// measurements.
#include "ballast/report/plan_json.hpp"

#include "support/plan_generator.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

using namespace ballast;

namespace {

bool survives(std::uint64_t seed, int steps) {
  const plan::Plan plan = test::PlanGenerator(seed).plan(steps);
  const std::string text = report::plan_to_json(plan);
  const auto read = report::plan_from_json(text, "plan.json");
  if (!read) {
    std::fprintf(stderr, "%s\n", to_string(read.error()).c_str());
    return false;
  }
  return read->plan == plan && read->seal_holds && report::plan_to_json(read->plan) == text;
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int index, std::uint64_t otherwise) {
    return index < argc ? std::strtoull(argv[index], nullptr, 10) : otherwise;
  };
  if (argc > 1 && std::string_view(argv[1]) == "--print") {
    const auto plan = test::PlanGenerator(number(2, 1)).plan(static_cast<int>(number(3, 8)));
    std::fputs(report::plan_to_json(plan).c_str(), stdout);
    return 0;
  }
  const std::uint64_t first = number(2, 1000);
  for (std::uint64_t seed = first; seed < first + number(1, 500); ++seed) {
    // The first size that fails is the smallest that this seed fails with.
    for (int steps = 0; steps <= 12; ++steps) {
      if (survives(seed, steps)) continue;
      std::fprintf(stderr, "not the same plan again: --print %llu %d\n",
                   static_cast<unsigned long long>(seed), steps);
      return 1;
    }
  }
  return 0;
}
