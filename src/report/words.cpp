// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/report/words.hpp"

#include "ballast/core/decimal.hpp"
#include "ballast/core/words.hpp"
#include "ballast/report/document.hpp"
#include "ballast/report/document_words.hpp"

#include "ballast/core/visible.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace ballast::report {
namespace {

void append_part(std::string& text, const std::string& part) {
  if (part.empty()) return;
  if (!text.empty()) text += ", ";
  text += part;
}

void append_unknown(std::string& text, std::string_view what,
                    const std::optional<std::int64_t>& pods) {
  if (pods.value_or(0) > 0)
    append_part(text, fmt::format("{} of {} unknown", what, counted(*pods, "pod")));
}

std::vector<plan::Warning> warnings_where(const plan::Plan& plan, bool is_danger) {
  std::vector<plan::Warning> warnings;
  std::ranges::copy_if(plan.warnings, std::back_inserter(warnings), [&](const auto& warning) {
    return (warning.severity == plan::Severity::Danger) == is_danger;
  });
  return warnings;
}

/// How much is copied in all; "at least" where a store's data are not known (htidb leaves the bytes
/// of such a step out, all others tell theirs).
std::string bytes_text(const plan::Plan& plan) {
  const auto& bytes = plan.totals.bytes;
  if (!bytes) return "";
  const bool is_least =
      plan.system == plan::System::Tidb &&
      std::ranges::any_of(plan.steps, [](const plan::Step& step) { return !step.cost.bytes; });
  if (*bytes == 0) return is_least ? "" : "nothing to copy";
  return fmt::format("{}{} to copy", is_least ? "at least " : "", size_text(*bytes));
}

bool is_in_bytes(const plan::Weakest& weakest) {
  return weakest.what == "free memory" || weakest.what == "free space";
}

std::string figure(const plan::Weakest& weakest, const Value& value) {
  const auto* number = value.get<std::int64_t>();
  return number != nullptr && is_in_bytes(weakest) ? size_text(*number) : value_text(value);
}

}  // namespace

bool is_of_bytes(std::string_view key) { return key.ends_with("_bytes"); }

std::string key_words(std::string_view key) {
  if (key == "initial") return "now";
  if (key == "final") return "after rebalancing";
  if (key.starts_with("is_")) key.remove_prefix(std::string_view("is_").size());
  if (is_of_bytes(key)) key.remove_suffix(std::string_view("_bytes").size());
  std::string words = key_in_words(key);
  if (const auto at = words.find("n1"); at != std::string::npos) words.replace(at, 2, "N+1");
  return words;
}

std::string value_text(const Value& value) {
  if (const auto* flag = value.get<bool>()) return *flag ? "yes" : "no";
  if (const auto* integer = value.get<std::int64_t>()) return std::to_string(*integer);
  if (const auto* number = value.get<double>()) return plain(*number);
  if (const auto* text = value.get<std::string>()) return *text;
  std::string text;
  if (const auto* list = value.get<ValueList>()) {
    for (const Value& item : *list) append_part(text, value_text(item));
    return text.empty() ? "none" : text;
  }
  if (const auto* map = value.get<ValueMap>()) {
    for (const auto& [key, item] : *map)
      append_part(text, fmt::format("{} {}", key, value_text(item)));
    return text.empty() ? "nothing" : text;
  }
  return "nothing";
}

std::string subject_text(const plan::Subject& subject) {
  const std::string kind = key_in_words(subject.kind);
  std::string text = kind.empty() ? subject.name : kind + " " + subject.name;
  if (!subject.group.empty()) text += fmt::format(" ({})", subject.group);
  return text;
}

std::string_view phase_word(plan::System system) {
  switch (system) {
    case plan::System::Ganeti:
      return "job set";
    case plan::System::Fdb:
      return "pass";
    case plan::System::Tidb:
    case plan::System::Kubernetes:
      return "phase";
  }
  return "phase";
}

