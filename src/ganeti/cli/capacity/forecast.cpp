// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/capacity/forecast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "ballast/core/decimal.hpp"
#include "ballast/core/table.hpp"
#include "ballast/core/words.hpp"
#include "ballast/ganeti/cli/capacity/run.hpp"
#include "ballast/ganeti/cli/delivery/document_delivery.hpp"
#include "ballast/ganeti/cli/delivery/plan_delivery.hpp"
#include "ballast/ganeti/cli/sources/load.hpp"
#include "ballast/ganeti/cli/tables/unit_table.hpp"
#include "ballast/ganeti/search/capacity/trend.hpp"
#include "dates.hpp"

namespace ballast::ganeti::cli {
namespace {

/// What grows, by group and by what it is: "memory MiB", "unit drbd8/fast MiB", ...
using Key = std::pair<std::string, std::string>;

struct Series {
  std::vector<DayFigure> used;
  double limit = 0;        ///< in the newest snapshot
  bool is_newest = false;  ///< the newest snapshot has it
};

struct Dated {
  std::string file;
  double day = 0;
};

Result<std::vector<Dated>> dated_files(const std::vector<std::string>& files,
                                       const std::vector<std::string>& dates) {
  if (files.size() < 2) {
    return fail(Error{"--forecast needs two snapshots at least: OLD... NEW", {}, Fault::Usage});
  }
  if (!dates.empty() && dates.size() != files.size()) {
    return fail(fmt::format("--dates names {}, but there are {}", counted(dates.size(), "date"),
                            counted(files.size(), "snapshot")));
  }
  std::vector<Dated> all;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string text =
        dates.empty() ? std::filesystem::path(files[i]).filename().string() : dates[i];
    const auto day = find_date(text);
    if (!day) {
      return fail(
          fmt::format("{}: no date such as 2026-11-28 or 20261128 in {}", files[i],
                      dates.empty() ? "its name (--dates names them)" : "\"" + text + "\""));
    }
    all.push_back({files[i], *day});
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Dated& a, const Dated& b) { return a.day < b.day; });
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (all[i].day == all[i - 1].day)
      return fail(fmt::format("{} and {} have the same date", all[i - 1].file, all[i].file));
  }
  return all;
}

class Forecast {
 public:
  Forecast(const Settings& settings, Output& output) : settings_(settings), output_(output) {}

  OrExit<void> add(const Dated& dated, bool is_newest) {
    Settings settings = settings_;
    settings.source.text_file = dated.file;
    auto snapshot = load_snapshot(settings, output_);
    if (!snapshot) return tl::unexpected(snapshot.error());
    if (auto limited = apply_limits(*snapshot, settings.limits, output_); !limited) return limited;
    if (snapshot->cluster.policy.disk_templates.empty())
      return tl::unexpected(output_.fail_with("null list of disk templates received from cluster"));
    day_ = dated.day;
    is_newest_ = is_newest;
    if (first_day_ < 0) first_day_ = day_;
    note_nodes(*snapshot);
    for (const Part& part : parts_of(snapshot->cluster, snapshot->state))
      add_group(*snapshot, part);
    return {};
  }

  [[nodiscard]] std::string text() const;
  [[nodiscard]] report::Document document(std::size_t snapshots) const;

 private:
  void note(const std::string& group, std::string what, double used, double limit) {
    Series& series = all_[{group, std::move(what)}];
    series.used.push_back({day_, used});
    series.limit = limit;
    series.is_newest = is_newest_;
  }

  void note_nodes(const Snapshot& snapshot) {
    const auto online = std::count_if(snapshot.cluster.nodes.begin(), snapshot.cluster.nodes.end(),
                                      [](const Node& node) { return !node.is_offline; });
    if (std::find(node_counts_.begin(), node_counts_.end(), online) == node_counts_.end())
      node_counts_.push_back(online);
  }

