// SPDX-License-Identifier: BSD-2-Clause
// `status` of the snapshot, today's list form, the map form of the design, and the six older
// fields.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "ballast/fdb/backend/readers.hpp"
#include "ballast/fdb/model/address.hpp"
#include "ballast/fdb/model/counts.hpp"
#include "ballast/fdb/model/identity.hpp"
#include "ballast/kube/object.hpp"

namespace ballast::fdb {
namespace {

using doc::Tree;

std::optional<Time> read_time(const Tree& node, const std::string& path,
                              const ReadContext& context) {
  if (const auto seconds = node.as_int()) return *seconds;
  const auto parsed = node.is_scalar() ? kube::parse_time(node.text()) : std::nullopt;
  if (!parsed)
    context.errors->add("F015", path,
                        quoted(node.text()) + ": expected a time (RFC 3339 or Unix seconds)",
                        node.place());
  return parsed;
}

void read_conditions(const Tree* list, ProcessGroup& group, const std::string& path,
                     const ReadContext& context) {
  if (list == nullptr || list->is_null()) return;
  if (!list->is_list()) {
    context.errors->add("F004", path, "expected a list of conditions", list->place());
    return;
  }
  for (const Tree& item : list->items()) {
    const Tree* type = item.find("type");
    if (type == nullptr) type = item.find("condition");
    const Tree* when = item.find("timestamp");
    if (type == nullptr) {
      context.errors->add("F004", path, "a condition without a type", item.place());
      continue;
    }
    const auto condition = parse_condition(type->text());
    if (!condition) {
      context.errors->add("F009", path,
                          quoted(type->text()) + ": expected a condition of a process group",
                          type->place());
      continue;
    }
    const auto time = when == nullptr ? std::optional<Time>() : read_time(*when, path, context);
    group.conditions.set(*condition, time.value_or(0));
  }
}

void read_group(MapReader reader, ProcessGroup& group, Time now) {
  const ReadContext& context = reader.context();
  reader.texts("addresses", group.addresses);
  std::erase(group.addresses, std::string());
  for (const std::string& address : group.addresses) {
    if (is_address_text(address)) continue;
    reader.complain("F004", *reader.raw("addresses"), "addresses",
                    quoted(address) + ": expected an address");
  }
  reader.text("faultDomain", group.fault_domain);
  reader.boolean("exclusionSkipped", group.exclusion_skipped);
  if (const Tree* node = reader.raw("removalTimestamp"))
    group.marked = read_time(*node, reader.path_of("removalTimestamp"), context);
  if (const Tree* node = reader.raw("exclusionTimestamp"))
    group.excluded = read_time(*node, reader.path_of("exclusionTimestamp"), context);
  bool removed = false;
  bool excluded = false;
  reader.boolean("remove", removed);
  reader.boolean("excluded", excluded);
  group.marked_time_unknown = (removed && !group.marked) || (excluded && !group.excluded);
  if (removed && !group.marked) group.marked = now;
  if (excluded && !group.excluded) group.excluded = now;
  read_conditions(reader.raw("processGroupConditions"), group,
                  reader.path_of("processGroupConditions"), context);
  reader.ignore({"processGroupID", "processClass"});
  reader.finish();
}

ProcessGroup new_group(const std::string& id, ProcessClass c) {
  ProcessGroup group;
  group.id = id;
  group.process_class = c;
  if (const auto parsed = parse_group_id(id)) {
    group.number = parsed->number;
    // A hyphenated end of the front that is a class belongs to the class, the rest is the prefix.
    group.prefix = parsed->prefix;
  }
  return group;
}

void add_group(const Tree& node, std::string id, const Place& place, const std::string& path,
               Cluster& cluster, std::set<std::string>& seen, const ReadContext& context) {
  const auto parsed = parse_group_id(id);
  if (!parsed || !is_address_text(id)) {
    context.errors->add("F012", path, quoted(id) + ": expected an ID that ends with a number",
                        place);
    return;
  }
  if (!seen.insert(id).second) {
    context.errors->add("F012", path, quoted(id) + ": expected each process group once", place);
    return;
  }
  MapReader reader(&node, path, context);
  std::string class_name = parsed->class_name;
  reader.text("processClass", class_name);
  const auto c = parse_process_class(class_name);
  if (!c) {
    const Tree* at = node.find("processClass");
    context.errors->add("F008", path + ".processClass",
                        quoted(class_name) + ": expected a process class",
                        at == nullptr ? place : at->place());
    return;
  }
  ProcessGroup group = new_group(id, *c);
  read_group(std::move(reader), group, cluster.now);
  cluster.groups.push_back(std::move(group));
}

void read_groups(const Tree* node, Cluster& cluster, const ReadContext& context) {
  if (node == nullptr) return;
  std::set<std::string> seen;
  const std::string path = "status.processGroups";
  if (node->is_list()) {
    for (const Tree& item : node->items()) {
      const Tree* id = item.find("processGroupID");
      if (id == nullptr || !id->is_scalar()) {
        context.errors->add("F004", path, "a process group without processGroupID", item.place());
        continue;
      }
      add_group(item, id->text(), id->place(), path, cluster, seen, context);
    }
  } else if (node->is_map()) {
    for (const auto& [id, value] : node->entries())
      add_group(value, id, value.place(), path, cluster, seen, context);
  } else {
    context.errors->add("F004", path, "expected a list of process groups, or a mapping by ID",
                        node->place());
  }
  std::ranges::sort(cluster.groups, {}, &ProcessGroup::id);
}

/// A name that older fields use: group ID, process ID or pod name.
std::string group_of_name(const Cluster& cluster, const std::string& name) {
  if (cluster.find(name) != nullptr) return name;
  const std::string of_process = group_of_process_id(name);
  if (cluster.find(of_process) != nullptr) return of_process;
  const std::string front = cluster.name + "-";
  if (name.rfind(front, 0) == 0) {
    std::string id = name.substr(front.size());
    const auto last = id.rfind('-');
    if (last != std::string::npos) {
      std::string class_part = id.substr(0, last);
      std::replace(class_part.begin(), class_part.end(), '-', '_');
      const auto c = parse_process_class(class_part);
      if (c) id = class_part + id.substr(last);
      if (c && !cluster.spec.group_prefix.empty()) id = cluster.spec.group_prefix + "-" + id;
    }
    return id;
  }
  return parse_group_id(name) && !parse_group_id(of_process) ? name : of_process;
}

ProcessGroup* old_group(Cluster& cluster, const std::string& name) {
  const std::string id = group_of_name(cluster, name);
  const auto parsed = parse_group_id(id);
  const auto c = parsed ? parse_process_class(parsed->class_name) : std::nullopt;
  return c ? &group_for(cluster, id, *c) : nullptr;
}

void note_old(const ReadContext& context, std::string_view field, std::string_view into) {
  if (context.notes != nullptr)
    context.notes->push_back({"alias", fmt::format("status.{} is read as {}", field, into)});
}

void mark_old(ProcessGroup& group, const std::string& address, bool is_complete, Time now) {
  if (!group.marked) {
    group.marked = now;
    group.marked_time_unknown = true;
  }
  if (is_complete && !group.excluded) group.excluded = now;
  if (!address.empty() &&
      std::find(group.addresses.begin(), group.addresses.end(), address) == group.addresses.end()) {
    group.addresses.push_back(address);
  }
}

void read_pending_removals(MapReader& reader, Cluster& cluster) {
  if (const Tree* node = reader.raw("pendingRemovals"); node != nullptr && node->is_map()) {
    note_old(reader.context(), "pendingRemovals", "marks");
    for (const auto& [id, value] : node->entries()) {
      ProcessGroup* group = old_group(cluster, id);
      if (group == nullptr) continue;
      const Tree* address = value.find("address");
      const Tree* complete = value.find("exclusionComplete");
      mark_old(*group, address == nullptr ? "" : address->text(),
               complete != nullptr && complete->as_bool().value_or(false), cluster.now);
    }
  }
  if (const Tree* node = reader.raw("pendingRemovalsByPod"); node != nullptr && node->is_map()) {
    for (const auto& [pod, address] : node->entries()) {
      if (ProcessGroup* group = old_group(cluster, pod))
        mark_old(*group, address.text(), false, cluster.now);
    }
  }
}

void read_old_conditions(MapReader& reader, Cluster& cluster) {
  const auto with_time = [&](std::string_view field, Condition condition) {
    const Tree* node = reader.raw(field);
    if (node == nullptr || !node->is_map()) return;
    note_old(reader.context(), field, name(condition));
    for (const auto& [key, when] : node->entries()) {
      ProcessGroup* group = old_group(cluster, key);
      const auto time = read_time(when, reader.path_of(field), reader.context());
      if (group == nullptr || !time) continue;
      if (group->conditions.has(condition) && group->conditions.since(condition) > *time)
        group->conditions.clear(condition);
      group->conditions.set(condition, *time);
    }
  };
  const auto listed = [&](std::string_view field, Condition condition) {
    const Tree* node = reader.raw(field);
    if (node == nullptr || !node->is_list()) return;
    note_old(reader.context(), field, std::string(name(condition)) + ", since unknown");
    for (const Tree& item : node->items()) {
      if (ProcessGroup* group = old_group(cluster, item.text()))
        group->conditions.set(condition, cluster.now);
    }
  };
  with_time("incorrectProcesses", Condition::IncorrectCommandLine);
  with_time("missingProcesses", Condition::MissingProcesses);
  listed("incorrectPods", Condition::IncorrectPodSpec);
  listed("failingPods", Condition::PodFailing);
}

void read_densities(MapReader& reader, std::string_view key, std::vector<int>& list) {
  const Tree* node = reader.raw(key);
  if (node == nullptr) return;
  if (!node->is_list()) {
    reader.complain("F004", *node, key, "expected a list of numbers");
    return;
  }
  std::set<int> values;
  for (const Tree& item : node->items()) {
    const auto value = item.as_int();
    if (!value || *value < 0 || *value > 100) {
      reader.complain(value ? "F005" : "F004", item, key,
                      quoted(item.text()) + ": expected a number from 0 to 100");
      continue;
    }
    values.insert(static_cast<int>(*value));
  }
  list.assign(values.begin(), values.end());
  if (list.size() > 5)
    reader.complain("F013", *node, key,
                    fmt::format("{} densities: expected at most 5", list.size()));
}

/// Each entry holds the generation in which its state was last seen; later than the last success
/// means that work is under way. Groups that only wait to be forgotten do not count.
void read_generations(MapReader& reader, Cluster& cluster) {
  const Tree* node = reader.raw("generations");
  if (node == nullptr || !node->is_map()) return;
  const Tree* reconciled = node->find("reconciled");
  const std::int64_t success = reconciled == nullptr ? 0 : reconciled->as_int().value_or(0);
  for (const auto& [state, generation] : node->entries()) {
    if (state == "reconciled" || state == "hasPendingRemoval") continue;
    if (generation.as_int().value_or(0) > success) cluster.status.work_under_way.push_back(state);
  }
}

void read_old_counts(MapReader& reader, ClusterStatus& status) {
  const Tree* node = reader.raw("processCounts");
  if (node == nullptr || !node->is_map()) return;
  note_old(reader.context(), "processCounts", "a check of the groups");
  PerClass<int> counts{};
  for (const auto& [key, value] : node->entries()) {
    const auto c = parse_process_class(key);
    const auto count = value.as_int();
    if (!c || !count || *count < 0 || *count > 1'000'000) {
      reader.complain(!c ? "F008" : "F005", value, "processCounts." + key,
                      quoted(c ? value.text() : key) +
                          (c ? ": expected a number of groups" : ": expected a process class"));
      continue;
    }
    counts[index(*c)] = static_cast<int>(*count);
  }
  status.counts = counts;
}

void read_fields(MapReader& reader, Cluster& cluster) {
  ClusterStatus& status = cluster.status;
  std::string running;
  reader.any_text("runningVersion", running);
  if (!running.empty()) {
    if (const auto version = parse_version(running)) {
      status.running_version = *version;
    } else {
      reader.complain("F006", *reader.raw("runningVersion"), "runningVersion",
                      quoted(running) + ": expected x.y.z");
    }
  }
  reader.boolean("configured", status.is_configured);
  reader.text("connectionString", status.connection_string);
  if (const Tree* configuration = reader.raw("databaseConfiguration")) {
    // The database tells more than anybody can wish for.
    ReadContext quiet = reader.context();
    quiet.notes = nullptr;
    quiet.unknown_keys = nullptr;
    status.configuration = read_configuration(configuration, "status.databaseConfiguration",
                                              normalised_configuration(cluster.spec), quiet, true);
  }
  if (reader.has("requiredAddresses")) {
    status.required = {false, false};
    MapReader required = reader.map("requiredAddresses");
    required.boolean("tls", status.required.tls);
    required.boolean("nonTLS", status.required.non_tls);
    if (!status.required.tls && !status.required.non_tls)
      status.required = {cluster.spec.enable_tls, !cluster.spec.enable_tls};
  } else {
    status.required = {cluster.spec.enable_tls, !cluster.spec.enable_tls};
  }
  read_densities(reader, "storageServersPerDisk", status.storage_densities);
  read_densities(reader, "logServersPerDisk", status.log_densities);
  std::vector<std::string> images;
  reader.texts("imageTypes", images);
  for (const std::string& image : images)
    status.image_types.push_back(image == "unified" ? ImageType::Unified : ImageType::Split);
  std::sort(status.image_types.begin(), status.image_types.end());
  reader.ignore({"health", "hasIncorrectConfigMap", "hasIncorrectServiceConfig",
                 "needsNewCoordinators", "hasListenIPsForAllPods", "desiredProcessGroups",
                 "reconciledProcessGroups", "locks", "maintenanceModeInfo"});
  read_generations(reader, cluster);
  read_old_counts(reader, status);
}

}  // namespace

ProcessGroup& group_for(Cluster& cluster, const std::string& id, ProcessClass fallback) {
  const auto at =
      std::lower_bound(cluster.groups.begin(), cluster.groups.end(), id,
                       [](const ProcessGroup& g, const std::string& i) { return g.id < i; });
  if (at != cluster.groups.end() && at->id == id) return *at;
  return *cluster.groups.insert(at, new_group(id, fallback));
}

void read_status(const doc::Tree* node, Cluster& cluster, const ReadContext& context) {
  MapReader reader(node, "status", context);
  read_fields(reader, cluster);
  read_groups(reader.raw("processGroups"), cluster, context);
  const bool has_both = reader.has("processGroups") &&
                        (reader.has("pendingRemovals") || reader.has("pendingRemovalsByPod"));
  if (has_both && context.notes != nullptr) {
    context.notes->push_back({"alias-conflict",
                              "status.pendingRemovals and status.processGroups are both there: "
                              "what either marks is marked"});
  }
  read_pending_removals(reader, cluster);
  read_old_conditions(reader, cluster);
  cluster.given.status = !cluster.groups.empty();
  if (cluster.given.status && !reader.has("configured")) cluster.status.is_configured = true;
  reader.finish();
}

}  // namespace ballast::fdb
