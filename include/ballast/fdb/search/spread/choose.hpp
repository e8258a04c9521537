// SPDX-License-Identifier: BSD-2-Clause
// The operator's choice of a spread-out subset of processes, for survivors of a shrink and for
// coordinators.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "ballast/core/result.hpp"

namespace ballast::fdb {

struct Candidate {
  std::string id;
  std::string zone;
  std::string data_center;
  std::string data_hall;
  int priority = 0;
  std::size_t group = 0;  ///< the caller's own
};

/// At most so many of one value; nothing: no limit but the count itself.
struct HardLimits {
  std::optional<int> zone;
  std::optional<int> data_center;
  std::optional<int> data_hall;
};

struct ChooseRules {
  bool uses_data_hall = false;
  std::string primary_data_center;  ///< sorted first where it is not empty
  HardLimits limits;
};

/// Positions in `candidates` in the order in which they were taken. Error: "Could only select k
/// processes, but n are required".
Result<std::vector<std::size_t>> choose(const std::vector<Candidate>& candidates, int count,
                                        const ChooseRules& rules);

}  // namespace ballast::fdb
