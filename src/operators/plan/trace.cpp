// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/operators/plan/trace.hpp"
#include "ballast/plan/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

namespace ballast::operators {

bool is_refusal(std::string_view code) { return code.starts_with("U-"); }

std::string block_text(std::string_view code) {
  return fmt::format(
      "{} {}",
      is_refusal(code) ? "refused by the planner:" : "blocked by the operator's rules:", code);
}

plan::Step& Trace::emit(std::string action, plan::Subject subject, plan::CodedText reason,
                        bool is_beside) {
  const bool is_same = !plan_.steps.empty() && plan_.steps.back().action == action;
  plan::Step step;
  step.action = std::move(action);
  step.subject = std::move(subject);
  step.reason.code = std::move(reason.code);
  step.reason.text = std::move(reason.text);
  return emit(std::move(step), is_beside && is_same);
}

plan::Step& Trace::emit(plan::Step step, bool is_beside) {
  const int before = plan_.steps.empty() ? 0 : plan_.steps.back().phase;
  step.n = static_cast<int>(plan_.steps.size()) + 1;
  step.phase = is_beside ? std::max(before, 1) : before + 1;
  return plan_.steps.emplace_back(std::move(step));
}

void Trace::wait(std::string text) {
  if (plan_.steps.empty()) {
    plan_.assumptions.push_back({"BEFORE", "before the first step: " + text});
    return;
  }
  plan::Wait wait;
  wait.text = std::move(text);
  plan_.steps.back().waits_for.push_back(std::move(wait));
}

plan::Blocked& Trace::block(Block block) {
  plan::Blocked blocked;
  blocked.text = block_text(block.code);
  blocked.code = std::move(block.code);
  blocked.subject = std::move(block.subject);
  blocked.gate = std::move(block.gate);
  blocked.required = std::move(block.required);
  blocked.observed = std::move(block.observed);
  return plan_.blocked.emplace_back(std::move(blocked));
}

void Trace::refuse(Block block, bool is_waved_through) {
  if (is_waved_through) {
    plan_.warnings.push_back({std::move(block.code),
                              plan::Severity::Danger,
                              "waved through: " + block.gate,
                              {},
                              std::move(block.subject)});
  } else {
    this->block(std::move(block));
  }
}

void Trace::finish() {
  plan_.result = plan::outcome_of(plan_);
  plan_.totals.steps = static_cast<std::int64_t>(plan_.steps.size());
  const auto made = [this](std::string_view verb) -> std::optional<std::int64_t> {
    const auto steps = std::ranges::count_if(
        plan_.steps, [&](const plan::Step& step) { return step.action.starts_with(verb); });
    return steps == 0 ? std::nullopt : std::optional<std::int64_t>(steps);
  };
  plan_.totals.added = made("create-");
  plan_.totals.removed = made("delete-");
  plan_.totals.restarted = made("restart-");
  plan_.totals.phases = plan_.steps.empty() ? 0 : plan_.steps.back().phase;
}

}  // namespace ballast::operators
