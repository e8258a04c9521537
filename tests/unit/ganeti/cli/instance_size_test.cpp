// SPDX-License-Identifier: BSD-2-Clause
#include "../../../../src/ganeti/cli/options/instance_size.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>

namespace ballast::ganeti::cli {
namespace {

TEST_CASE("disk, memory, vcpus, and one spindle unless said") {
  const auto size = read_instance_size("standard", "100g,4096,2");
  REQUIRE(size);
  CHECK(size->disk_mib == 100 * 1024);
  CHECK(size->memory_mib == 4096);
  CHECK(size->vcpus == 2);
  CHECK(size->spindles == 1);
  CHECK(read_instance_size("tiered", "1,2,3,0")->spindles == 0);
}

TEST_CASE("errors name the kind and the part") {
  for (const auto& [text, want] :
       {std::pair<std::string, std::string>{"1,2",
                                            "Invalid tiered specification: '1,2', expected "
                                            "disk,ram,cpu"},
        {"1,2,3,4,5",
         "Invalid tiered specification: '1,2,3,4,5', expected "
         "disk,ram,cpu"},
        {"", "Invalid tiered specification: '', expected disk,ram,cpu"}}) {
    CHECK(read_instance_size("tiered", text).error().message == want);
  }
  CHECK(
      read_instance_size("standard", "x,2,3").error().message.starts_with("standard specs disk: "));
  CHECK(read_instance_size("standard", "1,y,3")
            .error()
            .message.starts_with("standard specs memory: "));
  CHECK(read_instance_size("standard", "1,2,z").error().message.find("standard specs cpus") !=
        std::string::npos);
  CHECK(read_instance_size("standard", "1,2,3,s").error().message.find("standard specs spindles") !=
        std::string::npos);
}

}  // namespace
}  // namespace ballast::ganeti::cli
