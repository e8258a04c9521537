// SPDX-License-Identifier: BSD-2-Clause
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "ballast/ganeti/cli/health/what_if_report.hpp"
#include "support/ganeti_text.hpp"

using namespace ballast;
using namespace ballast::ganeti;
using ballast::ganeti::test::ClusterText;

namespace {

Snapshot two_groups() {
  ClusterText text;
  text.groups = "g|uuid-g|preferred||\nh|uuid-h|preferred||\n";
  const auto node = [](const std::string& name, const std::string& group,
                       const std::string& units) {
    return name + "|1000|0|1000|1000|1000|4|N|uuid-" + group + "|1||N|0|1|1.0|" + units + "\n";
  };
  text.nodes = node("a.x", "g", "5,9,file,/srv/x@b.x") + node("b.x", "g", "5,9,drbd8,v") +
               node("c.x", "h", "5,9,drbd8,v");
  return test::load(text);
}

std::string error_of(const std::vector<std::string>& texts) {
  const auto loss = ganeti::cli::read_loss(two_groups().cluster, texts);
  return loss ? "" : loss.error().message;
}

}  // namespace

TEST_CASE("nodes by their first word, groups by name or UUID, each once") {
  const Snapshot s = two_groups();
  const auto loss = ganeti::cli::read_loss(s.cluster, {"node=b", "group=g", "group=uuid-h"});
  REQUIRE(loss);
  CHECK(loss->nodes == std::vector<NodeId>{NodeId(0), NodeId(1), NodeId(2)});
  CHECK(loss->units.empty());
}

TEST_CASE("units everywhere or on one node; a key may hold an at sign") {
  const Snapshot s = two_groups();
  const auto loss =
      ganeti::cli::read_loss(s.cluster, {"unit=drbd/v", "unit=drbd8/v@c", "unit=file//srv/x@b.x"});
  REQUIRE(loss);
  REQUIRE(loss->units.size() == 3);
  CHECK(loss->units[0].node.is_none());
  CHECK(loss->units[1].node == test::node(s, "c.x"));
  CHECK(loss->units[2].node.is_none());
  CHECK(s.cluster[loss->units[2].unit].key == "/srv/x@b.x");
}

TEST_CASE("what is not there is named") {
  CHECK(error_of({"node=z"}).find("\"z\": no node of that name") != std::string::npos);
  CHECK(error_of({"node="}).find("\"\"") != std::string::npos);
  CHECK(error_of({"group=z"}).find("there are g, h") != std::string::npos);
  CHECK(error_of({"unit=drbd8/w"}).find("there are drbd8/v, file//srv/x@b.x") != std::string::npos);
  CHECK(error_of({"unit=drbd8/v@a"}).find("node a has no unit drbd8/v") != std::string::npos);
  CHECK(error_of({"a"}).find("expected node=NAME") != std::string::npos);
}
