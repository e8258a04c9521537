// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "analysis_report.hpp"
#include "ballast/core/table.hpp"
#include "ballast/core/units.hpp"
#include "ballast/core/words.hpp"
#include "ballast/kube/object.hpp"

namespace ballast::fdb {
namespace {

constexpr std::size_t kTold = 8;  ///< of a list, to stay on one screen; --json has all

std::string line(std::string_view word, std::string_view text) {
  return fmt::format("  {:<13} {}\n", word, text);
}

std::string listed(const std::vector<std::string>& texts) {
  const std::size_t told = std::min(kTold, texts.size());
  std::string text = fmt::format(
      "{}", fmt::join(texts.begin(), texts.begin() + static_cast<std::ptrdiff_t>(told), "; "));
  if (texts.size() > told) text += fmt::format(" and {} more", texts.size() - told);
  return text;
}

std::string exclusion_text(const RunningExclusion& exclusion) {
  std::string text = exclusion.id + ": ";
  if (exclusion.is_complete) {
    text += "complete";
  } else {
    text +=
        exclusion.bytes_left ? size_text(*exclusion.bytes_left) + " left" : "bytes left unknown";
  }
  return exclusion.is_marked ? text : text + ", not marked for removal";
}

std::string terminating_text(const TerminatingResource& resource) {
  std::string text = resource.id + ": " + resource.what;
  if (resource.since) text += " since " + kube::format_time(*resource.since);
  return resource.is_stuck ? text + ", stuck" : text;
}

template <class T, class Text>
std::vector<std::string> texts_of(const std::vector<T>& items, const Text& text) {
  std::vector<std::string> texts;
  for (const T& item : items) texts.push_back(text(item));
  return texts;
}

std::string reconciled_text(const Analysis& analysis) {
  if (!analysis.blocked.empty()) return "no, blocked: " + listed(analysis.blocked);
  if (analysis.steps > 0) {
    const std::string left = analysis.left.empty() ? "" : ": " + listed(analysis.left);
    return fmt::format("no, {} left (hfdb plan shows them){}", counted(analysis.steps, "step"),
                       left);
  }
  return analysis.left.empty() ? "yes" : "no: " + listed(analysis.left);
}

std::string database_lines(const Analysis& analysis) {
  if (!analysis.is_known) return line("database", "not known: no --status was given");
  std::string available = analysis.is_available ? "yes" : "NO";
  if (!analysis.primary.empty()) available += ", primary data center " + analysis.primary;
  std::string text = line("available", available);
  text += line("replication", analysis.replication.empty() ? "full" : analysis.replication);
  std::string coordinators = fmt::format("{} of {} reachable", analysis.coordinators_reachable,
                                         analysis.coordinators_total);
  if (!analysis.coordinators.empty()) coordinators += "; " + analysis.coordinators;
  return text + line("coordinators", coordinators);
}

std::string class_table(const Analysis& analysis) {
  using Align = TextTable::Align;
  std::vector<std::vector<std::string>> rows;
  for (const ClassHealth& row : analysis.classes) {
    rows.push_back({std::string(name(row.process_class)), std::to_string(row.wanted),
                    std::to_string(row.groups), std::to_string(row.unhealthy),
                    std::to_string(row.leaving), std::to_string(row.zones),
                    row.stored_bytes ? size_text(*row.stored_bytes) : "-"});
  }
  const TextTable table{{{"class", Align::Left},
                         {"wanted", Align::Right},
                         {"groups", Align::Right},
                         {"unhealthy", Align::Right},
                         {"leaving", Align::Right},
                         {"zones", Align::Right},
                         {"stored", Align::Right}},
                        rows};
  return table.render(" ");
}

Value optional_bytes(const std::optional<std::int64_t>& bytes) {
  return bytes ? Value(*bytes) : Value();
}

}  // namespace

std::string analysis_to_text(const Analysis& analysis, const Cluster& cluster) {
  std::string text = fmt::format("{}/{} at {}: {}\n", cluster.name_space, cluster.name,
                                 kube::format_time(cluster.now),
                                 analysis.is_well() ? "all is well" : "not all is well");
  text += database_lines(analysis);
  text += line("reconciled", reconciled_text(analysis));
  text += line("unhealthy", analysis.unhealthy.empty() ? "none" : listed(analysis.unhealthy));
  text += line("terminating", analysis.terminating.empty()
                                  ? "nothing"
                                  : listed(texts_of(analysis.terminating, &terminating_text)));
  text += line("exclusions", analysis.exclusions.empty()
                                 ? "none"
                                 : listed(texts_of(analysis.exclusions, &exclusion_text)));
  if (!analysis.maintenance_zone.empty())
    text += line("maintenance", "zone " + analysis.maintenance_zone);
  return text + "\n" + class_table(analysis);
}

report::Document analysis_document(const Analysis& analysis, const Cluster& cluster) {
  report::Document document;
  document.tool = "hfdb";
  document.options.set("subcommand", "analyze");
  document.summary.set("name", cluster.name)
      .set("namespace", cluster.name_space)
      .set("is_well", analysis.is_well())
      .set("is_reconciled",
           analysis.left.empty() && analysis.steps == 0 && analysis.blocked.empty())
      .set("steps_left", analysis.steps);
  if (analysis.is_known) {
    document.summary.set("is_available", analysis.is_available)
        .set("is_fully_replicated", analysis.replication.empty())
        .set("coordinators_reachable", analysis.coordinators_reachable)
        .set("coordinators", analysis.coordinators_total);
  }
  const auto find = [&](Severity severity, const char* code, const std::string& text) {
    if (!text.empty())
      document.findings.push_back({severity, code, text, Value::map(), Value::map(), ""});
  };
  if (!analysis.is_available) find(Severity::Error, "unavailable", "the database is not available");
  find(Severity::Error, "replication", analysis.replication);
  find(Severity::Warning, "coordinators", analysis.coordinators);
  for (const std::string& text : analysis.blocked) find(Severity::Error, "blocked", text);
  for (const std::string& text : analysis.left) find(Severity::Warning, "not-reconciled", text);
  for (const std::string& text : analysis.unhealthy) find(Severity::Warning, "unhealthy", text);
  if (!analysis.maintenance_zone.empty())
    find(Severity::Note, "maintenance", "zone " + analysis.maintenance_zone);
  report::DataTable classes{
      "classes",
      {"class", "wanted", "groups", "unhealthy", "leaving", "zones", "stored_bytes"},
      {}};
  for (const ClassHealth& row : analysis.classes) {
    classes.rows.push_back({std::string(name(row.process_class)), row.wanted, row.groups,
                            row.unhealthy, row.leaving, row.zones,
                            optional_bytes(row.stored_bytes)});
  }
  report::DataTable exclusions{"exclusions", {"id", "is_marked", "is_complete", "left_bytes"}, {}};
  for (const RunningExclusion& row : analysis.exclusions) {
    exclusions.rows.push_back(
        {row.id, row.is_marked, row.is_complete, optional_bytes(row.bytes_left)});
  }
  report::DataTable terminating{"terminating", {"id", "what", "since", "is_stuck"}, {}};
  for (const TerminatingResource& row : analysis.terminating) {
    terminating.rows.push_back({row.id, row.what,
                                row.since ? Value(kube::format_time(*row.since)) : Value(),
                                row.is_stuck});
  }
  document.tables = {std::move(classes), std::move(exclusions), std::move(terminating)};
  return document;
}

}  // namespace ballast::fdb
