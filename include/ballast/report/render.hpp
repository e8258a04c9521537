// SPDX-License-Identifier: BSD-2-Clause
// Renderers of a plan: they only print. Each returns the whole text.
#pragma once

#include <string>

#include "ballast/plan/plan.hpp"

namespace ballast::report {

struct TextOptions {
  bool colour = false;
  bool with_commands = true;
  bool with_costs = true;
};

/// For people: headline, phases (waves), steps with reasons and waits, blocked, warnings, weakest
/// moment, totals.
std::string plan_to_text(const plan::Plan& plan, const TextOptions& options = {});
/// A shell script with `set -e`: a check of the expected state before each phase where the system
/// can tell, reasons as comments.
std::string plan_to_shell(const plan::Plan& plan);
std::string plan_to_markdown(const plan::Plan& plan);
/// One self-contained file: no network, no external script.
std::string plan_to_html(const plan::Plan& plan);

}  // namespace ballast::report
