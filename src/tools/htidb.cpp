// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/cli/run.hpp"

int main(int argc, char** argv) { return ballast::cli::run_main(argc, argv, ballast::tidb::run); }