  void add_group(Snapshot& snapshot, const Part& part) {
    const Cluster& cluster = snapshot.cluster;
    const std::string group = cluster[part.group].name;
    double memory = 0;
    double memory_left = 0;
    double disk = 0;
    double disk_left = 0;
    double cpus = 0;
    double most_cpus = 0;
    for (const NodeId id : part.nodes) {
      const Node& node = cluster[id];
      const NodeState& state = snapshot.state[id];
      if (node.is_offline) continue;
      memory += static_cast<double>(state.inst_mem);
      memory_left += static_cast<double>(unallocated_mem(node, state));
      disk += node.total_disk - static_cast<double>(state.free_disk);
      disk_left += static_cast<double>(state.free_disk);
      cpus += static_cast<double>(state.used_cpu);
      most_cpus += node.vcpu_ratio * node.total_cpu;
    }
    note(group, "memory MiB", memory, memory + memory_left);
    if (disk + disk_left > 0) note(group, "disk MiB", disk, disk + disk_left);
    note(group, "vcpus", cpus, most_cpus);
    for (const UnitSummary& unit : unit_summaries(cluster, snapshot.state, part.nodes)) {
      note(group, "unit " + to_string(cluster[unit.unit]) + " MiB",
           static_cast<double>(unit.total_mib - unit.free_mib),
           static_cast<double>(unit.total_mib));
    }
    if (const auto fits = count_fitting(snapshot, part.group))
      note(group, "standard instances", -static_cast<double>(*fits), 0);
  }

  /// How many more of the standard size the group takes, global N+1 of its own nodes included.
  std::optional<std::size_t> count_fitting(const Snapshot& snapshot, GroupId group) const {
    if (snapshot.cluster[group].alloc_policy == AllocPolicy::Unallocable) return std::nullopt;
    Cluster cluster = snapshot.cluster;
    for (std::size_t g = 0; g < cluster.groups.size(); ++g) {
      if (GroupId(g) != group) cluster.groups[g].alloc_policy = AllocPolicy::Unallocable;
    }
    const DiskTemplate disk_template =
        settings_.tool.disk_template.value_or(cluster.policy.disk_templates.front());
    auto units = units_of_new_disks(cluster, settings_.load.default_storage, disk_template);
    if (!units) return std::nullopt;
    CapacityOptions options = capacity_options(cluster, settings_, std::move(*units));
    options.independent_groups = true;
    CapacityPlanner planner(cluster, snapshot.state, options);
    const auto run = planner.fixed(
        settings_.tool.standard_size.value_or(size_of(snapshot.cluster[group].policy.standard)));
    if (!run) return std::nullopt;
    return run->filled.placed();
  }

  struct Row {
    std::string group;
    std::string what;
    double used = 0;
    double limit = 0;
    Trend trend;
    std::optional<double> full;      ///< days from the newest snapshot
    std::optional<double> earliest;  ///< of the interval; none: never
    std::optional<double> latest;
  };
  [[nodiscard]] std::vector<Row> rows() const;
  [[nodiscard]] std::string date_in(std::optional<double> days) const;

  const Settings& settings_;
  Output& output_;
  double day_ = 0;
  double first_day_ = -1;
  bool is_newest_ = false;
  std::vector<std::ptrdiff_t> node_counts_;
  std::map<Key, Series> all_;
};

