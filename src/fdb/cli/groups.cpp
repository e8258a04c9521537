// SPDX-License-Identifier: BSD-2-Clause
// The table of process groups.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ballast/core/table.hpp"
#include "ballast/fdb/cli/command.hpp"
#include "ballast/kube/object.hpp"

namespace ballast::fdb {
namespace {

using kube::Node;

std::string gib(std::int64_t bytes) {
  const auto value = static_cast<double>(bytes);
  constexpr double kGib = 1024.0 * 1024 * 1024;
  return value >= kGib ? fmt::format("{:.1f} GiB", value / kGib) : fmt::format("{:.1f} MiB", value / (1024 * 1024));
}

std::vector<std::pair<Time, Condition>> by_age(const ProcessGroup& group) {
  std::vector<std::pair<Time, Condition>> list;
  for (std::size_t i = 0; i < kConditionCount; ++i) {
    const auto c = static_cast<Condition>(i);
    if (group.conditions.has(c)) list.emplace_back(group.conditions.since(c), c);
  }
  std::sort(list.begin(), list.end());
  return list;
}

std::string conditions_text(const ProcessGroup& group) {
  std::string text;
  for (const auto& [since, condition] : by_age(group)) {
    text += fmt::format("{}{} since {}", text.empty() ? "" : ", ", name(condition), kube::format_time(since));
  }
  return text.empty() ? "-" : text;
}

std::vector<std::string> flags_of(const ProcessGroup& group) {
  std::vector<std::string> flags;
  if (group.is_coordinator()) flags.emplace_back("coordinator");
  if (group.exclusion_skipped) flags.emplace_back("skipped");
  if (group.marked_time_unknown) flags.emplace_back("time unknown");
  if (!group.pod && !group.is_leaving()) flags.emplace_back("no pod");
  if (is_stateful(group.process_class) && !group.volume && !group.is_leaving()) flags.emplace_back("no volume");
  if (group.pod && group.pod->phase == Phase::Pending) flags.emplace_back("pending");
  return flags;
}

std::string joined(const std::vector<std::string>& list, std::string_view by) {
  std::string text;
  for (const std::string& item : list) text += (text.empty() ? std::string() : std::string(by)) + item;
  return text.empty() ? "-" : text;
}

std::string time_or_dash(const std::optional<Time>& time) { return time ? kube::format_time(*time) : "-"; }

std::string without_trailing_blanks(const std::string& text) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const auto end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    while (!line.empty() && line.back() == ' ') line.pop_back();
    while (!line.empty() && line.front() == ' ') line.erase(line.begin());
    out += line + "\n";
    at = end + 1;
  }
  return out;
}

int expected(const Cluster& cluster, const ProcessGroup& group) {
  return group.pod ? group.pod->servers : cluster.spec.density(group.process_class);
}

/// What the rebuilt table cannot know.
const char* const kLost[] = {"times of marks and exclusions", "skipped exclusions", "earlier addresses", "since when conditions hold",
                             "groups without any resource"};

}  // namespace

std::string groups_to_text(const Cluster& cluster) {
  TextTable table;
  using Align = TextTable::Align;
  for (const char* header : {"ID", "CLASS", "DOMAIN", "ADDRESSES"}) table.columns.push_back({header, Align::Left});
  table.columns.push_back({"PROCESSES", Align::Right});
  table.columns.push_back({"STORED", Align::Right});
  for (const char* header : {"MARKED", "EXCLUDED", "CONDITIONS", "FLAGS"}) table.columns.push_back({header, Align::Left});
  for (const ProcessGroup& group : cluster.groups) {
    const auto stored = group.stored_bytes();
    table.rows.push_back({group.id, std::string(name(group.process_class)), group.fault_domain.empty() ? "-" : group.fault_domain,
                          joined(group.addresses, ","), fmt::format("{}/{}", group.processes.size(), expected(cluster, group)),
                          stored ? gib(*stored) : "-", time_or_dash(group.marked), time_or_dash(group.excluded),
                          conditions_text(group), joined(flags_of(group), ",")});
  }
  std::string text = without_trailing_blanks(table.render());
  if (!cluster.disagreements.empty()) text += "\nStatus, objects and database disagree:\n";
  for (const Remark& remark : cluster.disagreements) text += "  " + remark.text + "\n";
  if (!cluster.given.status) {
    text += "\nRebuilt from pods, volumes, services and database; what cannot be recovered:\n";
    for (const char* lost : kLost) text += std::string("  ") + lost + "\n";
  }
  return text;
}

