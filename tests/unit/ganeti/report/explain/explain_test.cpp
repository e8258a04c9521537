// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/report/explain/explain.hpp"
#include "ballast/ganeti/loading/pipeline.hpp"

#include <doctest/doctest.h>

#include <string>

#include "ballast/ganeti/score/metrics.hpp"
#include "support/ganeti_text.hpp"

using namespace ballast;
using namespace ballast::ganeti;
using ballast::ganeti::test::ClusterText;

namespace {

struct Scene {
  explicit Scene(const ClusterText& text, const PipelineOptions& options = {})
      : snapshot(test::load(text, options)),
        part(part_of(snapshot.cluster, snapshot.state, GroupId(std::size_t{0}))) {}

  [[nodiscard]] Explanation of(const std::string& name, const BalanceOptions& options = {}) const {
    return explain(snapshot.cluster, snapshot.state, part, options, test::instance(snapshot, name));
  }

  [[nodiscard]] const ExplainedMove& find(const Explanation& explanation,
                                          const std::string& moves) const {
    for (const ExplainedMove& move : explanation.moves) {
      if (moves_text(snapshot.cluster, move.move, move.after) == moves) return move;
    }
    throw std::runtime_error("no move " + moves);
  }

  Snapshot snapshot;
  Part part;
};

/// db on a and b; c is empty but for what `more` puts there.
ClusterText three_nodes(const std::string& c_memory = "4096|61440", const std::string& more = "") {
  ClusterText text;
  const std::string tail = "|100000|50000|16|N|uuid-g|12||N|0|1|1.0\n";
  text.nodes =
      "a|65536|4096|50000" + tail + "b|65536|4096|61440" + tail + "c|65536|" + c_memory + tail;
  text.instances = "db|8192|10000|2|running|Y|a|b|drbd|x:1|1|-|N\n" + more;
  return text;
}

}  // namespace

TEST_CASE("every candidate is listed with the score that the search would see") {
  const Scene scene(three_nodes());
  const Explanation explanation = scene.of("db");
  REQUIRE(explanation.moves.size() == 5);
  CHECK(explanation.obstacles.empty());
  for (const ExplainedMove& move : explanation.moves) {
    REQUIRE_FALSE(move.refusal);
    State after = scene.snapshot.state;
    auto effect = evaluate(scene.snapshot.cluster, after, explanation.instance, move.move, false);
    REQUIRE(effect);
    CHECK(effect->placement.primary == move.after.primary);
    CHECK(effect->placement.secondary == move.after.secondary);
    apply(after, explanation.instance, std::move(*effect));
    CHECK(*move.score == full_score(scene.snapshot.cluster, after, scene.part.nodes));
  }
  CHECK(explanation.moves.front().copied_mib == 0);
  CHECK(scene.find(explanation, "r:c").copied_mib == 10000);
  CHECK_FALSE(explanation.best_forbidden);
}

TEST_CASE("N+1 is named with its figures and the instance because of which") {
  const std::string more =
      "hog|55000|1000|1|running|Y|c|b|drbd||1|-|N\nlight|1|1000|1|running|N|c|b|drbd||1|-|N\n";
  const Scene scene(three_nodes("4096|6440", more));
  const Explanation explanation = scene.of("db");
  const ExplainedMove& swap = scene.find(explanation, "f");
  REQUIRE(swap.refusal);
  CHECK(swap.why ==
        "N+1: 53248 MiB would be unallocated on b, more than 55000 MiB must be: hog (55000 MiB) "
        "would start there if c failed");
}

TEST_CASE(
    "a full unit is named with disk, wanted and free; moving another instance away is the smallest "
    "change") {
  ClusterText text;
  const std::string head = "|65536|4096|61440|100000|50000|16|N|uuid-g|12||N|0|1|1.0|";
  text.nodes = "a" + head + "9000,90000,drbd8,x\nb" + head + "9000,90000,drbd8,x\nc" + head +
               "5000,9000,drbd8,x\nd" + head + "3000,9000,drbd8,x\n";
  text.instances =
      "db|1024|8000|2|running|Y|a|b|drbd||1|-|N\n"
      "w1|512|3000|1|running|Y|c|a|drbd||1|-|N\n"
      "w2|512|1000|1|running|Y|c|a|drbd||1|-|N\n";
  const Scene scene(text);
  const Explanation explanation = scene.of("db");
  const ExplainedMove& move = scene.find(explanation, "r:c");
  REQUIRE(move.refusal);
  CHECK(move.why == "disk 0 needs 8000 MiB of drbd8/x, 5000 MiB free on c");
  REQUIRE(move.score);
  REQUIRE(explanation.best_forbidden);
  if (explanation.moves[*explanation.best_forbidden].move.target ==
      test::node(scene.snapshot, "c")) {
    CHECK(explanation.change->moves == 1);
    CHECK(explanation.change->copied_mib == 3000);
    CHECK(explanation.change->text.substr(0, 14) == "move w1 first:");
    CHECK_FALSE(explanation.change->commands.empty());
  } else {
    CHECK_FALSE(explanation.change);
  }
}