std::vector<Forecast::Row> Forecast::rows() const {
  std::vector<Row> rows;
  for (const auto& [key, series] : all_) {
    if (!series.is_newest || series.used.size() < 2) continue;
    Row row{key.first,
            key.second,
            series.used.back().figure,
            series.limit,
            linear_trend(series.used),
            {},
            {},
            {}};
    const double left = row.limit - row.used;
    row.full = days_until_gone(left, row.trend.per_day);
    if (row.trend.error) {
      row.earliest = days_until_gone(left, row.trend.per_day + *row.trend.error);
      row.latest = days_until_gone(left, row.trend.per_day - *row.trend.error);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

/// "never" also where it is more than a century away.
std::string Forecast::date_in(std::optional<double> days) const {
  constexpr double kCentury = 36525;
  if (!days || *days > kCentury) return "never";
  return date_text(static_cast<std::int64_t>(std::floor(day_ + *days)));
}

bool is_counted_down(std::string_view what) { return what == "standard instances"; }

std::string Forecast::text() const {
  TextTable table{{{"Group", TextTable::Align::Left},
                   {"What", TextTable::Align::Left},
                   {"Used", TextTable::Align::Right},
                   {"Of", TextTable::Align::Right},
                   {"Per_Day", TextTable::Align::Right},
                   {"+-", TextTable::Align::Right},
                   {"Full", TextTable::Align::Left},
                   {"Earliest", TextTable::Align::Left},
                   {"Latest", TextTable::Align::Left}},
                  {}};
  for (const Row& row : rows()) {
    const bool is_down = is_counted_down(row.what);
    table.rows.push_back({row.group, is_down ? "room for " + row.what : row.what,
                          is_down ? fixed(0.0 - row.used, 0) + " left" : fixed(row.used, 0),
                          is_down ? "-" : fixed(row.limit, 0),
                          fixed(is_down ? 0.0 - row.trend.per_day : row.trend.per_day, 2),
                          row.trend.error ? fixed(*row.trend.error, 2) : "?", date_in(row.full),
                          row.trend.error ? date_in(row.earliest) : "?",
                          row.trend.error ? date_in(row.latest) : "?"});
  }
  const auto last = static_cast<std::int64_t>(std::floor(day_));
  const auto first = static_cast<std::int64_t>(std::floor(first_day_));
  std::string text = fmt::format("Forecast from {} to {}, {} days:\n", date_text(first),
                                 date_text(last), fixed(day_ - first_day_, 1)) +
                     without_trailing_blanks(table.render("  "));
  if (all_.begin() != all_.end() && all_.begin()->second.used.size() < 3) {
    text +=
        "Two snapshots tell nothing about the uncertainty (?); with more it is the 95 % "
        "interval of the growth.\n";
  }
  if (node_counts_.size() > 1) {
    text +=
        "The number of online nodes changed in between, so the room for instances did not "
        "only change by growth.\n";
  }
  return text;
}

report::Document Forecast::document(std::size_t snapshots) const {
  report::Document document;
  document.tool = "hspace";
  document.options = shaping_options(settings_);
  document.options.set("forecast", true);
  document.summary.set("snapshots", snapshots)
      .set("first_date", date_text(static_cast<std::int64_t>(std::floor(first_day_))))
      .set("last_date", date_text(static_cast<std::int64_t>(std::floor(day_))))
      .set("node_count_changed", node_counts_.size() > 1);
  report::DataTable table{"forecast",
                          {"group", "what", "used", "limit", "growth_per_day", "growth_error",
                           "full_on", "earliest", "latest"},
                          {}};
  for (const Row& row : rows()) {
    const bool is_down = is_counted_down(row.what);
    const bool is_sure = row.trend.error.has_value();
    table.rows.push_back({row.group, is_down ? "room for " + row.what : row.what,
                          is_down ? Value(0.0 - row.used) : Value(row.used),
                          is_down ? Value() : Value(row.limit),
                          is_down ? 0.0 - row.trend.per_day : row.trend.per_day,
                          is_sure ? Value(*row.trend.error) : Value(), date_in(row.full),
                          is_sure ? Value(date_in(row.earliest)) : Value(),
                          is_sure ? Value(date_in(row.latest)) : Value()});
    if (!row.full) continue;
    report::Finding finding;
    finding.code = "will-be-full";
    finding.text = fmt::format(
        "Group {}: {} {} on {}{}.", row.group, is_down ? "the room for " + row.what : row.what,
        is_down ? "is used up" : "is full", date_in(row.full),
        is_sure ? fmt::format(" (between {} and {})", date_in(row.earliest), date_in(row.latest))
                : "");
    finding.subject.set("group", row.group);
    finding.figures.set("days", *row.full);
    document.findings.push_back(std::move(finding));
  }
  document.tables.push_back(std::move(table));
  return document;
}

}  // namespace

Exit tell_forecast(const std::vector<std::string>& files, const Settings& settings,
                   Output& output) {
  const SourceSettings& source = settings.source;
  if (source.text_file || source.luxi_socket || source.allocator_file ||
      !source.rapi_address.empty() || !source.simulated.empty())
    return output.wrong_usage(
        "--forecast reads the snapshots that are named as arguments, and no other source");
  const auto dated = dated_files(files, settings.tool.dates);
  if (!dated) return output.fail_at(dated.error());
  Forecast forecast(settings, output);
  for (const Dated& one : *dated) {
    if (const auto added = forecast.add(one, &one == &dated->back()); !added) return added.error();
  }
  output.say(forecast.text());
  const report::Document document = forecast.document(dated->size());
  const auto page = [&] {
    report::DocumentPage told;
    told.headline = document.findings.empty()
                        ? "Nothing will be full"
                        : counted(document.findings.size(), "thing") + " will be full";
    told.no_findings = "Nothing will be full as things go.";
    return told;
  };
  const auto delivered = deliver_document(document, page, settings.output, output);
  return delivered ? ballast::cli::kDone : delivered.error();
}

}  // namespace ballast::ganeti::cli
