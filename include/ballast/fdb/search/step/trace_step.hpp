// SPDX-License-Identifier: BSD-2-Clause
// What the simulated operator does, before it becomes a plan.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ballast/fdb/model/condition.hpp"
#include "ballast/fdb/model/process_class.hpp"
#include "ballast/plan/plan.hpp"

namespace ballast::fdb {

using Changes = std::vector<plan::Change>;  ///< fields that a step writes

enum class Action : std::uint8_t {
  SetStatus,
  CreateConfigMap,
  UpdateConfigMap,
  MarkForRemoval,
  AddProcessGroup,
  CreateService,
  UpdateService,
  DeleteService,
  CreatePvc,
  CreatePod,
  DeletePod,
  SyncPodConfig,
  UpdatePodMetadata,
  UpdatePvcMetadata,
  UpdateSidecarImage,
  ConfigureDatabase,
  Exclude,
  ChangeCoordinators,
  KillProcesses,
  SetMaintenance,
  ResetMaintenance,
  DeleteResources,
  Include,
  DropProcessGroup,
  Wait,
  Blocked,
};

/// The word of the action in all outputs: "mark-for-removal".
std::string_view name(Action action);

/// The operator's list of steps within a pass; the values are the positions in it.
enum class Reconciler : std::uint8_t {
  UpdateStatus = 1,
  UpdateLockConfiguration,
  UpdateConfigMap,
  CheckClientCompatibility,
  DeletePodsForBuggification,
  DeleteTerminalPods,
  ReplaceMisconfiguredProcessGroups,
  ReplaceFailedProcessGroups,
  AddProcessGroups,
  AddServices,
  AddPVCs,
  AddPods,
  GenerateInitialClusterFile,
  RemoveIncompatibleProcesses,
  UpdateSidecarVersions,
  UpdatePodConfig,
  UpdateMetadata,
  UpdateDatabaseConfiguration,
  ChooseRemovals,
  ExcludeProcesses,
  ChangeCoordinators,
  BounceProcesses,
  MaintenanceModeChecker,
  UpdatePods,
  RemoveProcessGroups,
  RemoveServices,
  UpdateStatusAgain,
};
std::string_view name(Reconciler reconciler);

/// A set of classes: bit i is class i.
using ClassSet = std::uint32_t;
constexpr ClassSet class_bit(ProcessClass c) { return ClassSet{1} << index(c); }
/// Names in class order joined by commas; "-" for none.
std::string class_names(ClassSet classes);

/// Pods and what they ask for, at one moment. A pod none of whose containers names a request is not
/// taken to ask for nothing: the operator always writes requests, so the snapshot left them out.
struct Footprint {
  std::int64_t pods = 0;
  std::int64_t cpu_milli = 0;            ///< of the pods whose request is known
  std::int64_t cpu_unknown_pods = 0;     ///< the others
  std::int64_t memory_bytes = 0;         ///< of the pods whose request is known
  std::int64_t memory_unknown_pods = 0;  ///< the others
  std::int64_t volume_bytes = 0;
  PerClass<int> pods_of_class{};
};

struct ServerLayout {
  std::string process_id;
  std::vector<std::string> ports;  ///< "4500:tls", "4501"
  std::string data_directory;
};

/// A pod that a step makes.
struct GroupLayout {
  std::string group;
  std::string pod;
  std::string config_map_key;  ///< of the template that starts its servers
  std::vector<ServerLayout> servers;
  std::vector<std::pair<std::string, std::string>> environment;  ///< that the layout depends on
  std::vector<std::pair<std::string, std::string>> labels;       ///< of its fault domain
  std::string affinity;  ///< towards other pods; empty: none by the operator
};

/// One thing the operator does, a wait of its, or a dead end.
struct TraceStep {
  int pass = 0;
  int serial = 0;  ///< order of the recording; numbers of dropped waits are missing
  Reconciler reconciler = Reconciler::UpdateStatus;
  Action action = Action::SetStatus;
  ClassSet classes = 0;
  std::vector<std::string> targets;  ///< in ID order
  std::string detail;                ///< as in the brief form; empty for "-"
  std::string reason;                ///< code
  std::string because;               ///< one sentence
  std::string after;                 ///< the gate that had to hold
  std::vector<std::string> commands;
  bool needs_lock = false;
  bool ends_pass = false;
  bool is_delayed = false;
  Time at = 0;
  std::optional<std::int64_t> bytes;  ///< to move
  bool moves_data = false;            ///< bytes are asked for, known or not
  struct Move {
    std::string group;
    std::optional<std::int64_t> bytes;
    std::optional<std::int64_t> most;  ///< where the bytes are not known: what its volume can hold
  };
  std::vector<Move> moves;
  std::vector<std::string> checks;   ///< numbers behind a decision, for people
  std::optional<double> free_share;  ///< of the disks that keep data, once the step has moved it
  std::optional<std::int64_t> free_bytes;           ///< the same in bytes
  std::optional<std::int64_t> free_bytes_required;  ///< that the database wants to stay free
  std::string unserved;              ///< why the step leaves data without enough places
  bool uses_slack = false;           ///< an exclude that needs the budget's fault tolerance
  std::string stopped_by;            ///< classes whose budget of 0 holds other classes up
  std::vector<std::string> listing;  ///< parts of the step, a line each, for people
  std::vector<GroupLayout> layouts;  ///< of the pods that it makes
  Changes changes;
  std::vector<std::string> keys_added;    ///< of a ConfigMap
  std::vector<std::string> keys_removed;  ///< of a ConfigMap
  // Waits and dead ends
  std::string gate;
  std::int64_t required = 0;
  std::string observed;
  std::optional<Time> until;
  bool is_released = false;  ///< what was held has happened
  Footprint footprint;       ///< once the step is done
};

/// "number \t class \t targets \t action \t detail", a line a step, numbers from 1.
std::string to_brief(const std::vector<TraceStep>& steps);

}  // namespace ballast::fdb
