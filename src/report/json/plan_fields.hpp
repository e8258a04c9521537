// SPDX-License-Identifier: BSD-2-Clause
// The keys of a plan, once for writing and for reading, in the documented order. An archive offers
//   required(key, field)  always written, must be there
//   optional(key, field)  left out where the field has its default value
//   optional_map(key, field)  the same for a value that is a map
//   one_or_list(key, field)  a list that is written as its item where it has one only
// and kReads, which says whether fields are const.
#pragma once

#include "ballast/plan/plan.hpp"

#include <string>
#include <string_view>
#include <type_traits>

namespace ballast::report {

inline constexpr std::string_view kPlanFormat = "ballast-plan";
inline constexpr int kPlanVersion = 1;

template <class Archive, class T>
using Field = std::conditional_t<Archive::kReads, T, const T>&;

template <class Archive>
void describe(Archive& a, Field<Archive, plan::Subject> subject) {
  a.required("kind", subject.kind);
  a.required("name", subject.name);
  a.optional("group", subject.group);
}

template <class Archive>
void describe(Archive& a, Field<Archive, plan::CodedText> text) {
  a.required("code", text.code);
  a.required("text", text.text);
}

template <class Archive>
void describe(Archive& a, Field<Archive, plan::Reason> reason) {
  a.required("code", reason.code);
  a.required("text", reason.text);
  a.optional("rule", reason.rule);
  a.optional("metric", reason.metric);
  a.optional("gain", reason.gain);
}

template <class Archive>
void describe(Archive& a, Field<Archive, plan::Wait> wait) {
  a.optional("step", wait.step);
  a.optional("gate", wait.gate);
  a.required("text", wait.text);
  a.optional("required", wait.required);
  a.optional("observed", wait.observed);
  a.optional("ok", wait.ok);
  a.optional("seconds_at_least", wait.seconds_at_least);
}

template <class Archive>
void describe(Archive& a, Field<Archive, plan::Command> command) {
  a.required("use", command.use);
  a.required("text", command.text);
}

template <class Archive>
void describe(Archive& a, Field<Archive, plan::Gate> gate) {
  a.required("text", gate.text);
  a.required("command", gate.command);
}

template <class Archive>
void describe(Archive& a, Field<Archive, plan::Link> link) {
  a.required("from", link.from);
  a.required("to", link.to);
  a.required("bytes", link.bytes);
}

template <class Archive>
void describe(Archive& a, Field<Archive, plan::Cost> cost) {
  a.optional("bytes", cost.bytes);
  a.optional("links", cost.links);
  a.optional("seconds_at_least", cost.seconds_at_least);
}

template <class Archive>
void describe(Archive& a, Field<Archive, plan::Unprotected> unprotected) {
  a.required("what", unprotected.what);
  a.required("name", unprotected.name);
  a.optional("until_step", unprotected.until_step);
}

template <class Archive>
void describe(Archive& a, Field<Archive, plan::Change> change) {
  a.required("path", change.path);
  a.optional("from", change.from);
  a.optional("to", change.to);
}

template <class Archive>
void describe(Archive& a, Field<Archive, plan::Step> step) {
  a.required("n", step.n);
  a.required("phase", step.phase);
  a.required("action", step.action);
  a.required("subject", step.subject);
  a.optional("targets", step.targets);
  a.optional("from", step.from);
  a.optional("to", step.to);
  a.optional("changes", step.changes);
  a.required("reason", step.reason);
  a.optional("waits_for", step.waits_for);
  a.optional("commands", step.commands);
  a.optional("done_when", step.done_when);
  a.optional("cost", step.cost);
  a.optional("unprotected", step.unprotected);
  a.optional("before", step.before);
  a.optional("after", step.after);
  a.optional("substeps", step.substeps);
  a.optional("risks", step.risks);
  a.optional("detail", step.detail);
  a.optional(a.system_key, step.system);
}

template <class Archive>
void describe(Archive& a, Field<Archive, plan::Remedy> remedy) {
  a.required("text", remedy.text);
  a.optional("set", remedy.set);
  a.optional("commands", remedy.commands);
}

template <class Archive>
void describe(Archive& a, Field<Archive, plan::Blocked> blocked) {
  a.optional("step", blocked.step);
  a.required("code", blocked.code);
  a.required("text", blocked.text);
  a.optional("subject", blocked.subject);
  a.optional("gate", blocked.gate);
  a.optional("required", blocked.required);
  a.optional("observed", blocked.observed);
  a.optional("cycle", blocked.cycle);
  a.optional("remedies", blocked.remedies);
}

template <class Archive>
void describe(Archive& a, Field<Archive, plan::Warning> warning) {
  a.required("code", warning.code);
  a.required("severity", warning.severity);
  a.required("text", warning.text);
  a.optional("steps", warning.steps);
  a.optional("subject", warning.subject);
}

template <class Archive>
void describe(Archive& a, Field<Archive, plan::MetricRow> row) {
  a.required("name", row.name);
  a.required("weight", row.weight);
  a.required("before", row.before);
  a.required("after", row.after);
  a.optional("units", row.units);
}

template <class Archive>
void describe(Archive& a, Field<Archive, plan::Score> score) {
  a.required("before", score.before);
  a.required("after", score.after);
  a.required("metrics", score.metrics);
  a.optional("lowest_possible", score.lowest_possible);
}

template <class Archive>
void describe(Archive& a, Field<Archive, plan::Peak> peak) {
  a.optional("pods", peak.pods);
  a.optional("cpu_milli", peak.cpu_milli);
  a.optional("cpu_unknown_pods", peak.cpu_unknown_pods);
  a.optional("memory_bytes", peak.memory_bytes);
  a.optional("memory_unknown_pods", peak.memory_unknown_pods);
  a.optional("volume_bytes", peak.volume_bytes);
  a.optional("step", peak.step);
}

template <class Archive>
void describe(Archive& a, Field<Archive, plan::NodeTraffic> traffic) {
  a.required("name", traffic.name);
  a.required("in", traffic.in);
  a.required("out", traffic.out);
}

template <class Archive>
void describe(Archive& a, Field<Archive, plan::Totals> totals) {
  a.required("steps", totals.steps);
  a.required("phases", totals.phases);
  a.optional("bytes", totals.bytes);
  a.optional("seconds_at_least", totals.seconds_at_least);
  a.optional("added", totals.added);
  a.optional("removed", totals.removed);
  a.optional("replaced", totals.replaced);
  a.optional("restarted", totals.restarted);
  a.optional("recreated", totals.recreated);
  a.optional("moved", totals.moved);
  a.optional("peak", totals.peak);
  a.optional("per_node", totals.per_node);
}

template <class Archive>
void describe(Archive& a, Field<Archive, plan::Queue> queue) {
  a.required("name", queue.name);
  a.optional("limit", queue.limit);
  a.required("running", queue.running);
  a.required("waiting", queue.waiting);
}

template <class Archive>
void describe(Archive& a, Field<Archive, plan::Weakest> weakest) {
  a.optional("step", weakest.step);
  a.required("what", weakest.what);
  a.required("where", weakest.where);
  a.optional("left", weakest.left);
  a.optional("required", weakest.required);
}

/// All of the document but kind, format, version and seal.
template <class Archive>
void describe(Archive& a, Field<Archive, plan::Plan> plan) {
  a.required("system", plan.system);
  a.system_key = plan::to_string(plan.system);
  a.required("tool", plan.tool);
  a.required("tool_version", plan.tool_version);
  a.optional_map("options", plan.options);
  a.optional_map("cluster", plan.cluster);
  a.optional("profile", plan.profile);
  a.optional("now", plan.now);
  a.required("fingerprint", plan.fingerprint);
  a.required("result", plan.result);
  a.optional("headline", plan.headline);
  a.required("assumptions", plan.assumptions);
  a.required("notes", plan.notes);
  a.required("steps", plan.steps);
  a.required("blocked", plan.blocked);
  a.required("deferred", plan.deferred);
  a.required("later", plan.later);
  a.required("warnings", plan.warnings);
  a.optional("score", plan.score);
  a.optional_map("before", plan.before);
  a.optional_map("after", plan.after);
  a.optional_map("objects", plan.objects);
  a.required("totals", plan.totals);
  a.optional("queues", plan.queues);
  a.one_or_list("weakest", plan.weakest);
}

}  // namespace ballast::report