TEST_CASE("where the unit is nowhere else, a unit there would help") {
  ClusterText text;
  const std::string head = "|65536|4096|61440|100000|50000|16|N|uuid-g|12||N|0|1|1.0|";
  text.nodes = "a" + head + "9000,90000,drbd8,x\nb" + head + "9000,90000,drbd8,x\nc" + head +
               "5000,9000,drbd8,y\n";
  text.instances = "db|1024|8000|2|running|Y|a|b|drbd||1|-|N\n";
  PipelineOptions options;
  options.default_storage = {{"drbd8", "x"}};
  const Scene scene(text, options);
  const Explanation explanation = scene.of("db");
  CHECK(scene.find(explanation, "r:c").why ==
        "disk 0 needs 8000 MiB of drbd8/x, no such unit on c");
  CHECK(explanation_text(scene.snapshot.cluster, explanation)
            .find("Smallest change that allows it: a storage unit drbd8/x on c") !=
        std::string::npos);
}

TEST_CASE("the CPU ratio can be raised") {
  ClusterText text = three_nodes();
  text.instances = "db|8192|10000|64|running|Y|a|b|drbd|x:1|1|-|N\n";
  const Scene scene(text);
  const Explanation explanation = scene.of("db");
  CHECK(scene.find(explanation, "f").why ==
        "vcpu ratio would be 4.06 on b, at most 4.00 by policy of group g");
  CHECK(explanation.change->text == "--max-cpu=4.07");
  CHECK(explanation.change->settings == 1);
}

TEST_CASE("an exclusion tag can be taken off") {
  ClusterText text = three_nodes(
      "4096|61440",
      "other|1|1|1|running|N|b||file|x:1|1|-|N\nthird|1|1|1|running|N|c||file|x:1|1|-|N\n");
  text.tags = "htools:iextags:x\n";
  const Scene scene(text);
  const Explanation explanation = scene.of("db");
  CHECK(scene.find(explanation, "f").why == "exclusion tag x:1: other with the same tag is on b");
  CHECK(explanation.change->text == "without tag x:1 on db");
}

TEST_CASE("migration can be allowed between tags") {
  ClusterText text = three_nodes();
  text.nodes.replace(text.nodes.find("12||N"), 5, "12|v:1|N");
  for (int i = 0; i < 2; ++i) text.nodes.replace(text.nodes.find("12||N"), 5, "12|v:2|N");
  text.tags = "htools:migration:v\n";
  const Scene scene(text);
  const Explanation explanation = scene.of("db");
  CHECK(scene.find(explanation, "f").why == "migration: b cannot receive v:1");
  CHECK(explanation.change->text == "cluster tag htools:allowmigration:v:1::v:2");
}

TEST_CASE("a reserve or a low-water mark can be lowered") {
  Scene reserved(three_nodes());
  REQUIRE(set_reserves(reserved.snapshot, {{std::nullopt, 45000}}));
  const Explanation by_reserve = reserved.of("db");
  CHECK(reserved.find(by_reserve, "r:c").why ==
        "reserve: 40000 MiB of disk would be left on c, 45000 MiB must stay free");
  REQUIRE(by_reserve.change);
  CHECK(by_reserve.change->text == "--reserve=40000");
  Scene low(three_nodes());
  set_min_disk(low.snapshot, 0.45);
  const Explanation by_mark = low.of("db");
  CHECK(low.find(by_mark, "r:c").why ==
        "--min-disk: 40000 MiB of disk would be left on c, 45000 MiB must stay free");
  REQUIRE(by_mark.change);
  CHECK(by_mark.change->text == "--min-disk=0.4");
}

TEST_CASE("obstacles say why the balancer does not look at an instance") {
  const Scene scene(three_nodes("4096|61440", "p|1|1|1|running|N|c||plain||1|-|N\n"));
  const Explanation explanation = scene.of("p");
  CHECK(explanation.moves.empty());
  CHECK(explanation.obstacles ==
        std::vector<std::string>{
            "disk template plain: its disks are on one node only, balancing cannot move it",
            "its auto-balance flag is off"});
  CHECK(explanation_text(scene.snapshot.cluster, explanation).find("There is no move to try.") !=
        std::string::npos);
}

TEST_CASE("offline nodes are one line each") {
  Scene scene(three_nodes());
  REQUIRE(set_offline(scene.snapshot, {"c"}));
  const Explanation explanation = scene.of("db");
  REQUIRE(explanation.moves.size() == 2);
  CHECK(explanation.moves[1].why == "c is offline");
  CHECK_FALSE(explanation.moves[1].score);
}

TEST_CASE("the value holds the same as the text, sizes in bytes") {
  const Scene scene(three_nodes());
  const Value value = explanation_value(scene.snapshot.cluster, scene.of("db"));
  REQUIRE(value.find("moves") != nullptr);
  const ValueList& moves = *value.find("moves")->get<ValueList>();
  REQUIRE(moves.size() == 5);
  CHECK(*moves[1].find("bytes")->get<std::int64_t>() == 10000LL * 1024 * 1024);
  CHECK(*moves[1].find("allowed")->get<bool>());
  CHECK(value.find("change") == nullptr);
}
