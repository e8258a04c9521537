// SPDX-License-Identifier: BSD-2-Clause
// Everything that hbal says, as texts: the tool decides when.
#pragma once

#include "ballast/core/value.hpp"
#include "ballast/ganeti/cli/options/output.hpp"
#include "ballast/ganeti/cli/options/settings.hpp"
#include "ballast/ganeti/cli/options/start.hpp"
#include "ballast/ganeti/model/snapshot.hpp"
#include "ballast/ganeti/score/metrics.hpp"
#include "ballast/ganeti/search/balance/balance.hpp"
#include "ballast/plan/plan.hpp"

#include <string>
#include <vector>

namespace ballast::ganeti::cli {

/// "Found instances belonging to multiple node groups: ..."; empty where there are none.
std::string split_instances_text(const Snapshot& snapshot);

/// The initial check: bad nodes and instances, in very verbose runs the lists and policy states,
/// the complaints.
std::string health_text(const Snapshot& snapshot, const Part& part, const Settings& settings);

/// The complaints of the initial check as warnings of the plan (NOT_N_PLUS_ONE, POLICY_VIOLATIONS
/// with the nodes; MOVES_RESTRICTED or SOFT_ERRORS_IGNORED).
void add_health_warnings(const Snapshot& snapshot, const Part& part, const Settings& settings,
                         plan::Plan& plan);
/// The assumption LOAD, where nothing tells how busy the instances are.
void add_load_assumption(const Settings& settings, plan::Plan& plan);

/// Our line where the reference dies on a drbd instance without secondary.
std::string missing_secondary_line(const Cluster& cluster, const State& state, const Part& part);

class InitialScore {
 public:
  InitialScore(const Snapshot& snapshot, const Part& part);
  /// "Initial score: ...", or the table in very verbose runs.
  [[nodiscard]] std::string text(int verbosity) const;
  [[nodiscard]] bool is_good_enough(const BalanceOptions& options) const;
  [[nodiscard]] std::string nothing_to_do(const BalanceOptions& options) const;
  /// The result of a search that never began.
  [[nodiscard]] BalanceResult unchanged(const Snapshot& snapshot) const;

 private:
  const Cluster& cluster_;
  ScoreDetail detail_;
  double lower_bound_;
};

/// Texts about a finished search. The snapshot, the part and the settings must outlive it.
class BalanceReport {
 public:
  BalanceReport(const Snapshot& snapshot, const Part& part, BalanceResult result,
                const Settings& settings);

  /// Further options that shaped the plan (a map), for the JSON form.
  void add_options(Value more) { more_options_ = std::move(more); }
  /// What the search has to say besides its steps, for the JSON form.
  void add_findings(std::vector<plan::CodedText> notes, std::vector<plan::Blocked> blocked) {
    notes_ = std::move(notes);
    blocked_ = std::move(blocked);
  }
  [[nodiscard]] const BalanceResult& result() const { return result_; }
  /// One text per step, newline included; with storage units verbose runs say which unit was the
  /// reason.
  [[nodiscard]] std::vector<std::string> step_lines() const;
  /// "Cluster score improved ...", "Solution length=..."; with storage units verbose runs add the
  /// MiB to copy.
  [[nodiscard]] std::string summary() const;
  /// "Original: mem=... disk=...", "Final: ...".
  [[nodiscard]] std::string totals() const;
  /// To standard output where `file` is empty or "-", else to that file.
  OrExit<void> print_commands(const std::string& file, Output& output) const;
  /// Without what deliver_plan adds.
  [[nodiscard]] plan::Plan plan() const;

 private:
  /// What stays on the nodes that --evac-mode empties.
  void add_staying(plan::Plan& plan) const;

  const Snapshot& snapshot_;
  const Part& part_;
  const Settings& settings_;
  BalanceResult result_;
  Value more_options_ = Value::map();
  std::vector<plan::CodedText> notes_;
  std::vector<plan::Blocked> blocked_;
  std::vector<std::vector<std::size_t>> job_sets_;
};

/// What --explain says about one instance of the group; an error names the instance that is not
/// there.
OrExit<void> explain_instance(const Snapshot& snapshot, const Part& part, const Settings& settings,
                              Output& output);

/// The plan of a cluster without instances.
plan::Plan empty_plan(const Settings& settings);

}  // namespace ballast::ganeti::cli
