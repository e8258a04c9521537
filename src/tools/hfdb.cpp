// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/cli/run.hpp"

int main(int argc, char** argv) { return ballast::cli::run_main(argc, argv, ballast::fdb::run); }
