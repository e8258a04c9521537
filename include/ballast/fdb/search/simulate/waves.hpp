// SPDX-License-Identifier: BSD-2-Clause
// A long plan in parts that people can follow, with the most room that each needs.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "ballast/fdb/search/simulate/simulate.hpp"
#include "ballast/plan/plan.hpp"

namespace ballast::fdb {

/// A stretch of passes that begins with the marks of groups to replace. A trace without such marks
/// is one wave.
struct Wave {
  std::size_t first = 0;  ///< positions in the trace: [first, last)
  std::size_t last = 0;
  Footprint peak;  ///< the most of each figure, by itself
};
/// Raises each figure of `peak` to that of `other`.
void raise(Footprint& peak, const Footprint& other);
/// "12 CPU, CPU of 5 pods unknown, 64.0 GiB memory, 1.0 TiB volumes".
std::string room_text(const Footprint& room);
std::vector<Wave> waves_of(const Simulation& simulation);
/// A note for each wave with its peak. `number` gives the number in the plan of the step that has
/// that place in the trace, from 1.
std::vector<plan::CodedText> wave_notes(const Simulation& simulation,
                                        const std::vector<Wave>& waves,
                                        const std::function<int(std::size_t)>& number);

}  // namespace ballast::fdb
