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
  int step = 0;
  Problem problem;
  friend bool operator==(const StepProblem&, const StepProblem&) = default;
};

/// How much is left of something that must not run out; `left` - `required` orders them.
struct Margin {
  std::string what;  ///< "free memory", "free space", ...
  std::string where;
  std::int64_t left = 0;
  std::int64_t required = 0;
};

/// A state that steps can be applied to: what each system implements.
class ReplayState {
 public:
  ReplayState() = default;
  ReplayState(const ReplayState&) = delete;
  ReplayState& operator=(const ReplayState&) = delete;
  virtual ~ReplayState() = default;

  /// Applies the step, or leaves the state as it is and says why not.
  virtual std::optional<Problem> apply(const Step& step) = 0;
  /// Of a step that takes its subject away (switches it off, reboots it, deletes it): the names of
  /// what would stop or be lost with it, as it is now. Empty where the step takes nothing away or
  /// nothing is there. `replay` refuses a step with something at stake. No default: a state that
  /// wraps another one must pass this on.
  [[nodiscard]] virtual std::vector<std::string> at_stake(const Step& step) = 0;
  /// Least margin of each kind, now. Empty where the system has none.
  [[nodiscard]] virtual std::vector<Margin> margins() const = 0;
};

/// Keeps the moment at which least is left of each kind; of equal ones the first.
class WeakestMoments {
 public:
  /// `step` is done; none: before the first.
  void look(const Margin& margin, std::optional<int> step);
  /// In the order of first appearance.
  std::vector<Weakest> take() { return std::move(moments_); }

 private:
  std::vector<Weakest> moments_;
  std::vector<std::int64_t> slacks_;
};

struct ReplayReport {
  std::vector<StepProblem>
      problems;  ///< in order; a step that fails is left out of the following states
  std::vector<Weakest> weakest;  ///< one per kind of margin, in the order of first appearance
};

/// The state is left as after the last step.
ReplayReport replay(const Plan& plan, ReplayState& state);

/// The moment with most unprotected things at once, from the plan alone; none where nothing is ever
/// unprotected.
std::optional<Weakest> least_redundancy(const Plan& plan);

/// Least redundancy, where there is any loss of it, and after it the margins that a replay found.
std::vector<Weakest> weakest_moments(const Plan& plan, std::vector<Weakest> margins);

}  // namespace ballast::plan
