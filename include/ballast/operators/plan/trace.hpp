// SPDX-License-Identifier: BSD-2-Clause
// A plan as it grows: steps, what they wait for, what is in the way.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "ballast/core/value.hpp"
#include "ballast/plan/plan.hpp"

namespace ballast::operators {

/// Something is in the way.
struct Block {
  std::string code;  ///< of the operator's rule ("B-...") or the planner's own ("U-...")
  plan::Subject subject;
  std::string gate;  ///< what would have to hold, in words
  Value required{};
  Value observed{};
};

/// Codes begin with "B-" where the operator's own rules block, with "U-" where the planner refuses.
bool is_refusal(std::string_view code);

class Trace {
 public:
  explicit Trace(plan::Plan& plan) : plan_(plan) {}

  /// A step after all before it, or beside a step before it of the same action.
  plan::Step& emit(std::string action, plan::Subject subject, plan::CodedText reason,
                   bool is_beside = false);
  /// A step that is worded already: numbered, and in a phase of its own or, `is_beside`, in that of
  /// the step before it.
  plan::Step& emit(plan::Step step, bool is_beside);
  /// What the newest step waits for before the next one may begin; before any step, an assumption.
  void wait(std::string text);
  /// The plan ends here.
  plan::Blocked& block(Block block);
  /// A refusal of the planner: ends the plan, or is a danger of it where the user insists.
  void refuse(Block block, bool is_waved_through);
  [[nodiscard]] bool is_blocked() const { return !plan_.blocked.empty(); }
  /// Result and totals (steps create-..., delete-..., restart-...), once all is said.
  void finish();

 private:
  plan::Plan& plan_;
};

/// "blocked by the operator's rules: CODE", "refused by the planner: CODE".
std::string block_text(std::string_view code);

}  // namespace ballast::operators
