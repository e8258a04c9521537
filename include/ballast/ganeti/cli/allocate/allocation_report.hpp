// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "ballast/ganeti/report/explain/allocation.hpp"

namespace ballast::ganeti::cli {

/// One cause in words, with the wanted and the available figure and whose policy it is.
std::string cause_text(const Cluster& cluster, const Instance& wanted, const Refusal& refusal);

/// Why this candidate, which has a refusal, does not do.
std::string verdict_text(const Cluster& cluster, const Instance& wanted,
                         const CandidateVerdict& one);

/// What would have to change for the candidate that lacks least; empty where something fits.
std::string change_text(const Cluster& cluster, const Instance& wanted,
                        const AllocationExplanation& explanation);

/// The summary of -v: causes with the nodes where they apply, the smallest change, the migration
/// that would make room.
std::string explanation_summary(const Cluster& cluster, const Instance& wanted,
                                const AllocationExplanation& explanation);

/// All of a request's instances: the summaries, and with `tables` what --explain adds.
std::string request_explanation(const Cluster& cluster, const std::vector<InstanceExplanation>& all,
                                bool tables);

/// The table of --explain: one row per candidate.
std::string explanation_table(const Cluster& cluster, const Instance& wanted,
                              const AllocationExplanation& explanation);

}  // namespace ballast::ganeti::cli
