// SPDX-License-Identifier: BSD-2-Clause
// The Ganeti tools: one function each, in one executable (htools.cpp).
#pragma once

#include "ballast/cli/run_main.hpp"

namespace ballast::tools {

int run_hbal(const cli::Invocation& invocation, cli::Streams& streams);
int run_hail(const cli::Invocation& invocation, cli::Streams& streams);
int run_hspace(const cli::Invocation& invocation, cli::Streams& streams);
int run_hcheck(const cli::Invocation& invocation, cli::Streams& streams);
int run_hinfo(const cli::Invocation& invocation, cli::Streams& streams);
int run_hroller(const cli::Invocation& invocation, cli::Streams& streams);
int run_hsqueeze(const cli::Invocation& invocation, cli::Streams& streams);
int run_hscan(const cli::Invocation& invocation, cli::Streams& streams);

}  // namespace ballast::tools
