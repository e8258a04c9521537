// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/search/step/trace_step.hpp"

#include <array>
#include <cstddef>

namespace ballast::fdb {
namespace {

constexpr std::array<std::string_view, 26> kActions = {"set-status",
                                                       "create-configmap",
                                                       "update-configmap",
                                                       "mark-for-removal",
                                                       "add-process-group",
                                                       "create-service",
                                                       "update-service",
                                                       "delete-service",
                                                       "create-pvc",
                                                       "create-pod",
                                                       "delete-pod",
                                                       "sync-pod-config",
                                                       "update-pod-metadata",
                                                       "update-pvc-metadata",
                                                       "update-sidecar-image",
                                                       "configure-database",
                                                       "exclude",
                                                       "change-coordinators",
                                                       "kill-processes",
                                                       "set-maintenance",
                                                       "reset-maintenance",
                                                       "delete-process-group-resources",
                                                       "include",
                                                       "drop-process-group",
                                                       "wait",
                                                       "blocked"};

constexpr std::array<std::string_view, 28> kReconcilers = {"",
                                                           "UpdateStatus",
                                                           "UpdateLockConfiguration",
                                                           "UpdateConfigMap",
                                                           "CheckClientCompatibility",
                                                           "DeletePodsForBuggification",
                                                           "DeleteTerminalPods",
                                                           "ReplaceMisconfiguredProcessGroups",
                                                           "ReplaceFailedProcessGroups",
                                                           "AddProcessGroups",
                                                           "AddServices",
                                                           "AddPVCs",
                                                           "AddPods",
                                                           "GenerateInitialClusterFile",
                                                           "RemoveIncompatibleProcesses",
                                                           "UpdateSidecarVersions",
                                                           "UpdatePodConfig",
                                                           "UpdateMetadata",
                                                           "UpdateDatabaseConfiguration",
                                                           "ChooseRemovals",
                                                           "ExcludeProcesses",
                                                           "ChangeCoordinators",
                                                           "BounceProcesses",
                                                           "MaintenanceModeChecker",
                                                           "UpdatePods",
                                                           "RemoveProcessGroups",
                                                           "RemoveServices",
                                                           "UpdateStatus"};

}  // namespace

std::string_view name(Action action) { return kActions[static_cast<std::size_t>(action)]; }

std::string_view name(Reconciler reconciler) {
  return kReconcilers[static_cast<std::size_t>(reconciler)];
}

std::string class_names(ClassSet classes) {
  std::string text;
  for (std::size_t i = 0; i < kClassCount; ++i) {
    if ((classes & class_bit(class_at(i))) == 0) continue;
    if (!text.empty()) text += ',';
    text += name(class_at(i));
  }
  return text.empty() ? "-" : text;
}

std::string to_brief(const std::vector<TraceStep>& steps) {
  std::string text;
  int number = 0;
  for (const TraceStep& step : steps) {
    text += std::to_string(++number) + "\t" + class_names(step.classes) + "\t";
    for (std::size_t i = 0; i < step.targets.size(); ++i) {
      if (i > 0) text += ',';
      text += step.targets[i];
    }
    if (step.targets.empty()) text += '-';
    text += "\t";
    text += name(step.action);
    text += "\t" + (step.detail.empty() ? std::string("-") : step.detail) + "\n";
  }
  return text;
}

}  // namespace ballast::fdb
