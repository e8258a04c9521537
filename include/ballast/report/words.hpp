// SPDX-License-Identifier: BSD-2-Clause
// How values read, in every rendering for people.
#pragma once

#include "ballast/core/units.hpp"
#include "ballast/core/value.hpp"
#include "ballast/plan/plan.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ballast::report {

using ballast::duration_text;
using ballast::size_text;

/// One line: texts as they are, lists joined by ", ", maps as "key value, key value".
std::string value_text(const Value& value);
/// "instance web1", "process group storage-1", with the group in parentheses where it has one.
std::string subject_text(const plan::Subject& subject);
/// What the system calls a phase: "job set", "pass", "phase".
std::string_view phase_word(plan::System system);
/// "n1, n2 -> n3, n1"; empty where the step says neither.
std::string placement_text(const plan::Step& step);
/// "spec.version: 7.1.26 -> 7.3.63"; a side that is not set says so.
std::string change_text(const plan::Change& change);
/// "MiB copied over which nodes, how long at least"; empty where nothing is known.
std::string cost_text(const plan::Cost& cost);
std::string wait_text(const plan::Wait& wait);
std::string reason_text(const plan::Reason& reason);
/// The text, behind its code where people look it up by that: TiDB's have a meaning of their own in
/// htidb(1).
std::string coded_text(plan::System system, const plan::CodedText& coded);
/// Code (as above), subject and text; the subject only where the text does not begin with it.
std::string warning_text(plan::System system, const plan::Warning& warning);
/// "danger: pod a: its data is lost (step 2)".
std::string warning_line(plan::System system, const plan::Warning& warning);
/// Dangers are met before the steps, in every rendering; the other warnings have their own place.
/// Both in the order of the plan.
std::vector<plan::Warning> dangers_of(const plan::Plan& plan);
std::vector<plan::Warning> other_warnings_of(const plan::Plan& plan);
/// "web1, db1: mirror of the disks, until step 7 is done": one line for what has the
/// same loss for the same time.
std::vector<std::string> unprotected_texts(const std::vector<plan::Unprotected>& unprotected);
/// "after step 4: free memory on n3: 512.0 MiB left, 1.0 GiB required"; empty where it was not
/// computed.
std::string weakest_text(const plan::Weakest& weakest);
/// "12 steps in 3 phases, 40.0 GiB to copy, at least 1 h 10 min; 2 added, 1 removed".
std::string totals_text(const plan::Plan& plan);
/// The plan's own headline, or one made of its totals; says so where there is nothing to do.
std::string headline_text(const plan::Plan& plan);
/// "tool version, made from fingerprint abc123..., now".
std::string origin_text(const plan::Plan& plan);
std::string_view outcome_text(plan::Outcome outcome);
std::string blocked_text(const plan::Blocked& blocked);
/// "replacements: 1 running of at most 1, 2 waiting: a, b".
std::string queue_text(const plan::Queue& queue);
std::string peak_text(const plan::Peak& peak);

/// Steps of one phase, in order: [first, last) indices.
struct PhaseRange {
  int phase = 0;
  std::size_t first = 0;
  std::size_t last = 0;
};
std::vector<PhaseRange> phases_of(const plan::Plan& plan);

/// Eight decimals, as the Ganeti tools print scores.
std::string score_text(double score);

/// Control characters of names and texts must not reach a terminal or a script: each becomes a
/// blank, line breaks too.
std::string one_line(std::string_view text);

}  // namespace ballast::report
