// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/backend/text/text.hpp"
#include "ballast/ganeti/loading/pipeline.hpp"
#include "ballast/ganeti/moves/move.hpp"
#include "ballast/ganeti/rules/placement_rules.hpp"
#include "ballast/ganeti/rules/prices.hpp"

#include <doctest/doctest.h>

using namespace ballast;
using namespace ballast::ganeti;

namespace {

Snapshot cluster_with(const std::string& tags) {
  const std::string text =
      "g|u|preferred||\n\n"
      "n1.x|65536|1024|52224|1000000|1000000|16|N|u|8|lic:a,rack:1|N|0\n"
      "n2.x|65536|1024|64512|1000000|1000000|16|N|u|8|lic:a,rack:1|N|0\n"
      "n3.x|65536|1024|64512|1000000|1000000|16|N|u|8|rack:2|N|0\n\n"
      "a.x|4096|10000|1|running|Y|n1.x||ext|lic:a,pair:1|1\n"
      "b.x|4096|10000|1|running|Y|n1.x||ext|pair:1,svc:s|1\n"
      "c.x|4096|10000|1|running|Y|n1.x||ext|svc:s|1\n\n" +
      tags + "\n";
  auto snapshot = read_text(text, "case", {});
  REQUIRE(snapshot);
  REQUIRE(run_pipeline(*snapshot, {}));
  const auto set = set_rules(*snapshot, rules_of_tags(snapshot->cluster));
  REQUIRE(set);
  return std::move(*snapshot);
}

constexpr InstanceId kA(0);
constexpr InstanceId kB(1);
constexpr InstanceId kC(2);
constexpr NodeId kN2(1);
constexpr NodeId kN3(2);

/// By that rule; None: it is not refused at all.
bool answers(const Snapshot& s, InstanceId id, NodeId to, Rule rule, bool force = false) {
  const auto effect = evaluate(s.cluster, s.state, id, {MoveKind::FailoverToAny, to}, force);
  return (effect ? Rule::None : effect.error().rule) == rule;
}

RuleSpec spec_of(RuleKind kind, Selection instances, Selection nodes = {}) {
  RuleSpec spec;
  spec.kind = kind;
  spec.name = "r";
  spec.instances = std::move(instances);
  spec.nodes = std::move(nodes);
  return spec;
}

void give(Snapshot& s, RuleSpec spec) { REQUIRE(set_rules(s, {std::move(spec)})); }

}  // namespace

TEST_CASE("without rules nothing is refused") {
  const Snapshot s = cluster_with("");
  CHECK(s.cluster.rules.empty());
  CHECK(answers(s, kA, kN3, Rule::None));
}

TEST_CASE("pins by tag hold, whatever is forced") {
  const Snapshot s = cluster_with("ballast:pin:lic");
  CHECK(answers(s, kA, kN3, Rule::Pinned));
  CHECK(answers(s, kA, kN3, Rule::Pinned, true));
  CHECK(answers(s, kA, kN2, Rule::None));
  CHECK(answers(s, kB, kN3, Rule::None));
}

TEST_CASE("a broken rule is named, and may be mended") {
  const Snapshot s = cluster_with("ballast:apart:svc");
  const auto breaches = breaches_of(s.cluster, s.state, whole_part(s.cluster));
  REQUIRE(breaches.size() == 1);
  CHECK((breaches[0].kind == RuleKind::Apart));
  CHECK((breaches[0].instances == std::vector{kB, kC}));
  CHECK(answers(s, kC, kN2, Rule::None));
}

TEST_CASE("what is kept together moves in joined steps only") {
  Snapshot s = cluster_with("ballast:together:pair");
  CHECK(answers(s, kA, kN2, Rule::KeptTogether));
  CHECK((companions_of(s.cluster, s.state, kA) == std::vector{kA, kB}));
  JoinedMoves joined;
  std::int32_t left = 2;
  MaybeRefusal parted;
  for (const InstanceId id : {kA, kB}) {
    const Move move{MoveKind::FailoverToAny, id == kA ? kN2 : kN3, left};
    auto effect = evaluate(s.cluster, s.state, id, move, false);
    REQUIRE(effect);
    joined.before(s.cluster, s.state, id, left--);
    apply(s.state, id, std::move(*effect));
    parted = joined.after(s.cluster, s.state);
    if (id == kA) CHECK_FALSE(parted);
  }
  REQUIRE(parted);
  CHECK((parted->rule == Rule::KeptTogether));
}

TEST_CASE("apart at locations counts racks") {
  Snapshot s = cluster_with("");
  RuleSpec spec = spec_of(RuleKind::Apart, {"b", "c"});
  spec.location = "rack";
  give(s, spec);
  CHECK(answers(s, kB, kN2, Rule::None));  // no worse: the same rack
  CHECK(answers(s, kB, kN3, Rule::None));
  auto effect = evaluate(s.cluster, s.state, kB, {MoveKind::FailoverToAny, kN3}, false);
  REQUIRE(effect);
  apply(s.state, kB, std::move(*effect));
  CHECK(breaches_of(s.cluster, s.state, whole_part(s.cluster)).empty());
  CHECK(answers(s, kC, kN3, Rule::KeptApart));
}

TEST_CASE("excluded nodes, kept instances, memory that stays") {
  Snapshot s = cluster_with("");
  give(s, spec_of(RuleKind::ExcludeNodes, {}, {"n2*"}));
  CHECK(answers(s, kA, kN2, Rule::NodeExcluded));
  CHECK(answers(s, kA, kN3, Rule::None));
  give(s, spec_of(RuleKind::KeepInstances, {"tag:svc:*"}));
  CHECK(answers(s, kB, kN3, Rule::InstanceKept));
  RuleSpec reserve = spec_of(RuleKind::ReserveMemory, {}, {"n3"});
  reserve.memory_mib = 61000;
  give(s, reserve);
  CHECK(answers(s, kA, kN3, Rule::MemoryReserve));
  CHECK(answers(s, kA, kN2, Rule::None));
}

TEST_CASE("a price is no refusal") {
  Snapshot s = cluster_with("");
  RuleSpec spec = spec_of(RuleKind::Apart, {"b", "c"});
  spec.price = 2;
  give(s, spec);
  CHECK(answers(s, kB, kN2, Rule::None));
  const Relocation leave{kB, &s.cluster[kB], s.state[kB], {kN2, NodeId(), 0}, false};
  const auto view = [&](NodeId node) -> const NodeState& { return s.state[node]; };
  CHECK(price_change(s.cluster, leave, view) == -2);
}

TEST_CASE("names that mean nothing are told") {
  Snapshot s = cluster_with("");
  RuleSpec spec = spec_of(RuleKind::Pin, {"a", "z*"}, {"n1", "n9"});
  spec.must_match = true;
  const auto warnings = set_rules(s, {spec});
  REQUIRE(warnings);
  CHECK((*warnings == std::vector<std::string>{"r: no instance is \"z*\"",
                                               "r: no node is \"n9\"; did you mean \"n1\"?"}));
  spec.group = "none";
  CHECK_FALSE(set_rules(s, {spec}));
}
