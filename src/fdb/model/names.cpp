// SPDX-License-Identifier: BSD-2-Clause
// The closed sets of names: classes, conditions, redundancy modes.
#include <algorithm>
#include <cctype>
#include <string>

#include "ballast/fdb/model/condition.hpp"
#include "ballast/fdb/model/process_class.hpp"
#include "ballast/fdb/model/redundancy.hpp"

namespace ballast::fdb {
namespace {

constexpr std::array<std::string_view, kClassCount> kClassNames = {"unset",
                                                                   "storage",
                                                                   "transaction",
                                                                   "resolution",
                                                                   "tester",
                                                                   "test",
                                                                   "proxy",
                                                                   "commit_proxy",
                                                                   "grv_proxy",
                                                                   "master",
                                                                   "stateless",
                                                                   "log",
                                                                   "cluster_controller",
                                                                   "router",
                                                                   "fast_restore",
                                                                   "data_distributor",
                                                                   "coordinator",
                                                                   "ratekeeper",
                                                                   "storage_cache",
                                                                   "backup"};

constexpr std::array<std::string_view, kConditionCount> kConditionNames = {
    "IncorrectPodSpec",
    "IncorrectPodMetadata",
    "IncorrectConfigMap",
    "IncorrectCommandLine",
    "IncorrectSidecarImage",
    "PodFailing",
    "PodPending",
    "MissingPod",
    "MissingPVC",
    "MissingService",
    "MissingProcesses",
    "SidecarUnreachable",
    "ProcessIsMarkedAsExcluded",
    "ProcessHasIOError",
    "ProcessHasHighRunLoopBusy",
    "NodeTaintDetected",
    "NodeTaintReplacing",
    "ResourcesTerminating"};

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  });
}

}  // namespace

std::string_view name(ProcessClass c) { return kClassNames[index(c)]; }

std::optional<ProcessClass> parse_process_class(std::string_view text) {
  const auto found = std::find(kClassNames.begin(), kClassNames.end(), text);
  if (found == kClassNames.end()) return std::nullopt;
  return class_at(static_cast<std::size_t>(found - kClassNames.begin()));
}

bool is_stateful(ProcessClass c) {
  return c == ProcessClass::Storage || c == ProcessClass::Coordinator || is_log_class(c);
}

bool is_log_class(ProcessClass c) {
  return c == ProcessClass::Log || c == ProcessClass::Transaction;
}

std::string_view name(Condition c) { return kConditionNames[static_cast<std::size_t>(c)]; }

std::optional<Condition> parse_condition(std::string_view text) {
  for (std::size_t i = 0; i < kConditionCount; ++i) {
    if (equals_ignoring_case(text, kConditionNames[i])) return static_cast<Condition>(i);
  }
  if (equals_ignoring_case(text, "NotConnecting")) return Condition::MissingProcesses;
  return std::nullopt;
}

bool triggers_replacement(Condition c) {
  switch (c) {
    case Condition::PodFailing:
    case Condition::PodPending:
    case Condition::MissingPod:
    case Condition::MissingPvc:
    case Condition::MissingService:
    case Condition::MissingProcesses:
    case Condition::SidecarUnreachable:
    case Condition::ProcessIsMarkedAsExcluded:
    case Condition::ProcessHasIoError:
    case Condition::ProcessHasHighRunLoopBusy:
      return true;
    default:
      return false;
  }
}

Redundancy redundancy_of(std::string_view mode) {
  if (mode.empty() || mode == "double") return {1, 2, 2, 3, false};
  if (mode == "triple") return {2, 3, 3, 3, false};
  if (mode == "three_data_hall") return {2, 3, 3, 4, true};
  return {};
}

bool is_known_redundancy_mode(std::string_view mode) {
  return mode.empty() || mode == "single" || mode == "double" || mode == "triple" ||
         mode == "three_data_hall";
}

int coordinator_count(const Redundancy& redundancy, int usable_regions) {
  if (usable_regions > 1 || redundancy.is_three_data_hall) return 9;
  return redundancy.minimum_domains + redundancy.fault_tolerance;
}

}  // namespace ballast::fdb
