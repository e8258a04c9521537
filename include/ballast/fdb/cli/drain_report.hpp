// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "ballast/fdb/search/ask/drain.hpp"
#include "ballast/plan/plan.hpp"

namespace ballast::fdb {

/// Who leaves, in order, with bytes and step numbers, and whether the fault tolerance holds at each
/// moment; ends in a newline.
std::string drain_to_text(const Drain& drain);

/// The fault tolerance of each moment: "fault-tolerance" where it holds throughout, else one
/// "weak-moment" each.
std::vector<plan::CodedText> drain_notes(const Drain& drain);

}  // namespace ballast::fdb
