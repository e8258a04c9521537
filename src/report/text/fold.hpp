// SPDX-License-Identifier: BSD-2-Clause
// What the steps of a long plan have in common is said once.
#pragma once

#include "ballast/plan/plan.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace ballast::report {

/// Steps `first` up to, not including, `last` (indexes) that are told together: neighbours that do
/// the same to the same group, all in one phase, or each in a phase of its own.
struct Chunk {
  std::size_t first = 0;
  std::size_t last = 0;
  bool one_phase = false;
};
std::vector<Chunk> chunks_of(const plan::Plan& plan);

/// The line of a step with what is its own left open: NAME for its subject, and the names of its
/// facts in capitals for their values (texts everywhere; numbers where the line names the fact).
std::string with_open_names(const std::string& line, const plan::Step& step);

}  // namespace ballast::report
