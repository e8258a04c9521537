// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/operators/plan/ways_out.hpp"
#include "ballast/plan/plan.hpp"
#include "ballast/tidb/model/live.hpp"
#include "ballast/tidb/model/spec.hpp"

#include <cstdint>
#include <functional>
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

using plan::CommandUse;
using plan::Severity;

/// What a step waits for before the next one may begin; empty and 0: not said.
plan::Wait wait_for(std::string text, std::string required = {}, std::string observed = {},
                    std::int64_t seconds_at_least = 0);

/// One line of what the simulated operator does, before it is worded as a step of the plan. Lines
/// are numbered from 1 in their order.
struct Line {
  Action action = Action::Wait;
  std::optional<Component> component;  // none: discovery, or `other`
  std::string other;                   // a component that is not planned, as it is suspended
  std::string set;                     // empty: of no set
  std::string object = "-";
  std::string detail = "-";  // as the compact output shows it
  std::string reason_code;
  std::string reason;
  std::vector<std::string> substeps;
  std::vector<plan::Wait> waits;
  std::vector<plan::Command> commands;
  std::vector<std::string> risks;
  std::vector<plan::Change> changes;  // values are texts
  std::vector<std::string> dropped;   // failover-clear: pods whose records go
  std::string leader;                 // PD leads from here on; empty: as before
  std::uint64_t store = 0;            // that the step is about; 0: none, or not known
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

/// Becomes a step of the plan: it is neither blocked nor deferred.
bool is_step(const Line& line);
/// Whether a step runs at the same time as the one before it: in one phase of groups, or in one
/// batch.
bool is_beside(const Line& before, const Line& step);

using operators::Remedy;
using plan::Loss;

/// Danger: what may cost service or data while the plan runs, and every refusal that was waved
/// through. All else is a warning.
Severity severity_of(std::string_view code);

struct SetSummary {
  Component component = Component::Pd;
  std::string set;
  std::int64_t now = 0;
  std::int64_t wished = 0;
};

/// What the search found: the plan before it is worded for a renderer.
struct Outcome {
  std::vector<Line> steps;  // blocked and deferred lines among them
  std::vector<plan::CodedText> assumptions;
  std::vector<plan::CodedText> notes;
  std::vector<plan::Warning> warnings;  // of lines, by their numbers
  std::vector<plan::CodedText> later;
  std::vector<Remedy> remedies;
  std::vector<SetSummary> summary;
  std::vector<std::string> leftovers;  // free room per node at the end
  std::string snippet;                 // a values snippet that leads round a block

  /// The lines that become steps, in the order and with the numbers (from 1) of the plan.
  [[nodiscard]] std::vector<std::reference_wrapper<const Line>> made() const;
  /// The first blocked line, or nullptr.
  const Line* first_block() const;
  /// A refusal of the planner that the user waves through: a danger of the line to come.
  void wave_through(const std::string& code, const std::string& object, const std::string& required,
                    const std::string& observed);
};

/// The line as one that is blocked.
Line blocked(Line at, std::string code, std::string required, std::string observed);

}  // namespace ballast::tidb