std::string placement_text(const plan::Step& step) {
  if (step.from.is_null() && step.to.is_null()) return "";
  if (step.to.is_null()) return "from " + value_text(step.from);
  if (step.from.is_null()) return "to " + value_text(step.to);
  const auto* from = step.from.get<ValueMap>();
  const auto* to = step.to.get<ValueMap>();
  const bool has_same_keys = from != nullptr && to != nullptr && !from->empty() &&
                             std::ranges::equal(*from, *to, {}, &ValueMap::value_type::first,
                                                &ValueMap::value_type::first);
  if (!has_same_keys) return fmt::format("{} -> {}", value_text(step.from), value_text(step.to));
  std::string text;
  for (std::size_t i = 0; i < from->size(); ++i) {
    const auto& [key, old_value] = (*from)[i];
    std::string part = key + " " + value_text(old_value);
    if (old_value != (*to)[i].second) part += " -> " + value_text((*to)[i].second);
    append_part(text, part);
  }
  return text;
}

std::string change_text(const plan::Change& change) {
  const auto side = [](const Value& value) {
    return value.is_null() ? std::string("not set") : value_text(value);
  };
  return fmt::format("{}: {} -> {}", change.path, side(change.from), side(change.to));
}

std::string cost_text(const plan::Cost& cost) {
  std::string text;
  if (cost.bytes) text = *cost.bytes == 0 ? "nothing to copy" : "copies " + size_text(*cost.bytes);
  std::string links;
  for (const plan::Link& link : cost.links) {
    append_part(links, cost.links.size() == 1 && cost.bytes == link.bytes
                           ? fmt::format("{} -> {}", link.from, link.to)
                           : fmt::format("{} -> {} {}", link.from, link.to, size_text(link.bytes)));
  }
  if (!links.empty()) text += (text.empty() ? "copies " : ": ") + links;
  if (cost.seconds_at_least.value_or(0) > 0)
    append_part(text, "at least " + duration_text(*cost.seconds_at_least));
  return text;
}

std::string wait_text(const plan::Wait& wait) {
  std::string text;
  if (wait.step) text = fmt::format("step {}", *wait.step);
  if (!wait.text.empty()) text += (text.empty() ? "" : ": ") + wait.text;
  if (text.empty()) text = wait.gate;
  std::string facts;
  if (!wait.required.is_null()) append_part(facts, "required " + value_text(wait.required));
  if (!wait.observed.is_null()) append_part(facts, "observed " + value_text(wait.observed));
  if (wait.seconds_at_least)
    append_part(facts, "at least " + duration_text(*wait.seconds_at_least));
  if (wait.ok) append_part(facts, *wait.ok ? "holds now" : "does not hold yet");
  if (!facts.empty()) text += fmt::format(" ({})", facts);
  return text;
}

std::string reason_text(const plan::Reason& reason) {
  std::string text = reason.text.empty() ? reason.code : reason.text;
  std::string facts;
  // What the sentence says already is not said again.
  const auto add = [&](const std::string& word, const std::string& fact) {
    if (text.find(fact) == std::string::npos) append_part(facts, word + fact);
  };
  if (!reason.rule.empty()) add("rule ", reason.rule);
  if (!reason.metric.empty()) add("metric ", reason.metric);
  if (reason.gain) add("score -", fixed(*reason.gain, 8));
  if (!facts.empty()) text += fmt::format(" [{}]", facts);
  return text;
}

std::string coded_text(plan::System system, const plan::CodedText& coded) {
  if (coded.text.empty()) return coded.code;
  const bool has_code = system == plan::System::Tidb && !coded.code.empty();
  return has_code ? fmt::format("{}: {}", coded.code, coded.text) : coded.text;
}

std::string warning_text(plan::System system, const plan::Warning& warning) {
  const std::string& name = warning.subject.name;
  const bool is_said = name.empty() || warning.text.starts_with(name);
  const std::string& text = warning.text.empty() ? warning.code : warning.text;
  return coded_text(system, {warning.text.empty() ? "" : warning.code,
                             is_said ? text : subject_text(warning.subject) + ": " + text});
}

