// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/search/basis/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace ballast::tidb {

std::string_view name_of(Action action) {
  switch (action) {
    case Action::CreateDiscovery:
      return "create-discovery";
    case Action::CreateService:
      return "create-service";
    case Action::UpdateService:
      return "update-service";
    case Action::DeleteService:
      return "delete-service";
    case Action::CreateConfigMap:
      return "create-configmap";
    case Action::UpdateConfigMap:
      return "update-configmap";
    case Action::DeleteConfigMap:
      return "delete-configmap";
    case Action::CreateStatefulSet:
      return "create-statefulset";
    case Action::DeleteStatefulSet:
      return "delete-statefulset";
    case Action::LabelPods:
      return "label-pods";
    case Action::ScaleOut:
      return "scale-out";
    case Action::ScaleIn:
      return "scale-in";
    case Action::MarkInstance:
      return "mark-instance";
    case Action::UpdateTemplate:
      return "update-template";
    case Action::RestartPod:
      return "restart-pod";
    case Action::Wait:
      return "wait";
    case Action::FailoverMark:
      return "failover-mark";
    case Action::FailoverReplace:
      return "failover-replace";
    case Action::FailoverClear:
      return "failover-clear";
    case Action::ExpandVolume:
      return "expand-volume";
    case Action::Blocked:
      return "blocked";
    case Action::Deferred:
      return "deferred";
  }
  return "";
}

plan::Wait wait_for(std::string text, std::string required, std::string observed,
                    std::int64_t seconds_at_least) {
  plan::Wait wait;
  wait.text = std::move(text);
  if (!required.empty()) wait.required = std::move(required);
  if (!observed.empty()) wait.observed = std::move(observed);
  if (seconds_at_least > 0) wait.seconds_at_least = seconds_at_least;
  return wait;
}

Severity severity_of(std::string_view code) {
  constexpr std::array<std::string_view, 7> kDangers = {
      "W-DOWNGRADE",         "W-FORCE-UPGRADE", "W-LEAVE-TOGETHER", "W-MEMBER-LEFT",
      "W-RESTART-WITH-DOWN", "W-SUSPEND",       "W-ZONE-EMPTIED"};
  const bool is_danger =
      code.starts_with("U-") || std::ranges::find(kDangers, code) != kDangers.end();
  return is_danger ? Severity::Danger : Severity::Warning;
}

bool is_step(const Line& line) {
  return line.action != Action::Blocked && line.action != Action::Deferred;
}

bool is_beside(const Line& before, const Line& step) {
  if (before.phase > 0) return before.phase == step.phase;
  return before.batch && before.batch == step.batch;
}

Line blocked(Line at, std::string code, std::string required, std::string observed) {
  at.action = Action::Blocked;
  at.detail = code;
  at.code = std::move(code);
  at.reason = fmt::format("{}; {}", required, observed);
  at.required = std::move(required);
  at.observed = std::move(observed);
  return at;
}

void Outcome::wave_through(const std::string& code, const std::string& object,
                           const std::string& required, const std::string& observed) {
  warnings.push_back({code,
                      severity_of(code),
                      fmt::format("{}; {}", required, observed),
                      {static_cast<int>(steps.size()) + 1},
                      {"", object, ""}});
}

std::vector<std::reference_wrapper<const Line>> Outcome::made() const {
  std::vector<std::reference_wrapper<const Line>> made;
  std::ranges::copy_if(steps, std::back_inserter(made), is_step);
  return made;
}

const Line* Outcome::first_block() const {
  const auto found = std::ranges::find(steps, Action::Blocked, &Line::action);
  return found == steps.end() ? nullptr : &*found;
}

}  // namespace ballast::tidb
