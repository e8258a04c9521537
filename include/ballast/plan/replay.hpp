// SPDX-License-Identifier: BSD-2-Clause
// The frame of replay: steps of a plan applied one by one to a state, with the system's rules
// checked at each.
#pragma once

#include "ballast/plan/plan.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ballast::plan {

enum class ProblemKind {
  UnknownName,  ///< the step speaks of something that is not there
  OtherState,   ///< its subject is not as the step expects
  BrokenRule,   ///< the step would break a rule of the system
  NotAStep,     ///< what it asks for is nothing that this system can do in one step
};

struct Problem {
  ProblemKind kind = ProblemKind::OtherState;
  std::string text;
  friend bool operator==(const Problem&, const Problem&) = default;
};

struct StepProblem {
  int step = 0;  ///< 0: once all are made
  Problem problem;
  friend bool operator==(const StepProblem&, const StepProblem&) = default;
};

/// How much is left of something that must not run out; `left` - `required` orders them.
struct Margin {
  std::string what;  ///< "free memory", "free space", ...
  std::string where;
  std::int64_t left = 0;
  std::int64_t required = 0;
  std::string kind{};  ///< of which there is one weakest moment; empty: `what`
};

/// A state that steps can be applied to. A step is that of a plan, or what the engine of a planner
/// has recorded of one.
template <class AnyStep>
class StateOf {
 public:
  StateOf() = default;
  StateOf(const StateOf&) = delete;
  StateOf& operator=(const StateOf&) = delete;
  virtual ~StateOf() = default;

  /// Applies the step, or says why not.
  virtual std::optional<Problem> apply(const AnyStep& step) = 0;
  /// What is wrong once all steps are made, though each was right.
  [[nodiscard]] virtual std::optional<Problem> ending() const { return std::nullopt; }
  /// Least margin of each kind, now. Empty where the system has none.
  [[nodiscard]] virtual std::vector<Margin> margins() const { return {}; }
};

/// The state of a whole plan: what each system implements. A step that fails leaves it as it is.
class ReplayState : public StateOf<Step> {
 public:
  /// Of a step that takes its subject away (switches it off, reboots it, deletes it): the names of
  /// what would stop or be lost with it, as it is now. Empty where the step takes nothing away or
  /// nothing is there. `replay` refuses a step with something at stake. No default: a state that
  /// wraps another one must pass this on.
  [[nodiscard]] virtual std::vector<std::string> at_stake(const Step& step) = 0;
};

/// Keeps the moment at which least is left of each kind; of equal ones the first.
class WeakestMoments {
 public:
  /// `step` is done; none: before the first.
  void look(const std::vector<Margin>& margins, std::optional<int> step);
  /// In the order of first appearance.
  std::vector<Weakest> take() { return std::move(moments_); }

 private:
  void look_at(const Margin& margin, std::optional<int> step);

  std::vector<Weakest> moments_;
  std::vector<std::string> kinds_;
  std::vector<std::int64_t> slacks_;
};

struct ReplayReport {
  std::vector<StepProblem>
      problems;  ///< in order; a step that fails is left out of the following states
  std::vector<Weakest> weakest;  ///< one per kind of margin, in the order of first appearance
};

/// "step 3: TEXT" of each problem; "at the end: TEXT" of what the ending finds.
std::vector<std::string> lines_of(const ReplayReport& report);

inline int number_of(const Step& step, int /*place*/) { return step.n; }
template <class AnyStep>
int number_of(const AnyStep& /*step*/, int place) {
  return place;
}

/// Applies one step after the other; those of engines are numbered by their place, from 1. The
/// state is left as after the last one. Its ending counts where `is_whole`: nothing is blocked.
template <class Steps, class AnyStep>
ReplayReport replay_steps(Steps&& steps, StateOf<AnyStep>& state, bool is_whole) {
  ReplayReport report;
  WeakestMoments moments;
  moments.look(state.margins(), std::nullopt);
  int place = 0;
  for (const AnyStep& step : steps) {
    const int number = number_of(step, ++place);
    if (auto problem = state.apply(step)) {
      report.problems.push_back({number, std::move(*problem)});
    } else {
      moments.look(state.margins(), number);
    }
  }
  if (is_whole) {
    if (auto problem = state.ending()) report.problems.push_back({0, std::move(*problem)});
  }
  report.weakest = moments.take();
  return report;
}

/// The same for the steps of a plan; a step with something at stake is refused.
ReplayReport replay(const Plan& plan, ReplayState& state);

/// The moment with most unprotected things at once, from the plan alone; none where nothing is ever
/// unprotected.
std::optional<Weakest> least_redundancy(const Plan& plan);

/// Least redundancy, where there is any loss of it, and after it the margins that a replay found.
std::vector<Weakest> weakest_moments(const Plan& plan, std::vector<Weakest> margins);

}  // namespace ballast::plan
