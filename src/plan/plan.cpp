// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/plan/plan.hpp"
#include "ballast/plan/outcome.hpp"

namespace ballast::plan {

bool has_operator(System system) { return system != System::Ganeti; }

Outcome outcome_of(const Plan& plan) {
  if (!plan.blocked.empty()) return Outcome::Blocked;
  return plan.steps.empty() ? Outcome::NoChange : Outcome::Changes;
}

std::string_view to_string(System system) {
  switch (system) {
    case System::Ganeti:
      return "ganeti";
    case System::Fdb:
      return "fdb";
    case System::Tidb:
      return "tidb";
    case System::Kubernetes:
      return "kubernetes";
  }
  return "";
}

std::string_view to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::NoChange:
      return "no_change";
    case Outcome::Changes:
      return "changes";
    case Outcome::Blocked:
      return "blocked";
    case Outcome::Skipped:
      return "skipped";
  }
  return "";
}

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::Note:
      return "note";
    case Severity::Warning:
      return "warning";
    case Severity::Danger:
      return "danger";
  }
  return "";
}

std::string_view to_string(CommandUse use) {
  switch (use) {
    case CommandUse::Hand:
      return "hand";
    case CommandUse::Watch:
      return "watch";
    case CommandUse::Check:
      return "check";
    case CommandUse::Undo:
      return "undo";
  }
  return "";
}

}  // namespace ballast::plan