std::string warning_line(plan::System system, const plan::Warning& warning) {
  std::string text =
      fmt::format("{}: {}", to_string(warning.severity), warning_text(system, warning));
  if (!warning.steps.empty()) {
    text += fmt::format(" ({} {})", of_count(warning.steps.size(), "step", "steps"),
                        fmt::join(warning.steps, ", "));
  }
  return text;
}

std::vector<plan::Warning> dangers_of(const plan::Plan& plan) { return warnings_where(plan, true); }

std::vector<plan::Warning> other_warnings_of(const plan::Plan& plan) {
  return warnings_where(plan, false);
}

std::vector<std::string> unprotected_texts(const std::vector<plan::Unprotected>& unprotected) {
  struct Loss {
    const plan::Unprotected* first;
    std::vector<std::string> names;
  };
  std::vector<Loss> losses;
  for (const plan::Unprotected& one : unprotected) {
    const auto same = std::ranges::find_if(losses, [&](const Loss& loss) {
      return loss.first->what == one.what && loss.first->until_step == one.until_step;
    });
    if (same == losses.end()) {
      losses.push_back({&one, {one.name}});
    } else {
      same->names.push_back(one.name);
    }
  }
  std::vector<std::string> texts;
  for (const Loss& loss : losses) {
    std::string text = loss.first->what;
    std::string names;
    for (const std::string& name : loss.names) append_part(names, name);
    if (!names.empty()) text = fmt::format("{}: {}", names, text);
    if (loss.first->until_step)
      text += fmt::format(", until step {} is done", *loss.first->until_step);
    texts.push_back(std::move(text));
  }
  return texts;
}

std::string weakest_text(const plan::Weakest& weakest) {
  if (weakest.what == "redundancy" && weakest.step && weakest.left.is_null()) {
    return fmt::format("during step {}: least redundancy: {}", *weakest.step, weakest.where);
  }
  std::string text =
      weakest.step ? fmt::format("after step {}: ", *weakest.step) : "before the first step: ";
  text += weakest.what;
  if (weakest.left.is_string())
    return fmt::format("{}: {}, {}", text, weakest.where, value_text(weakest.left));
  if (const auto* zones = weakest.left.get<std::int64_t>(); zones && weakest.what == "redundancy") {
    return fmt::format(
        "{}: {} down, {}", text, weakest.where,
        *zones < 0 ? "more than may fail" : counted(*zones, "more zone") + " may fail");
  }
  if (!weakest.where.empty()) text += " on " + weakest.where;
  if (!weakest.left.is_null()) text += ": " + figure(weakest, weakest.left) + " left";
  if (!weakest.required.is_null() && weakest.required != Value(0))
    text += ", " + figure(weakest, weakest.required) + " required";
  return text;
}

std::string peak_text(const plan::Peak& peak) {
  std::string text;
  if (peak.pods) append_part(text, counted(*peak.pods, "pod"));
  if (peak.cpu_milli)
    append_part(text, plain(static_cast<double>(*peak.cpu_milli) / 1000) + " CPU");
  append_unknown(text, "CPU", peak.cpu_unknown_pods);
  if (peak.memory_bytes) append_part(text, size_text(*peak.memory_bytes) + " memory");
  append_unknown(text, "memory", peak.memory_unknown_pods);
  if (peak.volume_bytes) append_part(text, size_text(*peak.volume_bytes) + " volumes");
  if (!text.empty() && peak.step) text += fmt::format(" (after step {})", *peak.step);
  return text;
}

