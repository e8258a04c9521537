// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/tables/machine_line.hpp"

#include <doctest/doctest.h>

using ballast::ganeti::cli::machine_line;

TEST_CASE("values of letters, digits and points stand bare") {
  CHECK(machine_line("P", "K", "5.87500000") == "P_K=5.87500000\n");
  CHECK(machine_line("P", "K", "") == "P_K=\n");
  CHECK(machine_line("P", "K", "b\xc3\xa4r") == "P_K=b\xc3\xa4r\n");
  CHECK(machine_line("P", "K", "uuid-g1") == "P_K='uuid-g1'\n");
  CHECK(machine_line("P", "K", "-800") == "P_K='-800'\n");
  CHECK(machine_line("P", "K", "it's") == "P_K='it's'\n");
}
