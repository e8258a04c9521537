// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

namespace ballast::plan {

/// What a way out takes, the least harmful first: nothing but patience or repair, machines or work,
/// a part of the wish, copies or members that could be lost without harm, service, data.
enum class Loss : std::uint8_t { None, Effort, Wish, Redundancy, Service, Data };

}  // namespace ballast::plan
