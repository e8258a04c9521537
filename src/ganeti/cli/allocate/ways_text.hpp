// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "ballast/ganeti/report/explain/allocation.hpp"

namespace ballast::ganeti::cli {

/// Lines of --explain: the options that would let the instance in, and how large it may be.
std::string ways_text(const Cluster& cluster, const Instance& wanted, const WaysIn& ways);

}  // namespace ballast::ganeti::cli
