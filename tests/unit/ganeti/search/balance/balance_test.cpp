// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/balance/balance.hpp"
#include "ballast/ganeti/loading/pipeline.hpp"

#include <doctest/doctest.h>

#include <string>

#include "ballast/ganeti/backend/text/text.hpp"
#include "ballast/ganeti/score/metrics.hpp"
#include "ballast/ganeti/search/balance/step_finder.hpp"

using namespace ballast;
using namespace ballast::ganeti;

namespace {

Snapshot load(const std::string& nodes, const std::string& instances,
              const std::string& tags = "") {
  auto snapshot = read_text(
      "g|uuid-g|preferred||\n\n" + nodes + "\n" + instances + "\n" + tags + "\n", "test", {});
  REQUIRE(snapshot);
  REQUIRE(run_pipeline(*snapshot, {}));
  return std::move(*snapshot);
}

BalanceResult balance_all(const Snapshot& snapshot, const BalanceOptions& options = {}) {
  const Part part = part_of(snapshot.cluster, snapshot.state, GroupId(0));
  const BalanceResult fast = balance(snapshot.cluster, snapshot.state, part, options);
  const BalanceResult plain = balance_plainly(snapshot.cluster, snapshot.state, part, options);
  REQUIRE(fast.steps.size() == plain.steps.size());
  for (std::size_t i = 0; i < fast.steps.size(); ++i) {
    CHECK(fast.steps[i].instance == plain.steps[i].instance);
    CHECK(fast.steps[i].move == plain.steps[i].move);
    CHECK(fast.steps[i].score == plain.steps[i].score);
  }
  CHECK(fast.stop == plain.stop);
  const double scratch = full_score(snapshot.cluster, fast.state, part.nodes);
  CHECK((fast.score_after == scratch || scratch != scratch));  // NaN equals nothing
  return fast;
}

const std::string kThreeNodes =
    "n0|8192|0|4096|100000|80000|8|N|uuid-g|10\n"
    "n1|8192|0|8192|100000|80000|8|N|uuid-g|10\n"
    "n2|8192|0|8192|100000|100000|8|N|uuid-g|10\n";
const std::string kFourInstances =
    "i0|1024|5000|1|running|Y|n0|n1|drbd|\n"
    "i1|1024|5000|1|running|Y|n0|n1|drbd|\n"
    "i2|1024|5000|1|running|Y|n0|n1|drbd|\n"
    "i3|1024|5000|1|running|Y|n0|n1|drbd|\n";

}  // namespace

TEST_CASE("balance lowers the score at each step until nothing is left to gain") {
  const Snapshot snapshot = load(kThreeNodes, kFourInstances);
  const BalanceResult result = balance_all(snapshot);
  REQUIRE_FALSE(result.steps.empty());
  double last = result.score_before;
  for (const BalanceStep& step : result.steps) {
    CHECK(step.score < last);
    last = step.score;
  }
  CHECK(result.stop != BalanceStop::LengthLimit);
}

TEST_CASE("balance stops at the length limit") {
  BalanceOptions options;
  options.max_length = 1;
  const BalanceResult result = balance_all(load(kThreeNodes, kFourInstances), options);
  CHECK(result.steps.size() == 1);
  CHECK(result.stop == BalanceStop::LengthLimit);
}

TEST_CASE("a huge minimum score is reached at once") {
  BalanceOptions options;
  options.min_score = 1e9;
  CHECK(balance_all(load(kThreeNodes, kFourInstances), options).stop == BalanceStop::ScoreReached);
}

TEST_CASE("a mirrored instance without a secondary stops where the reference dies") {
  const BalanceResult result =
      balance_all(load(kThreeNodes, "i0|1024|5000|1|running|Y|n0||drbd|\n"));
  CHECK(result.stop == BalanceStop::ReferenceWouldDie);
}

TEST_CASE("a node without CPUs makes the score NaN, which nothing improves") {
  const std::string others = kThreeNodes.substr(kThreeNodes.find('\n') + 1);
  const BalanceResult result =
      balance_all(load("n0|8192|0|4096|100000|80000|0|N|uuid-g\n" + others, kFourInstances));
  CHECK(result.steps.empty());
}

TEST_CASE("shadow figures that equal the real ones only until a forthcoming instance moves") {
  const Snapshot snapshot = load(
      "n0|8192|128|8465|120000|87303|8|Y|uuid-g|10||N|0|1|1.0\n"
      "n1|8192|0|3456|120000|46343|8|N|uuid-g|10||N|0|1|1.0\n"
      "n2|8192|128|8064|120000|120000|8|N|uuid-g|10||N|0|2|1.0\n"
      "n3|8192|128|8064|120000|79040|8|Y|uuid-g|1||N|0|2|1.0\n"
      "n4|8192|128|4447|120000|120000|8|N|uuid-g|10||N|0|2|1.0\n"
      "n5|8192|0|8064|120000|120000|8|N|uuid-g|10||N|0|1|1.0\n",
      "i0|4096|40960|2|ADMIN_offline|Y|n4||ext||1|-|N\n"
      "i1|2048|40960|2|running|Y|n3|n0|drbd|x:0|2|-|Y\n"
      "i2|4096|40960|2|running|Y|n1|n3|drbd|x:0|0|-|N\n"
      "i3|512|32697|4|ADMIN_down|Y|n1|n0|drbd||1|-|N\n"
      "i4|2048|56003|2|running|Y|n4||sharedfile|x:2|1|-|Y\n");
  BalanceOptions options;
  options.min_gain = options.min_gain_limit = 0;
  options.max_length = 12;
  CHECK(balance_all(snapshot, options).steps.size() >= 5);
}

TEST_CASE("job sets are cut from the last step to the first") {
  const Snapshot snapshot = load(
      "n0|8192|0|4096|100000|80000|8|N|uuid-g\nn1|8192|0|4096|100000|80000|8|N|uuid-g\n"
      "n2|8192|0|4096|100000|80000|8|N|uuid-g\nn3|8192|0|4096|100000|80000|8|N|uuid-g\n",
      "i0|1024|5000|1|running|Y|n0||rbd|\ni1|1024|5000|1|running|Y|n2||rbd|\ni2|1024|5000|1|"
      "running|Y|n0||rbd|\n");
  const auto step = [](int instance, int from, int to) {
    BalanceStep s;
    s.instance = InstanceId(instance);
    s.before.primary = NodeId(from);
    s.after.primary = NodeId(to);
    return s;
  };
  const std::vector<BalanceStep> steps{step(0, 0, 1), step(1, 2, 3), step(2, 0, 1)};
  CHECK(job_sets(snapshot.cluster, steps) == std::vector<std::vector<std::size_t>>{{0}, {1, 2}});
  CHECK(job_sets(snapshot.cluster, {}).empty());
}
