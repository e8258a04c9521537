// SPDX-License-Identifier: BSD-2-Clause
// What a step says besides its number, verb, subject and placement: one walk over it that every
// rendering prints, each in its own look.
#pragma once

#include "ballast/plan/plan.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ballast::report {

enum class FactKind { Target, Change, Why, Detail, Wait, Cost, Unprotected, Risk, Substep };

struct Fact {
  FactKind kind = FactKind::Detail;
  std::string text;  ///< one line, never empty
};

/// Subject and targets; neighbours of one kind and group are told together: "pod a, b, c
/// (storage)". Never empty.
std::vector<std::string> touched_texts(const plan::Step& step);

/// In the order in which they are read.
std::vector<Fact> facts_of(const plan::Step& step);
/// "also", "why", "waits for", ...; empty where the text needs none.
std::string_view word_of(FactKind kind);
/// Is it something that may cost data or service?
bool is_alarm(FactKind kind);

/// What is printed before a command: "run", "check", "watch", "undo"; "the operator runs" where
/// nobody else does.
std::string_view command_word(plan::System system, plan::CommandUse use);

/// Lines of a blocked entry below its own: who waits for whom, remedies with what they set and run
/// (indented by two blanks).
std::vector<std::string> blocked_lines(const plan::Blocked& blocked);

/// A list of a plan with its heading.
struct Section {
  std::string_view title;
  std::vector<std::string> lines;
};
/// What is said of the whole plan besides its figures, in order, empty ones left out: what is not
/// part of it, later, queues, assumptions, notes.
std::vector<Section> sections_of(const plan::Plan& plan);

/// Result, totals, score, weakest moments, peak: a line each.
std::vector<std::string> figure_lines(const plan::Plan& plan);
/// "node1: memory 60.0 of 64.0 GiB -> 52.0 of 64.0 GiB": what the plan changes in its summary.
std::vector<std::string> change_lines(const plan::Plan& plan);

}  // namespace ballast::report
