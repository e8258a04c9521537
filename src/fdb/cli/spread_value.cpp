// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/cli/spread_report.hpp"

namespace ballast::fdb {
namespace {

Value domain_value(const SpreadDomain& domain, bool hosts_known) {
  Value value = Value::map();
  value.set("key", domain.key)
      .set("before", domain.before)
      .set("after", domain.after)
      .set("groups", text_list(domain.groups));
  if (!hosts_known) return value;
  value.set("hosts", text_list(domain.hosts));
  Value shares = Value::list();
  for (const SharedHost& share : domain.shares) {
    Value entry = Value::map();
    entry.set("host", share.host).set("with", share.with).set("groups", text_list(share.groups));
    shares.push(std::move(entry));
  }
  return value.set("shares", std::move(shares));
}

Value victims_value(const SpreadClass& row) {
  Value list = Value::list();
  for (const SpreadVictim& victim : row.victims) {
    Value entry = Value::map();
    entry.set("id", victim.id);
    if (!victim.from.empty()) entry.set("from", victim.from);
    entry.set("reason", code(victim.reason));
    if (victim.stored_bytes) entry.set("bytes", *victim.stored_bytes);
    list.push(std::move(entry));
  }
  return list;
}

Value rounds_value(const SpreadRounds& rounds) {
  Value value = Value::map();
  if (rounds.before) value.set("before", *rounds.before);
  if (rounds.after) value.set("after", *rounds.after);
  return value;
}

Value class_value(const Spread& spread, const SpreadClass& row, const Cluster& cluster) {
  Value value = Value::map();
  value.set("class", name(row.process_class))
      .set("groups", row.present())
      .set("wanted", row.wanted);
  value.set("minimum", row.minimum).set("maximum", row.maximum);
  Value domains = Value::list();
  Value pods = Value::list();
  for (const SpreadDomain& domain : row.domains) {
    domains.push(domain_value(domain, spread.hosts_known));
    if (domain.after == 0) continue;
    Value pod = Value::map();
    Value labels = Value::map();
    labels.set("foundationdb.org/distribution-key", domain.key);
    pod.set("domain", domain.key).set("labels", std::move(labels)).set("zone_id", domain.key);
    pod.set("affinity", spread_affinity(spread, cluster, row.process_class, domain.key).to_value());
    pods.push(std::move(pod));
  }
  value.set("domains", std::move(domains))
      .set("unbound", text_list(row.unbound))
      .set("marked", text_list(row.marked));
  value.set("replaced", victims_value(row));
  Value added = Value::list();
  for (const SpreadNewcomer& newcomer : row.newcomers) {
    Value entry = Value::map();
    added.push(std::move(entry.set("id", newcomer.id).set("to", newcomer.to)));
  }
  value.set("added", std::move(added)).set("shrink", row.shrink);
  value.set("rounds_before_count", row.counts_hosts ? "hosts" : "fault domains");
  value.set("rounds_of_removal", rounds_value(row.removal))
      .set("rounds_of_recreation", rounds_value(row.recreation));
  return value.set("pods", std::move(pods));
}

}  // namespace

Value spread_to_value(const Spread& spread, const Cluster& cluster) {
  Value value = Value::map();
  value.set("domains", spread.options.domains)
      .set("mode", spread.options.is_required ? "required" : "preferred");
  value.set("scope", spread.options.by_class ? "class" : "cluster")
      .set("topology_key", spread.topology_key);
  value.set("wait_between_removals_seconds", spread.wait_between_removals_seconds);
  Value classes = Value::list();
  for (const SpreadClass& row : spread.classes) classes.push(class_value(spread, row, cluster));
  value.set("classes", std::move(classes)).set("replacements", spread.replacements());
  if (const auto bytes = spread.bytes()) value.set("bytes", *bytes);
  Value warnings = Value::list();
  for (const SpreadWarning& warning : spread.warnings) {
    Value entry = Value::map();
    entry.set("code", warning.code)
        .set("severity", warning.is_danger ? "danger" : "warning")
        .set("text", warning.text);
    warnings.push(std::move(entry));
  }
  return value.set("warnings", std::move(warnings));
}

}  // namespace ballast::fdb
