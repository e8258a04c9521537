// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/moves/trial_state.hpp"

#include <doctest/doctest.h>

using namespace ballast::ganeti;

namespace {

State two_nodes() {
  State state;
  state.nodes.resize(2);
  state.placements.push_back({NodeId(0), NodeId(), 0});
  return state;
}

NodeState with_memory(std::int64_t mib) {
  NodeState node;
  node.inst_mem = mib;
  return node;
}

MoveEffect to_second() {
  MoveEffect effect;
  effect.nodes[0] = {NodeId(0), with_memory(1)};
  effect.nodes[1] = {NodeId(1), with_memory(2)};
  effect.count = 2;
  effect.placement = {NodeId(1), NodeId(), 0};
  return effect;
}

}  // namespace

TEST_CASE("what was done since a mark is taken back, the last first") {
  TrialState trial(two_nodes());
  trial.replace(NodeId(0), with_memory(5));
  const TrialState::Mark mark = trial.mark();
  trial.make(InstanceId(0), to_second());
  trial.add({NodeId(1), NodeId(0), 0});
  trial.replace(NodeId(1), with_memory(9));
  CHECK(trial.state().placements.size() == 2);
  CHECK(trial.state()[InstanceId(0)].primary == NodeId(1));

  std::vector<NodeId> back;
  trial.back_to(mark, [&](NodeId node) { back.push_back(node); });
  CHECK(back == std::vector<NodeId>{NodeId(1), NodeId(1), NodeId(0)});
  CHECK(trial.state().placements.size() == 1);
  CHECK(trial.state()[InstanceId(0)].primary == NodeId(0));
  CHECK(trial.state()[NodeId(0)].inst_mem == 5);
  CHECK(trial.state()[NodeId(1)].inst_mem == 0);
  trial.back_to(0);
  CHECK(trial.state()[NodeId(0)].inst_mem == 0);
}

TEST_CASE("what is forgotten stays") {
  TrialState trial(two_nodes());
  trial.add({NodeId(1), NodeId(), 0});
  trial.replace(NodeId(1), with_memory(3));
  trial.forget();
  CHECK(trial.mark() == 0);
  trial.back_to(0);
  const State state = trial.take();
  CHECK(state.placements.size() == 2);
  CHECK(state[NodeId(1)].inst_mem == 3);
}
