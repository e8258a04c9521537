// SPDX-License-Identifier: BSD-2-Clause
// The answer of `hfdb spread` as the report document that all tools share.
#include "ballast/fdb/cli/spread_report.hpp"

namespace ballast::fdb {
namespace {

template <class T>
Value known(const std::optional<T>& figure) {
  return figure ? Value(*figure) : Value();
}

Value shares_of(const SpreadDomain& domain) {
  Value shares = Value::list();
  for (const SharedHost& share : domain.shares) {
    Value entry = Value::map();
    entry.set("host", share.host).set("with", share.with).set("groups", text_list(share.groups));
    shares.push(std::move(entry));
  }
  return shares;
}

report::DataTable classes_table(const Spread& spread) {
  report::DataTable table{
      "classes",
      {"class", "groups", "wanted", "minimum", "maximum", "unbound", "marked", "shrink",
       "rounds_before_count", "removal_rounds_before", "removal_rounds_after",
       "recreation_rounds_before", "recreation_rounds_after"},
      {}};
  for (const SpreadClass& row : spread.classes) {
    table.rows.push_back({std::string(name(row.process_class)), row.present(), row.wanted,
                          row.minimum, row.maximum, text_list(row.unbound), text_list(row.marked),
                          row.shrink, row.counts_hosts ? "hosts" : "fault domains",
                          known(row.removal.before), known(row.removal.after),
                          known(row.recreation.before), known(row.recreation.after)});
  }
  return table;
}

report::DataTable domains_table(const Spread& spread) {
  report::DataTable table{
      "domains", {"class", "domain", "before", "after", "groups", "hosts", "shares"}, {}};
  for (const SpreadClass& row : spread.classes) {
    for (const SpreadDomain& domain : row.domains) {
      table.rows.push_back({std::string(name(row.process_class)), domain.key, domain.before,
                            domain.after, text_list(domain.groups),
                            spread.hosts_known ? text_list(domain.hosts) : Value(),
                            spread.hosts_known ? shares_of(domain) : Value()});
    }
  }
  return table;
}

report::DataTable replaced_table(const Spread& spread) {
  report::DataTable table{"replaced", {"class", "id", "from", "reason", "stored_bytes"}, {}};
  for (const SpreadClass& row : spread.classes) {
    for (const SpreadVictim& victim : row.victims) {
      table.rows.push_back({std::string(name(row.process_class)), victim.id,
                            victim.from.empty() ? Value() : Value(victim.from),
                            std::string(code(victim.reason)), known(victim.stored_bytes)});
    }
  }
  return table;
}

report::DataTable added_table(const Spread& spread) {
  report::DataTable table{"added", {"class", "id", "to"}, {}};
  for (const SpreadClass& row : spread.classes) {
    for (const SpreadNewcomer& newcomer : row.newcomers)
      table.rows.push_back({std::string(name(row.process_class)), newcomer.id, newcomer.to});
  }
  return table;
}

/// What a pod of each domain that is in use gets.
report::DataTable pods_table(const Spread& spread, const Cluster& cluster) {
  report::DataTable table{"pods", {"class", "domain", "labels", "zone_id", "affinity"}, {}};
  for (const SpreadClass& row : spread.classes) {
    for (const SpreadDomain& domain : row.domains) {
      if (domain.after == 0) continue;
      Value labels = Value::map();
      labels.set("foundationdb.org/distribution-key", domain.key);
      table.rows.push_back(
          {std::string(name(row.process_class)), domain.key, std::move(labels), domain.key,
           spread_affinity(spread, cluster, row.process_class, domain.key).to_value()});
    }
  }
  return table;
}

}  // namespace

report::Document spread_document(const Spread& spread, const Cluster& cluster) {
  report::Document document;
  document.tool = "hfdb";
  document.options.set("subcommand", "spread").set("domains", spread.options.domains);
  document.options.set("distribution_scope", spread.options.by_class ? "class" : "cluster");
  document.summary.set("name", cluster.name)
      .set("namespace", cluster.name_space)
      .set("generation", cluster.generation);
  document.summary.set("domains", spread.options.domains)
      .set("mode", spread.options.is_required ? "required" : "preferred")
      .set("topology_key", spread.topology_key)
      .set("wait_between_removals_seconds", spread.wait_between_removals_seconds);
  document.summary.set("replacements", spread.replacements());
  if (const auto bytes = spread.bytes()) document.summary.set("bytes", *bytes);
  for (const SpreadWarning& warning : spread.warnings) {
    document.findings.push_back({warning.is_danger ? Severity::Error : Severity::Warning,
                                 warning.code, warning.text, Value::map(), Value::map(), ""});
  }
  document.tables = {classes_table(spread), domains_table(spread), replaced_table(spread),
                     added_table(spread), pods_table(spread, cluster)};
  return document;
}

}  // namespace ballast::fdb
