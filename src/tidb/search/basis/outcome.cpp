// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/search/basis/outcome.hpp"

#include <algorithm>
#include <array>

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

Severity severity_of(std::string_view code) {
  constexpr std::array<std::string_view, 7> kDangers = {
      "W-DOWNGRADE",         "W-FORCE-UPGRADE", "W-LEAVE-TOGETHER", "W-MEMBER-LEFT",
      "W-RESTART-WITH-DOWN", "W-SUSPEND",       "W-ZONE-EMPTIED"};
  const bool is_danger =
      code.starts_with("U-") || std::ranges::find(kDangers, code) != kDangers.end();
  return is_danger ? Severity::Danger : Severity::Warning;
}

const Step* Outcome::first_block() const {
  const auto found = std::ranges::find(steps, Action::Blocked, &Step::action);
  return found == steps.end() ? nullptr : &*found;
}

}  // namespace ballast::tidb
