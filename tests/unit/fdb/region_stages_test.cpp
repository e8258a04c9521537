// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/model/region_stages.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "ballast/fdb/model/counts.hpp"

using namespace ballast::fdb;

namespace {

/// "dc1+dc2" is a region with the satellite dc2.
Region region(const std::string& text, int priority) {
  const auto plus = text.find('+');
  Region result{{{text.substr(0, plus), priority, false}}, 0, ""};
  if (plus != std::string::npos) {
    result.data_centers.push_back({text.substr(plus + 1), 1, true});
    result.satellite_logs = 3;
    result.satellite_redundancy_mode = "one_satellite_double";
  }
  return result;
}

DatabaseConfiguration configuration(int usable_regions, std::vector<Region> regions, int logs) {
  DatabaseConfiguration result;
  result.usable_regions = usable_regions;
  result.regions = std::move(regions);
  result.logs = logs;
  return result;
}

/// "2: dc1+dc2=1 dc3+dc4=-1 logs 3" for each stage up to the wanted configuration.
std::vector<std::string> stages(DatabaseConfiguration live, const DatabaseConfiguration& wanted) {
  std::vector<std::string> texts;
  while (!(live == wanted) && texts.size() < 12) {
    live = next_configuration(live, wanted);
    std::string text = std::to_string(live.usable_regions) + ":";
    for (const Region& r : live.regions) {
      text += " " + r.data_centers[0].id;
      if (r.data_centers.size() > 1) text += "+" + r.data_centers[1].id;
      text += "=" + std::to_string(r.data_centers[0].priority);
    }
    texts.push_back(text + " logs " + std::to_string(live.logs));
  }
  return texts;
}

using Stages = std::vector<std::string>;

const DatabaseConfiguration kNone = configuration(1, {}, 3);
const DatabaseConfiguration kBare = configuration(1, {region("dc1", 1)}, 3);
const DatabaseConfiguration kOne = configuration(1, {region("dc1+dc2", 1)}, 3);
const DatabaseConfiguration kTwo =
    configuration(2, {region("dc1+dc2", 1), region("dc3+dc4", 0)}, 3);

DatabaseConfiguration with_logs(DatabaseConfiguration wanted) {
  wanted.logs = 5;
  return wanted;
}

}  // namespace

TEST_CASE("regions: none to none, one and two") {
  CHECK(stages(kNone, with_logs(kNone)) == Stages{"1: logs 5"});
  CHECK(stages(kNone, with_logs(kOne)) == Stages{"1: dc1+dc2=1 logs 3", "1: dc1+dc2=1 logs 5"});
  CHECK(stages(kNone, with_logs(kTwo)) ==
        Stages{"1: dc1+dc2=1 dc3+dc4=-1 logs 3", "2: dc1+dc2=1 dc3+dc4=-1 logs 3",
               "2: dc1+dc2=1 dc3+dc4=0 logs 3", "2: dc1+dc2=1 dc3+dc4=0 logs 5"});
}

TEST_CASE("regions: one to none, one and two") {
  CHECK(stages(kOne, with_logs(kNone)) == Stages{"1: logs 3", "1: logs 5"});
  CHECK(stages(kBare, with_logs(kOne)) == Stages{"1: dc1+dc2=1 logs 3", "1: dc1+dc2=1 logs 5"});
  CHECK(stages(kBare, with_logs(kTwo)) ==
        Stages{"1: dc1+dc2=1 dc3+dc4=-1 logs 3", "2: dc1+dc2=1 dc3+dc4=-1 logs 3",
               "2: dc1+dc2=1 dc3+dc4=0 logs 3", "2: dc1+dc2=1 dc3+dc4=0 logs 5"});
}

TEST_CASE("regions: one to another one goes over both") {
  const DatabaseConfiguration other = configuration(1, {region("dc3", 1)}, 3);
  CHECK(stages(kBare, other) == Stages{"1: dc1=1 dc3=-1 logs 3", "2: dc1=1 dc3=-1 logs 3",
                                       "2: dc1=-1 dc3=1 logs 3", "1: dc1=-1 dc3=1 logs 3",
                                       "1: dc3=1 logs 3"});
}

TEST_CASE("regions: two to none, one and other two") {
  CHECK(stages(kTwo, with_logs(kNone)) ==
        Stages{"2: dc1=1 dc3=-1 logs 3", "1: dc1=1 dc3=-1 logs 3", "1: logs 3", "1: logs 5"});
  CHECK(stages(kTwo, with_logs(kOne)) == Stages{"2: dc1+dc2=1 dc3=-1 logs 3",
                                                "1: dc1+dc2=1 dc3=-1 logs 3", "1: dc1+dc2=1 logs 3",
                                                "1: dc1+dc2=1 logs 5"});
  const DatabaseConfiguration swapped =
      configuration(2, {region("dc1+dc2", 0), region("dc3+dc4", 1)}, 3);
  CHECK(stages(kTwo, with_logs(swapped)) ==
        Stages{"2: dc1+dc2=0 dc3+dc4=1 logs 3", "2: dc1+dc2=0 dc3+dc4=1 logs 5"});
}
