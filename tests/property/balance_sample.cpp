// SPDX-License-Identifier: BSD-2-Clause
// What the search carries from step to step forgets nothing: from the state before every so many-th
// step of a long plan, a search that starts anew takes the same step. On a small cluster the plain
// search is asked, too.
//
// balance_sample [NODES INSTANCES PERIOD]: on a cluster of that size, without the plain search.
#include <cstdlib>
#include <iostream>
#include <string>

#include "ballast/core/random.hpp"
#include "ballast/ganeti/backend/text/text.hpp"
#include "ballast/ganeti/loading/pipeline.hpp"
#include "ballast/ganeti/moves/move.hpp"
#include "ballast/ganeti/search/balance/step_finder.hpp"

using namespace ballast;
using namespace ballast::ganeti;

namespace {

struct Size {
  std::uint64_t nodes;
  std::uint64_t instances;
  std::size_t period;
  bool asks_plain;
};

/// Nodes of two sizes, a few of them offline, so that sums drift and rules are lifted for some.
std::string random_cluster(const Size& size, Random& rnd) {
  std::string text = "g|uuid-g|preferred||\n\n";
  const std::uint64_t room = size.instances / size.nodes * 6;
  for (std::uint64_t n = 0; n < size.nodes; ++n) {
    const std::uint64_t share = n % 3 == 0 ? 2 : 1;
    const std::string memory = std::to_string(share * room * 4096);
    const std::string disk = std::to_string(share * room * 40960);
    text += "n" + std::to_string(n) + "|" + memory + "|0|" + memory + "|" + disk + "|" + disk +
            "|" + std::to_string(share * 16) + "|" + (n % 40 == 7 ? "Y" : "N") + "|uuid-g|" +
            std::to_string(share * 4) + "\n";
  }
  text += "\n";
  for (std::uint64_t i = 0; i < size.instances; ++i) {
    const std::uint64_t primary = rnd.below(size.nodes);
    const std::uint64_t secondary = (primary + 1 + rnd.below(size.nodes - 1)) % size.nodes;
    text += "i" + std::to_string(i) + "|" + std::to_string(512 * rnd.between(1, 8)) + "|" +
            std::to_string(5120 * rnd.between(1, 8)) + "|1|running|Y|n" + std::to_string(primary) +
            "|n" + std::to_string(secondary) + "|drbd|" +
            (rnd.chance(20) ? "svc:" + std::to_string(rnd.below(size.nodes)) : "") + "\n";
  }
  return text + "\nhtools:iextags:svc\n";
}

using Search = BalanceResult (*)(const Cluster&, const State&, const Part&, const BalanceOptions&,
                                 const StepSeen&);

bool takes(Search search, const Cluster& cluster, const State& state, const Part& part,
           const BalanceStep& step) {
  BalanceOptions options;
  options.max_length = 1;
  const BalanceResult one = search(cluster, state, part, options, {});
  return one.steps.size() == 1 && one.steps[0].instance == step.instance &&
         one.steps[0].move == step.move && one.steps[0].score == step.score;
}

bool holds(const Size& size, std::uint64_t seed) {
  Random rnd(seed);
  auto snapshot = read_text(random_cluster(size, rnd), "case", {});
  if (!snapshot || !run_pipeline(*snapshot, {})) return false;
  const Cluster& cluster = snapshot->cluster;
  const Part part = parts_of(cluster, snapshot->state).front();
  State now = snapshot->state;
  bool is_same = true;
  std::size_t asked = 0;
  const BalanceResult result =
      balance(cluster, snapshot->state, part, {}, [&](const BalanceStep& step, std::size_t index) {
        if (is_same && index % size.period == size.period - 1) {
          ++asked;
          is_same = takes(balance, cluster, now, part, step) &&
                    (!size.asks_plain || takes(balance_plainly, cluster, now, part, step));
          if (!is_same) std::cerr << "seed " << seed << ": step " << index + 1 << " differs\n";
        }
        auto effect = evaluate(cluster, now, step.instance, step.move, false);
        apply(now, step.instance, std::move(*effect));
      });
  std::cout << result.steps.size() << " steps, " << asked << " asked\n";
  return is_same && asked > 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4) {
    const auto number = [&](int i) { return std::strtoull(argv[i], nullptr, 10); };
    return holds({number(1), number(2), number(3), false}, 1) ? 0 : 1;
  }
  return holds({20, 140, 15, true}, 1) && holds({200, 1600, 20, false}, 2) ? 0 : 1;
}
