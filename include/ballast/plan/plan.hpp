// SPDX-License-Identifier: BSD-2-Clause
// A plan is a value: what every planner of the suite returns and every renderer prints. The fields
// are those of the JSON form (data/plan.schema.json, man/ballast-plan.5); what is not known is left
// empty and then left out there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/core/value.hpp"

namespace ballast::plan {

enum class System { Ganeti, Fdb, Tidb, Kubernetes };
enum class Outcome { NoChange, Changes, Blocked, Skipped };
enum class Severity { Note, Warning, Danger };

/// What is changed or spoken of: kind ("instance", "node", "process_group", "pod", ...), name, and
/// its group where it has one.
struct Subject {
  std::string kind;
  std::string name;
  std::string group;
  friend bool operator==(const Subject&, const Subject&) = default;
};

struct CodedText {
  std::string code;  ///< stable, for machines: upper-case words or the system's own code
  std::string text;  ///< one sentence for people
  friend bool operator==(const CodedText&, const CodedText&) = default;
};

struct Reason {
  std::string code;
  std::string text;
  std::string rule;            ///< the rule that forced it
  std::string metric;          ///< the metric that gains most
  std::optional<double> gain;  ///< by how much the score falls
  friend bool operator==(const Reason&, const Reason&) = default;
};

/// What a step waits for: an earlier step, or a gate (a condition of the system).
struct Wait {
  std::optional<int> step;
  std::string gate;
  std::string text;
  Value required;
  Value observed;
  std::optional<bool> ok;
  std::optional<std::int64_t> seconds_at_least;
  friend bool operator==(const Wait&, const Wait&) = default;
};

/// Hand: what makes the step. People run it where the system has no operator of its own (Ganeti);
/// where it has one, the operator does this itself, and nobody runs it.
enum class CommandUse { Hand, Watch, Check, Undo };
struct Command {
  CommandUse use = CommandUse::Hand;
  std::string text;  ///< one shell line
  friend bool operator==(const Command&, const Command&) = default;
};

/// What shows that a step is done. It holds from then until the plan ends, whoever looks how late:
/// what is true for a moment only (a maintenance zone, an eviction of leaders) is no gate.
struct Gate {
  std::string text;     ///< what holds then: "pod a is gone"
  std::string command;  ///< one shell line that changes nothing; status 0 once it holds
  friend bool operator==(const Gate&, const Gate&) = default;
};

struct Link {
  std::string from;
  std::string to;
  std::int64_t bytes = 0;
  friend bool operator==(const Link&, const Link&) = default;
};

struct Cost {
  std::optional<std::int64_t> bytes;  ///< data to copy
  std::vector<Link> links;            ///< over which nodes
  std::optional<std::int64_t> seconds_at_least;
  friend bool operator==(const Cost&, const Cost&) = default;
};

/// What has less redundancy while the step runs, and until which step is done.
struct Unprotected {
  std::string what;
  std::string name;
  std::optional<int> until_step;
  friend bool operator==(const Unprotected&, const Unprotected&) = default;
};

/// A field that a step writes: of a specification, a template, an image, a knob or a volume.
struct Change {
  std::string path;  ///< as the system's own documents name it: "spec.version", "main.image"
  Value from;        ///< null: not set
  Value to;          ///< null: taken away
  friend bool operator==(const Change&, const Change&) = default;
};

struct Step {
  int n = 0;      ///< from 1, in order
  int phase = 0;  ///< from 1; steps of one phase may run at the same time where no wait ties them
  std::string action;
  Subject subject;
  std::vector<Subject> targets;
  Value from;  ///< placement before
  Value to;    ///< placement after
  std::vector<Change> changes;
  Reason reason;
  std::vector<Wait> waits_for;
  std::vector<Command> commands;
  std::vector<Gate> done_when;  ///< all of them; none: nothing to look at, what follows shows it
  Cost cost;
  std::vector<Unprotected> unprotected;
  Value before;  ///< the part of the state that the step expects
  Value after;   ///< ... and leaves behind
  std::vector<Value> substeps;
  std::vector<CodedText> risks;
  std::string detail;
  Value system;  ///< the system's own facts; in JSON under the key that to_string(System) names
  friend bool operator==(const Step&, const Step&) = default;
};

struct Remedy {
  std::string text;
  std::vector<std::string> set;  ///< PATH=VALUE
  std::vector<std::string> commands;
  friend bool operator==(const Remedy&, const Remedy&) = default;
};

struct Blocked {
  std::optional<int> step;
  std::string code;
  std::string text;
  Subject subject;
  std::string gate;
  Value required;
  Value observed;
  std::vector<std::string> cycle;  ///< who waits for whom, in order; the last waits for the first
  std::vector<Remedy> remedies;
  friend bool operator==(const Blocked&, const Blocked&) = default;
};

struct Warning {
  std::string code;
  Severity severity = Severity::Warning;
  std::string text;
  std::vector<int> steps;
  Subject subject;
  friend bool operator==(const Warning&, const Warning&) = default;
};

struct MetricRow {
  std::string name;
  double weight = 0;
  double before = 0;
  double after = 0;
  std::vector<MetricRow> units;  ///< storage units below the storage metric; their weight is 0
  friend bool operator==(const MetricRow&, const MetricRow&) = default;
};

struct Score {
  double before = 0;
  double after = 0;
  std::vector<MetricRow> metrics;
  std::optional<double> lowest_possible;
  friend bool operator==(const Score&, const Score&) = default;
};

/// Sums over the pods whose figure is known; how many others there are stands beside them.
struct Peak {
  std::optional<std::int64_t> pods;
  std::optional<std::int64_t> cpu_milli;
  std::optional<std::int64_t> cpu_unknown_pods;
  std::optional<std::int64_t> memory_bytes;
  std::optional<std::int64_t> memory_unknown_pods;
  std::optional<std::int64_t> volume_bytes;
  std::optional<int> step;
  friend bool operator==(const Peak&, const Peak&) = default;
};

/// What one node has to read and to write.
struct NodeTraffic {
  std::string name;
  std::int64_t in = 0;   ///< bytes
  std::int64_t out = 0;  ///< bytes
  friend bool operator==(const NodeTraffic&, const NodeTraffic&) = default;
};

struct Totals {
  std::int64_t steps = 0;
  std::int64_t phases = 0;
  std::optional<std::int64_t> bytes;
  std::optional<std::int64_t> seconds_at_least;
  std::optional<std::int64_t> added, removed, replaced, restarted, recreated, moved;
  std::optional<Peak> peak;
  std::vector<NodeTraffic> per_node;  ///< nodes with any, by name
  friend bool operator==(const Totals&, const Totals&) = default;
};

struct Queue {
  std::string name;
  std::optional<std::int64_t> limit;
  std::int64_t running = 0;
  std::vector<std::string> waiting;
  friend bool operator==(const Queue&, const Queue&) = default;
};

/// The moment at which least is left of something.
struct Weakest {
  std::optional<int> step;  ///< none: before the first step
  std::string what;         ///< "redundancy", "free memory", "free space", "quorum", "replicas"
  std::string where;
  Value left;  ///< bytes where `what` is free memory or free space
  Value required;
  friend bool operator==(const Weakest&, const Weakest&) = default;
};

struct Plan {
  System system = System::Ganeti;
  std::string tool;
  std::string tool_version;
  Value options;  ///< the options that shaped the plan, normalised
  Value cluster;  ///< name, namespace, generation, group: what there is of them
  std::string profile;
  std::string now;          ///< the clock that was used, RFC 3339 UTC
  std::string fingerprint;  ///< SHA-256 of the canonical model that was planned on
  Outcome result = Outcome::NoChange;
  std::string headline;  ///< one line for people: what changes, how long at least, how much moves,
                         ///< worst moment
  std::vector<CodedText> assumptions;
  std::vector<CodedText> notes;
  std::vector<Step> steps;
  std::vector<Blocked> blocked;
  std::vector<CodedText> deferred;
  std::vector<CodedText> later;
  std::vector<Warning> warnings;
  std::optional<Score> score;
  /// Summary per node / domain / set: map of name -> figures. A figure is a number or a text, a
  /// gauge (a map with the integers "used" and "total", drawn as a bar), or a map of figures. A key
  /// that ends in "_bytes" says so for all below it. Ganeti nodes: memory_bytes (gauge), disk_bytes
  /// (gauge), storage_bytes (unit -> gauge), vcpus (gauge), primaries, secondaries.
  Value before;
  Value after;
  /// What there was when the plan was made, whether it is touched or not: kind ("instance",
  /// "process_group", "pod", "store") -> name -> where it is and how big. By it later snapshots
  /// tell what came, went, moved and grew; no rendering for people shows it.
  Value objects;
  Totals totals;
  std::vector<Queue> queues;
  std::vector<Weakest> weakest;  ///< one for each thing that may run short; empty: not computed
  friend bool operator==(const Plan&, const Plan&) = default;
};

/// Does an operator make the steps? Then people only watch.
bool has_operator(System system);

/// The words of the JSON form.
std::string_view to_string(System system);
std::string_view to_string(Outcome outcome);
std::string_view to_string(Severity severity);
std::string_view to_string(CommandUse use);

}  // namespace ballast::plan
