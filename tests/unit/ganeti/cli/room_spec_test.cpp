// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/balance/room_spec.hpp"

#include <doctest/doctest.h>

#include <string_view>

namespace ballast::ganeti::cli {
namespace {

TEST_CASE("a room needs memory only, its parts stand in any order") {
  const auto small = parse_room("memory=512");
  REQUIRE(small);
  CHECK(to_string(*small) == "memory=512,disk=1024,vcpus=1,template=drbd");
  const auto all = parse_room("template=plain,vcpus=4,disk=2g,memory=1T");
  REQUIRE(all);
  CHECK(all->memory_mib == 953674);  // T is 10^12 bytes, t 2^40
  CHECK(all->disk_mib == 2048);
  CHECK(all->vcpus == 4);
  CHECK(all->disk_template == DiskTemplate::Plain);
}

TEST_CASE("what is told of a room reads back as the same") {
  for (const std::string_view text :
       {"memory=1", "memory=14g,disk=0", "memory=3g,vcpus=16,template=rbd",
        "memory=2g,template=diskless", "memory=7g,template=file"}) {
    const auto room = parse_room(text);
    REQUIRE(room);
    const auto again = parse_room(to_string(*room));
    REQUIRE(again);
    CHECK(to_string(*again) == to_string(*room));
  }
}

TEST_CASE("the part that cannot be read is named") {
  for (const std::string_view wrong : {"memory", "memory=", "memory=-1", "ram=5", "vcpus=0",
                                       "vcpus=2.5", "template=floppy", "", "disk=5x"}) {
    const auto room = parse_room("memory=1g," + std::string(wrong));
    REQUIRE_FALSE(room);
    CHECK(room.error().message == "cannot read '" + std::string(wrong) +
                                      "': expected memory=SIZE, disk=SIZE, vcpus=N or "
                                      "template=NAME");
  }
  CHECK(parse_room("disk=5g").error().message ==
        "'disk=5g' asks for no memory: expected memory=SIZE");
  CHECK(parse_room("memory=0").error().message ==
        "'memory=0' asks for no memory: expected memory=SIZE");
}

TEST_CASE("a mirrored disk takes its metadata, a diskless instance takes none") {
  const auto mirrored = instance_of(*parse_room("memory=1g,disk=10g"));
  REQUIRE(mirrored.disks.size() == 1);
  CHECK(mirrored.disk_mib == 10 * 1024 + 128);
  CHECK(instance_of(*parse_room("memory=1g,disk=10g,template=plain")).disk_mib == 10 * 1024);
  const auto diskless = instance_of(*parse_room("memory=1g,template=diskless"));
  CHECK(diskless.disks.empty());
  CHECK(diskless.disk_mib == 0);
}

}  // namespace
}  // namespace ballast::ganeti::cli
