// SPDX-License-Identifier: BSD-2-Clause
// The step-by-step search divides its work from a few thousand instances on: its steps and scores
// are the same to the last bit whatever the number of threads.
#include <cstdlib>
#include <iostream>
#include <string>

#include "ballast/core/random.hpp"
#include "ballast/ganeti/backend/text/text.hpp"
#include "ballast/ganeti/loading/pipeline.hpp"
#include "ballast/ganeti/search/balance/balance.hpp"

using namespace ballast;
using namespace ballast::ganeti;

namespace {

constexpr std::uint64_t kNodes = 60;
constexpr std::uint64_t kInstances = 5000;  // enough for three threads

std::string random_cluster(Random& rnd) {
  std::string text = "g|uuid-g|preferred||\n\n";
  for (std::uint64_t n = 0; n < kNodes; ++n) {
    text += "n" + std::to_string(n) + "|1000000|0|" + std::to_string(600000 + rnd.below(200000)) +
            "|10000000|5000000|900|N|uuid-g|4000\n";
  }
  text += "\n";
  for (std::uint64_t i = 0; i < kInstances; ++i) {
    const std::uint64_t primary = rnd.below(kNodes);
    const std::uint64_t secondary = (primary + 1 + rnd.below(kNodes - 1)) % kNodes;
    text += "i" + std::to_string(i) + "|" + std::to_string(512 * rnd.between(1, 8)) + "|" +
            std::to_string(1024 * rnd.between(1, 40)) + "|1|running|Y|n" + std::to_string(primary) +
            "|n" + std::to_string(secondary) + "|drbd|\n";
  }
  return text + "\n";
}

bool are_equal(const BalanceResult& a, const BalanceResult& b) {
  if (a.steps.size() != b.steps.size()) return false;
  for (std::size_t i = 0; i < a.steps.size(); ++i) {
    if (a.steps[i].instance != b.steps[i].instance || a.steps[i].move != b.steps[i].move ||
        a.steps[i].score != b.steps[i].score)
      return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 2;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    Random rnd(seed);
    auto snapshot = read_text(random_cluster(rnd), "case", {});
    if (!snapshot || !run_pipeline(*snapshot, {})) return 1;
    const Part part = parts_of(snapshot->cluster, snapshot->state).front();
    BalanceOptions options;
    options.max_length = 15;
    const BalanceResult alone = balance(snapshot->cluster, snapshot->state, part, options);
    for (const int threads : {2, 3}) {
      options.threads = threads;
      if (!alone.steps.empty() &&
          are_equal(alone, balance(snapshot->cluster, snapshot->state, part, options)))
        continue;
      std::cerr << "seed " << seed << ": other steps with " << threads << " threads\n";
      return 1;
    }
  }
  std::cout << count << " clusters\n";
  return 0;
}
