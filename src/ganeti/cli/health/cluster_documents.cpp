// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/health/cluster_documents.hpp"

#include "ballast/ganeti/cli/delivery/plan_delivery.hpp"
#include "ballast/ganeti/cli/health/health.hpp"
#include "ballast/ganeti/cli/tables/cluster_tables.hpp"
#include "ballast/ganeti/model/fingerprint.hpp"

#include <array>

namespace ballast::ganeti::cli {
namespace {

/// By HealthCheck.
constexpr std::array<std::string_view, kHealthChecks> kCountNames{
    "nodes_not_n1_happy", "nodes_with_conflicts", "instances_with_primary_offline", "nodes_offline",
    "nodes_not_evacuable"};

report::DataTable group_rows(const Snapshot& snapshot, const std::vector<Part>& parts) {
  report::DataTable table{
      "groups",
      {"name", "uuid", "alloc_policy", "nodes", "instances", "bad_nodes", "bad_instances", "score"},
      {}};
  for (const Part& part : parts) {
    const Group& group = snapshot.cluster[part.group];
    const BadNodes bad = bad_nodes(snapshot.cluster, snapshot.state, part.nodes);
    table.rows.push_back({group.name, group.uuid, text_of(group.alloc_policy), part.nodes.size(),
                          part.instances.size(), bad.nodes.size(), bad.instance_count,
                          full_score(snapshot.cluster, snapshot.state, part.nodes)});
  }
  return table;
}

Value names(const std::vector<InstanceId>& ids, const Cluster& cluster) {
  Value list = Value::list();
  for (const InstanceId id : ids) list.push(cluster[id].name);
  return list;
}

Value count_map(const std::vector<std::int64_t>& counts) {
  Value map = Value::map();
  for (std::size_t i = 0; i < counts.size(); ++i) map.set(kCountNames.at(i), counts[i]);
  return map;
}

/// One row per group and stage, so that a reader can set them side by side.
report::DataTable check_rows(const Snapshot& snapshot, const HealthRun& run) {
  const bool has_all =
      !run.initial().empty() && run.initial().front().counts.size() == kHealthChecks;
  const std::size_t checks = has_all ? kHealthChecks : kHealthChecks - 1;
  report::DataTable table{"groups", {"name", "uuid", "nodes", "instances", "stage"}, {}};
  for (std::size_t i = 0; i < checks; ++i) table.columns.emplace_back(kCountNames.at(i));
  table.columns.insert(table.columns.end(), {"score", "steps"});
  const auto add = [&](std::size_t p, std::string_view stage, const GroupHealth& health) {
    const Part& part = run.parts()[p];
    const Group& group = snapshot.cluster[part.group];
    ValueList row{group.name, group.uuid, part.nodes.size(), part.instances.size(), stage};
    row.insert(row.end(), health.counts.begin(), health.counts.end());
    row.emplace_back(health.score);
    const bool has_steps = stage == "final" && run.rebalancing();
    row.emplace_back(has_steps ? run.rebalancing()->steps[p].size() : 0);
    table.rows.push_back(std::move(row));
  };
  for (std::size_t p = 0; p < run.initial().size(); ++p) {
    add(p, "initial", run.initial()[p]);
    if (p < run.final().size()) add(p, "final", run.final()[p]);
  }
  return table;
}

report::Document document_of(std::string tool, const Snapshot& snapshot, const Settings& settings) {
  const Cluster& cluster = snapshot.cluster;
  report::Document document;
  document.tool = std::move(tool);
  document.options = shaping_options(settings);
  document.fingerprint = fingerprint(cluster, snapshot.state);
  document.summary.set("nodes", cluster.nodes.size())
      .set("instances", cluster.instances.size())
      .set("groups", cluster.groups.size());
  return document;
}

void set_check_options(const Settings& settings, Value& options) {
  if (settings.tool.no_simulation) options.set("no-simulation", true);
  if (!settings.tool.capacity_checks) options.set("no-capacity-checks", true);
  if (settings.tool.doctor) options.set("doctor", true);
  Value losses = Value::list();
  for (const std::string& loss : settings.tool.what_if) losses.push(loss);
  if (!settings.tool.what_if.empty()) options.set("what-if", std::move(losses));
}

}  // namespace

report::Document info_document(const Snapshot& snapshot, const std::vector<Part>& parts,
                               const Settings& settings) {
  const Cluster& cluster = snapshot.cluster;
  report::Document document = document_of("hinfo", snapshot, settings);
  const Part whole = whole_part(cluster);
  const ScoreDetail score = score_detail(cluster, snapshot.state, whole.nodes);
  const BadNodes bad = bad_nodes(cluster, snapshot.state, whole.nodes);
  Value tags = Value::list();
  for (const std::string& tag : cluster.tags) tags.push(tag);
  document.summary.set("tags", std::move(tags))
      .set("split_instances", names(split_instances(cluster, snapshot.state), cluster))
      .set("bad_nodes", bad.nodes.size())
      .set("is_n1_happy", bad.nodes.empty())
      .set("has_storage", cluster.has_storage)
      .set("score", score.total);
  document.tables = {group_rows(snapshot, parts), unit_rows(cluster, snapshot.state, parts),
                     node_rows(cluster, snapshot.state, whole.nodes),
                     instance_rows(cluster, snapshot.state, whole.instances),
                     metric_rows(cluster, score)};
  return document;
}

report::Document health_document(const Snapshot& snapshot, const HealthRun& run,
                                 const Settings& settings) {
  const Cluster& cluster = snapshot.cluster;
  report::Document document = document_of("hcheck", snapshot, settings);
  set_check_options(settings, document.options);
  document.summary.set("is_healthy", !run.needs_rebalancing())
      .set("is_simulated", run.rebalancing().has_value())
      .set("initial", count_map(total_counts(run.initial())));
  if (run.rebalancing()) document.summary.set("final", count_map(total_counts(run.final())));
  document.tables = {check_rows(snapshot, run),
                     unit_rows(cluster, snapshot.state, run.parts(),
                               run.rebalancing() ? &run.rebalancing()->state : nullptr)};
  return document;
}

report::Document what_if_document(const Snapshot& snapshot, const Settings& settings) {
  report::Document document = document_of("hcheck", snapshot, settings);
  set_check_options(settings, document.options);
  return document;
}

}  // namespace ballast::ganeti::cli
