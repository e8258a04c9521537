// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/report/metrics.hpp"

#include "ballast/core/file.hpp"

#include "ballast/report/figures.hpp"
#include "ballast/report/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>

namespace ballast::report {
namespace {

/// A label's value: backslash, quote and line break have escapes.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '"') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out;
}

std::string number_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  if (value == std::floor(value) && std::abs(value) < 1e15)
    return fmt::format("{}", static_cast<std::int64_t>(value));
  return fmt::format("{}", value);
}

/// A name may hold letters, digits and underscores.
std::string name_word(std::string_view text) {
  std::string word;
  for (const char c : text) {
    word += std::isalnum(static_cast<unsigned char>(c)) != 0
                ? static_cast<char>(std::tolower(static_cast<unsigned char>(c)))
                : '_';
  }
  return word;
}

std::optional<double> number_of(const Value& value) {
  if (const auto* integer = value.get<std::int64_t>()) return static_cast<double>(*integer);
  if (const auto* number = value.get<double>()) return *number;
  if (const auto* flag = value.get<bool>()) return *flag ? 1.0 : 0.0;
  return std::nullopt;
}

/// Endings that Prometheus keeps for counters and histograms get a word behind them.
std::string gauge_name(std::string name) {
  for (const std::string_view ending : {"_total", "_count", "_sum", "_bucket"}) {
    if (name.ends_with(ending)) return name + "_now";
  }
  return name;
}

void add_score(const plan::Plan& plan, Metrics& metrics) {
  if (!plan.score) return;
  const plan::Score& score = *plan.score;
  metrics.add("score", "Score of the cluster as it is", {}, score.before);
  metrics.add("score_reachable", "Score once the plan is made", {}, score.after);
  for (const plan::MetricRow& row : score.metrics) {
    metrics.add("score_metric", "A metric of the score before it is weighted",
                {{"metric", row.name}}, row.before);
    metrics.add("score_metric_reachable", "The same once the plan is made", {{"metric", row.name}},
                row.after);
  }
}

void add_totals(const plan::Plan& plan, Metrics& metrics) {
  metrics.add("plan_steps", "Steps that the plan wants", {},
              static_cast<double>(plan.steps.size()));
  metrics.add("plan_blocked", "What could not be done", {},
              static_cast<double>(plan.blocked.size()));
  if (plan.totals.bytes) {
    metrics.add("plan_copy_bytes", "Bytes that the plan copies", {},
                static_cast<double>(*plan.totals.bytes));
  }
  if (plan.totals.seconds_at_least) {
    metrics.add("plan_duration_seconds", "How long the plan takes at least", {},
                static_cast<double>(*plan.totals.seconds_at_least));
  }
  std::map<std::pair<std::string, std::string>, int> warnings;
  for (const plan::Warning& warning : plan.warnings)
    ++warnings[{warning.code, std::string(to_string(warning.severity))}];
  for (const auto& [key, count] : warnings) {
    metrics.add("plan_warnings", "Warnings of the plan by code",
                {{"code", key.first}, {"severity", key.second}}, count);
  }
}

std::size_t nodes_without_n1(const Value& nodes) {
  const auto* map = nodes.get<ValueMap>();
  if (map == nullptr) return 0;
  return static_cast<std::size_t>(std::ranges::count_if(*map, [](const auto& entry) {
    const Value* holds = entry.second.find("n_plus_one");
    return holds != nullptr && *holds == Value(false);
  }));
}