std::string totals_text(const plan::Plan& plan) {
  const plan::Totals& totals = plan.totals;
  std::string text = counted(totals.steps, "step");
  if (totals.phases > 0) text += " in " + counted(totals.phases, phase_word(plan.system));
  if (plan.system == plan::System::Fdb && totals.phases > 1) text.replace(text.size() - 1, 1, "es");
  append_part(text, bytes_text(plan));
  if (totals.seconds_at_least)
    append_part(text, "at least " + duration_text(*totals.seconds_at_least));
  const std::pair<std::optional<std::int64_t>, const char*> counts[] = {
      {totals.added, "added"},         {totals.removed, "removed"},
      {totals.replaced, "replaced"},   {totals.restarted, "restarted"},
      {totals.recreated, "recreated"}, {totals.moved, "moved"}};
  for (const auto& [count, word] : counts) {
    if (count && *count != 0) append_part(text, fmt::format("{} {}", *count, word));
  }
  return text;
}

std::string_view outcome_text(plan::Outcome outcome) {
  switch (outcome) {
    case plan::Outcome::NoChange:
      return "nothing to do";
    case plan::Outcome::Changes:
      return "changes";
    case plan::Outcome::Blocked:
      return "blocked";
    case plan::Outcome::Skipped:
      return "skipped";
  }
  return "";
}

std::string headline_text(const plan::Plan& plan) {
  if (!plan.headline.empty()) return plan.headline;
  if (plan.steps.empty() && plan.result == plan::Outcome::NoChange) return "Nothing to do.";
  std::string text = totals_text(plan);
  if (plan.result == plan::Outcome::Blocked) text += "; blocked";
  if (plan.result == plan::Outcome::Skipped) text += "; skipped";
  return text + ".";
}

std::string origin_text(const plan::Plan& plan) {
  std::string text = plan.tool;
  if (!plan.tool_version.empty()) text += " " + plan.tool_version;
  if (!plan.cluster.is_null()) append_part(text, value_text(plan.cluster));
  if (!plan.profile.empty()) append_part(text, "profile " + plan.profile);
  if (!plan.now.empty()) append_part(text, plan.now);
  if (!plan.fingerprint.empty()) append_part(text, "snapshot " + plan.fingerprint.substr(0, 12));
  return text;
}

std::string blocked_text(const plan::Blocked& blocked) {
  std::string text;
  if (blocked.step) text = fmt::format("step {}: ", *blocked.step);
  if (!blocked.subject.name.empty()) text += subject_text(blocked.subject) + ": ";
  text += blocked.text.empty() ? blocked.code : blocked.text;
  std::string facts;
  if (!blocked.gate.empty()) append_part(facts, "gate " + blocked.gate);
  if (!blocked.required.is_null()) append_part(facts, "required " + value_text(blocked.required));
  if (!blocked.observed.is_null()) append_part(facts, "observed " + value_text(blocked.observed));
  if (!facts.empty()) text += fmt::format(" ({})", facts);
  return text;
}

std::string queue_text(const plan::Queue& queue) {
  std::string text = fmt::format("{}: {} running", queue.name, queue.running);
  if (queue.limit) text += fmt::format(" of at most {}", *queue.limit);
  if (!queue.waiting.empty()) {
    text += fmt::format(", {} waiting: {}", queue.waiting.size(), fmt::join(queue.waiting, ", "));
  }
  return text;
}

std::vector<PhaseRange> phases_of(const plan::Plan& plan) {
  std::vector<PhaseRange> ranges;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    if (ranges.empty() || ranges.back().phase != plan.steps[i].phase)
      ranges.push_back({plan.steps[i].phase, i, i});
    ranges.back().last = i + 1;
  }
  return ranges;
}

std::string score_text(double score) { return fixed(score, 8); }

std::string one_line(std::string_view text) {
  std::string line(text);
  for (char& c : line) {
    if (c == '\n' || c == '\t') c = ' ';
  }
  return visible(line);
}

std::string severity_word(Severity severity) {
  switch (severity) {
    case Severity::Note:
      return "note";
    case Severity::Warning:
      return "warning";
    case Severity::Error:
      return "error";
  }
  return "note";
}

}  // namespace ballast::report
