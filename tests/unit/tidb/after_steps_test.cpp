// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/search/replay/after_steps.hpp"

#include "support/tidb_cluster.hpp"

#include <doctest/doctest.h>

using namespace ballast::tidb;
using namespace ballast::tidb::test;

namespace {

Line line_of(Action action, const std::string& pod) {
  Line line;
  line.action = action;
  line.component = Component::Tikv;
  line.set = "default";
  line.object = pod;
  return line;
}

}  // namespace

TEST_CASE("an update is complete once its last pod is ready") {
  Input input = input_from(request_for(values(3), values(3)));
  LiveSet* set = input.live.find(Component::Tikv, "default");
  REQUIRE(set != nullptr);
  set->current_revision = "one";
  set->update_revision = "two";
  for (LivePod& pod : set->pods) pod.updated = pod.ordinal != 2;
  set->pod(0)->ready = false;
  Outcome outcome;
  outcome.steps = {line_of(Action::RestartPod, "demo-tikv-2"),
                   line_of(Action::Wait, "demo-tikv-0")};
  const auto is_rolling = [&](std::size_t steps) {
    return after_steps(input, outcome, steps).live.find(Component::Tikv, "default")->rolling();
  };
  CHECK(is_rolling(0));
  CHECK(is_rolling(1));
  CHECK_FALSE(is_rolling(2));
}
