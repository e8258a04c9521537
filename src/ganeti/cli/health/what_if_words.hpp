// SPDX-License-Identifier: BSD-2-Clause
// The words that the text and the document of a what-if answer share.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "ballast/ganeti/search/redundancy/what_if.hpp"

namespace ballast::ganeti::cli {

struct FateWords {
  std::string_view key;      ///< in JSON: "fails_over"
  std::string_view verdict;  ///< in the table: "fails over"
  std::string_view one;      ///< in the summary: "1 fails over"
  std::string_view many;     ///< "2 fail over"
};
const FateWords& words_of(Fate fate);
inline constexpr std::array kFates{Fate::FailsOver, Fate::Restarts,    Fate::LosesMirror,
                                   Fate::Stuck,     Fate::Recreatable, Fate::Lost};

std::size_t count_of(const WhatIf& answer, Fate fate);
/// Instances that run, but on one copy of their disks.
std::size_t count_without_mirror(const WhatIf& answer);
/// "nodes alpha, bravo, unit drbd8/vg on carol"
std::string loss_text(const Cluster& cluster, const Loss& loss);
/// Why it does not run, or what to know about how it runs; one line without a period, may be empty.
std::string reason_text(const Cluster& cluster, const State& state, const Affected& affected);
/// "short of memory", "above the CPU ratio", "no longer N+1 happy", joined by ", ".
std::string strain_text(const Survivor& survivor);

}  // namespace ballast::ganeti::cli