std::string capitalised(std::string text) {
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

/// One side of a figure: used and free of a gauge, or the number.
void add_figure(const std::string& name, const FigureSection& section, const Value& value,
                const Labels& labels, std::string_view when, Metrics& metrics) {
  const std::string unit = section.is_bytes ? "_bytes" : "";
  if (const auto gauge = gauge_of(value)) {
    metrics.add(name + "_used" + unit, fmt::format("Used {}{}", section.figure, when), labels,
                static_cast<double>(gauge->used));
    metrics.add(name + "_free" + unit, fmt::format("Free {}{}", section.figure, when), labels,
                static_cast<double>(gauge->total - gauge->used));
  } else if (const auto number = number_of(value)) {
    metrics.add(gauge_name(name + unit), capitalised(section.figure) + std::string(when), labels,
                *number);
  }
}

/// Ganeti: each node as it is. Operators: each set of pods (and the configuration) as it is and as
/// it is wanted.
void add_figures(const plan::Plan& plan, Metrics& metrics) {
  const bool is_ganeti = plan.system == plan::System::Ganeti;
  const std::string prefix = is_ganeti ? "node" : std::string(to_string(plan.system));
  for (const FigureSection& section : figure_sections(plan)) {
    const std::string name = prefix + "_" + name_word(section.figure);
    for (const FigureRow& row : section.rows) {
      Labels labels = {{is_ganeti ? "node" : "name", row.name}};
      if (!section.unit.empty()) labels.emplace_back("unit", section.unit);
      add_figure(name, section, row.before, labels, "", metrics);
      if (!is_ganeti)
        add_figure("wanted_" + name, section, row.after, labels, " once the plan is made", metrics);
    }
  }
  if (is_ganeti) {
    metrics.add("nplus1_failures", "Nodes whose failure the others could not take", {},
                static_cast<double>(nodes_without_n1(plan.before)));
  }
}

/// Text cells of a row name it (else its number from 1), number cells are what it tells.
void add_row(const DataTable& table, std::size_t row, std::string_view tool, Metrics& metrics) {
  const ValueList& cells = table.rows[row];
  Labels labels;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const auto* text = cells[i].get<std::string>();
    if (text != nullptr && !text->empty()) labels.emplace_back(table.columns[i], *text);
  }
  if (labels.empty()) labels.emplace_back("row", std::to_string(row + 1));
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const auto number = number_of(cells[i]);
    if (!number) continue;
    metrics.add(gauge_name(fmt::format("{}_{}_{}", tool, name_word(table.name),
                                       name_word(table.columns[i]))),
                fmt::format("Column {} of the table {} of {}", table.columns[i], table.name, tool),
                labels, *number);
  }
}

/// Numbers of a summary, maps in it included.
void add_numbers(const Value& value, const std::string& name, Metrics& metrics) {
  if (const auto number = number_of(value)) {
    metrics.add(gauge_name(name), "Summary of the report", {}, *number);
  } else if (const auto* map = value.get<ValueMap>()) {
    for (const auto& [key, item] : *map) add_numbers(item, name + "_" + name_word(key), metrics);
  }
}

}  // namespace

void Metrics::add(std::string_view name, std::string_view help, Labels labels, double value) {
  const auto known = std::ranges::find(families_, name, &Family::name);
  if (known == families_.end()) {
    families_.push_back({std::string(name), std::string(help), {{std::move(labels), value}}});
    return;
  }
  // A name with the same labels twice is no valid file: the last counts.
  const auto same = std::ranges::find(known->samples, labels, &std::pair<Labels, double>::first);
  if (same == known->samples.end()) {
    known->samples.emplace_back(std::move(labels), value);
  } else {
    same->second = value;
  }
}

std::string Metrics::text() const {
  std::string text;
  for (const Family& family : families_) {
    text += fmt::format("# HELP ballast_{0} {1}.\n# TYPE ballast_{0} gauge\n", family.name,
                        escaped(one_line(family.help)));
    for (const auto& [labels, value] : family.samples) {
      text += "ballast_" + family.name;
      for (std::size_t i = 0; i < labels.size(); ++i) {
        text += fmt::format("{}{}=\"{}\"", i == 0 ? "{" : ",", name_word(labels[i].first),
                            escaped(labels[i].second));
      }
      text += fmt::format("{} {}\n", labels.empty() ? "" : "}", number_text(value));
    }
  }
  return text;
}

void add_plan(const plan::Plan& plan, Metrics& metrics) {
  add_score(plan, metrics);
  add_totals(plan, metrics);
  add_figures(plan, metrics);
}

void add_document(const Document& document, Metrics& metrics) {
  add_numbers(document.summary, document.tool, metrics);
  std::map<std::pair<std::string, std::string>, int> findings;
  for (const Finding& finding : document.findings)
    ++findings[{finding.code, severity_word(finding.severity)}];
  for (const auto& [key, count] : findings) {
    metrics.add("findings", "Findings by code", {{"code", key.first}, {"severity", key.second}},
                count);
  }
  for (const DataTable& table : document.tables) {
    for (std::size_t row = 0; row < table.rows.size(); ++row)
      add_row(table, row, document.tool, metrics);
  }
}

Status write_plan_metrics(const plan::Plan& plan, const std::string& file) {
  Metrics metrics;
  add_plan(plan, metrics);
  return write_file(file, metrics.text());
}

Status write_document_metrics(const Document& document, const std::string& file) {
  Metrics metrics;
  add_document(document, metrics);
  return write_file(file, metrics.text());
}

}  // namespace ballast::report
