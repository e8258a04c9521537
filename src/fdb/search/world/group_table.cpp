// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/search/world/group_table.hpp"

#include <algorithm>

namespace ballast::fdb {
namespace {

std::vector<std::pair<Condition, Time>> sorted_conditions(const Conditions& conditions) {
  std::vector<std::pair<Condition, Time>> list;
  for (std::size_t i = 0; i < kConditionCount; ++i) {
    const auto condition = static_cast<Condition>(i);
    if (conditions.has(condition)) list.emplace_back(condition, conditions.since(condition));
  }
  std::ranges::stable_sort(list, {}, &std::pair<Condition, Time>::second);
  return list;
}

bool lacks_resources(const Member& group) {
  const auto kinds = {Condition::MissingPod, Condition::MissingPvc, Condition::MissingService,
                      Condition::PodPending};
  return std::ranges::any_of(kinds, [&](Condition c) { return group.conditions.has(c); });
}

GroupRow row_of(const World& world, const Member& group) {
  GroupRow row;
  row.id = group.id;
  row.process_class = group.process_class;
  row.domain = group.fault_domain;
  row.addresses = group.addresses;
  row.reporting = group.reporting();
  row.expected = world.expected_processes(group);
  row.stored_bytes = group.stored_bytes();
  row.marked = group.marked;
  row.excluded = group.excluded;
  row.exclusion_skipped = group.exclusion_skipped;
  row.time_unknown = group.marked_time_unknown;
  row.conditions = sorted_conditions(group.conditions);
  if (group.is_coordinator()) row.flags.emplace_back("coordinator");
  if (group.exclusion_skipped) row.flags.emplace_back("skipped");
  if (lacks_resources(group)) row.flags.emplace_back("pending-resources");
  return row;
}

}  // namespace

GroupTable group_table(const World& world) {
  GroupTable table;
  for (const Member& group : world.groups) table.rows.push_back(row_of(world, group));
  table.is_rebuilt = !world.snapshot->given.status;
  table.disagreements = world.snapshot->disagreements;
  if (table.is_rebuilt && !table.rows.empty()) {
    table.not_recoverable = {"times of marks and exclusions", "skipped exclusions",
                             "addresses that a pod had before",
                             "times of conditions: they start at the time of this table",
                             "groups that have no pod, volume, service or process any more"};
  }
  return table;
}

}  // namespace ballast::fdb
