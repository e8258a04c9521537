// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "ballast/fdb/search/drain.hpp"

namespace ballast::fdb {

/// Who leaves, in order, with bytes and step numbers, and whether the fault tolerance holds at each
/// moment; ends in a newline.
std::string drain_to_text(const Drain& drain);

}  // namespace ballast::fdb