Value groups_to_value(const Cluster& cluster) {
  Value list = Value::list();
  for (const ProcessGroup& group : cluster.groups) {
    Value row = Value::map();
    row.set("id", group.id);
    row.set("class", std::string(name(group.process_class)));
    if (!group.fault_domain.empty()) row.set("domain", group.fault_domain);
    Value addresses = Value::list();
    for (const std::string& address : group.addresses) addresses.push(address);
    row.set("addresses", std::move(addresses));
    row.set("processes_reporting", group.processes.size());
    row.set("processes_expected", expected(cluster, group));
    if (const auto stored = group.stored_bytes()) row.set("stored_bytes", *stored);
    if (group.marked) row.set("marked", kube::format_time(*group.marked));
    if (group.excluded) row.set("excluded", kube::format_time(*group.excluded));
    Value conditions = Value::list();
    for (const auto& [since, condition] : by_age(group)) {
      Value entry = Value::map();
      entry.set("type", std::string(name(condition)));
      entry.set("since", kube::format_time(since));
      conditions.push(std::move(entry));
    }
    row.set("conditions", std::move(conditions));
    Value flags = Value::list();
    for (const std::string& flag : flags_of(group)) flags.push(flag);
    row.set("flags", std::move(flags));
    list.push(std::move(row));
  }
  Value disagreements = Value::list();
  for (const Remark& remark : cluster.disagreements) disagreements.push(remark.text);
  Value document = Value::map();
  document.set("kind", "report");
  document.set("report", "fdb-groups");
  document.set("cluster", cluster.name);
  document.set("namespace", cluster.name_space);
  document.set("groups", std::move(list));
  document.set("disagreements", std::move(disagreements));
  if (!cluster.given.status) {
    Value lost = Value::list();
    for (const char* item : kLost) lost.push(item);
    document.set("not_recoverable", std::move(lost));
  }
  return document;
}

kube::Node tracked_status(const Cluster& cluster, bool as_map) {
  Node list = Node::list();
  Node map = Node::map();
  for (const ProcessGroup& group : cluster.groups) {
    Node entry = Node::map();
    if (!as_map) entry.set("processGroupID", Node::string(group.id));
    entry.set("processClass", Node::string(std::string(name(group.process_class))));
    Node addresses = Node::list();
    for (const std::string& address : group.addresses) addresses.items().push_back(Node::string(address));
    entry.set("addresses", std::move(addresses));
    if (!group.fault_domain.empty()) entry.set("faultDomain", Node::string(group.fault_domain));
    if (group.marked) entry.set("removalTimestamp", Node::string(kube::format_time(*group.marked)));
    if (group.excluded) entry.set("exclusionTimestamp", Node::string(kube::format_time(*group.excluded)));
    if (group.exclusion_skipped) entry.set("exclusionSkipped", Node::boolean(true));
    Node conditions = Node::list();
    for (const auto& [since, condition] : by_age(group)) {
      Node item = Node::map();
      item.set("type", Node::string(std::string(name(condition))));
      item.set("timestamp", Node::integer(since));
      conditions.items().push_back(std::move(item));
    }
    if (!conditions.items().empty()) entry.set("processGroupConditions", std::move(conditions));
    if (as_map) {
      map.set(group.id, std::move(entry));
    } else {
      list.items().push_back(std::move(entry));
    }
  }
  Node status = Node::map();
  status.set("processGroups", as_map ? std::move(map) : std::move(list));
  return Node::map({{"status", std::move(status)}});
}

}  // namespace ballast::fdb
