// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/operators/plan/ways_out.hpp"
#include "ballast/tidb/model/live.hpp"
#include "ballast/tidb/model/spec.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ballast::tidb {

enum class Action : std::uint8_t {
  CreateDiscovery,
  CreateService,
  UpdateService,
  DeleteService,
  CreateConfigMap,
  UpdateConfigMap,
  DeleteConfigMap,
  CreateStatefulSet,
  DeleteStatefulSet,
  LabelPods,
  ScaleOut,
  ScaleIn,
  MarkInstance,  // v2: to be deleted when the roll-out is done
  UpdateTemplate,
  RestartPod,
  Wait,
  FailoverMark,
  FailoverReplace,
  FailoverClear,
  ExpandVolume,
  Blocked,
  Deferred
};
std::string_view name_of(Action action);

/// What a step waits for before the next one may begin.
struct WaitFor {
  std::string text;
  std::string required;
  std::string observed;
  std::int64_t seconds_at_least = 0;
};

/// A field that a step writes, in words; none: not set.
struct FieldChange {
  std::string path;
  std::optional<std::string> from;
  std::optional<std::string> to;
};

struct Command {
  std::string use;  // "watch", "hand", "check", "undo"
  std::string text;
};

/// One line of the plan. Lines are numbered from 1 in their order.
struct Step {
  Action action = Action::Wait;
  std::optional<Component> component;  // none: discovery, or `other`
  std::string other;                   // a component that is not planned, as it is suspended
  std::string set;                     // empty: of no set
  std::string object = "-";
  std::string detail = "-";  // as the compact output shows it
  std::string reason_code;
  std::string reason;
  std::vector<std::string> substeps;
  std::vector<WaitFor> waits;
  std::vector<Command> commands;
  std::vector<std::string> risks;
  std::vector<FieldChange> changes;
  std::vector<std::string> dropped;  // failover-clear: pods whose records go
  std::string leader;                // PD leads from here on; empty: as before
  std::uint64_t store = 0;           // that the step is about; 0: none, or not known
  std::int64_t ordinal = -1;
  int phase = 0;  // from 1; steps of one phase run at the same time; 0: after the step before
  std::optional<std::int64_t> partition;
  std::optional<std::int64_t> batch;
  std::optional<std::int64_t> bytes;  // to copy; none: not known
  std::int64_t replicas_before = 0;   // scale-in, scale-out
  std::int64_t replicas_after = 0;
  std::int64_t count = 0;        // pods of create-statefulset, records of failover-clear
  bool forced = false;           // of a forced update: no rule of scaling or restarting holds
  bool evicts = false;           // scale-in: leaders are taken from the store first
  bool until_ready = false;      // wait: it ends once the pod is Ready
  bool awaits_majority = false;  // scale-in of PD: leaves too few healthy members, waits for more
  std::string node;              // placement, where a node list was given
  std::string volume;
  std::vector<std::string> placements;  // create-statefulset: "pod node volume"
  // blocked, deferred
  std::string code;
  std::string gate;
  std::string required;
  std::string observed;
  std::vector<std::string> cycle;
};

using operators::Remedy;
using plan::Loss;

enum class Severity : std::uint8_t { Note, Warning, Danger };

/// Danger: what may cost service or data while the plan runs, and every refusal that was waved
/// through. All else is a warning.
Severity severity_of(std::string_view code);

struct Warning {
  std::string code;
  std::string subject;
  std::string text;
  Severity severity = Severity::Warning;
  std::vector<std::int64_t> steps;
};

struct Later {
  std::string condition;
  std::string then;
};

struct SetSummary {
  Component component = Component::Pd;
  std::string set;
  std::int64_t now = 0;
  std::int64_t wished = 0;
};

/// What the search found: the plan before it is worded for a renderer.
struct Outcome {
  std::vector<Step> steps;  // blocked and deferred lines among them
  std::vector<Remark> assumptions;
  std::vector<Remark> notes;
  std::vector<Warning> warnings;
  std::vector<Later> later;
  std::vector<Remedy> remedies;
  std::vector<SetSummary> summary;
  std::vector<std::string> leftovers;  // free room per node at the end
  std::string snippet;                 // a values snippet that leads round a block

  /// The first blocked line, or nullptr.
  const Step* first_block() const;
};

}  // namespace ballast::tidb
