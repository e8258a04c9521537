// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/plan/shape.hpp"

#include <fmt/format.h>

namespace ballast::plan {
namespace {

class Inspector {
 public:
  explicit Inspector(const Plan& plan) : plan_(plan), count_(static_cast<int>(plan.steps.size())) {}

  std::vector<Flaw> run() {
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) inspect_step(i);
    for (const Warning& warning : plan_.warnings) {
      for (const int step : warning.steps) expect_step(std::nullopt, "warnings", step);
    }
    for (const Blocked& blocked : plan_.blocked) expect_step(std::nullopt, "blocked", blocked.step);
    for (const Weakest& weakest : plan_.weakest) expect_step(std::nullopt, "weakest", weakest.step);
    if (plan_.totals.peak) expect_step(std::nullopt, "totals", plan_.totals.peak->step);
    if (plan_.totals.steps != count_) {
      add(std::nullopt, "totals",
          fmt::format("{} steps are counted, {} are listed", plan_.totals.steps, count_));
    }
    if (plan_.result == Outcome::NoChange && count_ != 0) {
      add(std::nullopt, "result", fmt::format("no change, but {} steps are listed", count_));
    }
    return std::move(flaws_);
  }

 private:
  void inspect_step(std::size_t index) {
    const Step& step = plan_.steps[index];
    const int number = static_cast<int>(index) + 1;
    if (step.n != number)
      add(index, "n", fmt::format("step {} stands where step {} is expected", step.n, number));
    const int last_phase = index == 0 ? 1 : plan_.steps[index - 1].phase;
    if (step.phase < last_phase) {
      add(index, "phase", fmt::format("phase {} follows phase {}", step.phase, last_phase));
    }
    if (step.action.empty()) add(index, "action", "the step has no action");
    if (step.subject.name.empty()) add(index, "subject", "the subject has no name");
    for (const Wait& wait : step.waits_for) {
      if (wait.step && (*wait.step < 1 || *wait.step >= number)) {
        add(index, "waits_for",
            fmt::format("waits for step {}, which is no earlier step", *wait.step));
      }
    }
    for (const Unprotected& unprotected : step.unprotected) {
      if (!unprotected.until_step) continue;
      if (*unprotected.until_step < number || *unprotected.until_step > count_) {
        add(index, "unprotected",
            fmt::format("until step {}, which is no later step", *unprotected.until_step));
      }
    }
  }
  void expect_step(std::optional<std::size_t> index, const char* key, std::optional<int> step) {
    if (!step || (*step >= 1 && *step <= count_)) return;
    add(index, key, fmt::format("there is no step {}", *step));
  }
  void add(std::optional<std::size_t> step, const char* key, std::string text) {
    flaws_.push_back({step, key, std::move(text)});
  }

  const Plan& plan_;
  int count_;
  std::vector<Flaw> flaws_;
};

}  // namespace

std::vector<Flaw> find_flaws(const Plan& plan) { return Inspector(plan).run(); }

}  // namespace ballast::plan
