// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/capacity/capacity.hpp"

#include <doctest/doctest.h>

#include "../../../../../src/ganeti/search/capacity/filler.hpp"
#include "../../../../../src/ganeti/search/capacity/finder.hpp"

using namespace ballast::ganeti;
namespace alloc = ballast::ganeti::alloc;

TEST_CASE("a size shrinks by the step of the reason, down to one step") {
  const InstanceSize size{128, 512, 2, 2};
  CHECK(alloc::shrunk(size, FailReason::Mem) == InstanceSize{64, 512, 2, 2});
  CHECK(alloc::shrunk(size, FailReason::Disk) == InstanceSize{128, 256, 2, 2});
  CHECK(alloc::shrunk(size, FailReason::Cpu) == InstanceSize{128, 512, 1, 2});
  CHECK(alloc::shrunk(size, FailReason::Spindles) == InstanceSize{128, 512, 2, 1});
  CHECK_FALSE(alloc::shrunk({64, 256, 1, 1}, FailReason::Mem));
  CHECK_FALSE(alloc::shrunk({64, 256, 1, 1}, FailReason::Disk));
  CHECK_FALSE(alloc::shrunk({64, 256, 1, 1}, FailReason::Cpu));
  CHECK_FALSE(alloc::shrunk({64, 256, 1, 1}, FailReason::Spindles));
}

TEST_CASE("no size answers a redundancy test or a tag") {
  const InstanceSize size{1024, 1024, 4, 4};
  for (const FailReason reason :
       {FailReason::N1, FailReason::Tags, FailReason::Mig, FailReason::DiskCount})
    CHECK_FALSE(alloc::shrunk(size, reason));
}

TEST_CASE("of equally frequent reasons the later one comes last") {
  ReasonCounts counts{};
  counts[static_cast<std::size_t>(FailReason::Mem)] = 3;
  counts[static_cast<std::size_t>(FailReason::Cpu)] = 3;
  CHECK(alloc::by_frequency(counts).back() == FailReason::Cpu);
  CHECK(alloc::by_frequency(ReasonCounts{}).back() == FailReason::Internal);
}
