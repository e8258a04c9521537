// SPDX-License-Identifier: BSD-2-Clause
// The config map, the cluster file, and the copies of both in the pods.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ballast/fdb/model/identity.hpp"
#include "ballast/fdb/search/pass/reconcilers.hpp"
#include "ballast/fdb/search/world/changes.hpp"

namespace ballast::fdb {
namespace {

std::string on_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

/// The start commands behind a key, a section for each server of a pod; empty where it is no
/// template.
std::vector<std::string> sections(const World& world, const std::string& key) {
  const CommandInputs inputs = world.inputs();
  for (std::size_t i = 0; i < kClassCount; ++i) {
    const ProcessClass c = class_at(i);
    const auto collect = [&](ImageType image, int density) {
      std::vector<std::string> list;
      for (int process = 1; process <= density; ++process) {
        CommandEnvironment environment;
        environment.process = process;
        if (image == ImageType::Split) environment.number = std::to_string(process);
        std::string command;
        for (const std::string& argument : start_arguments(inputs, c, image, density, environment))
          command += (command.empty() ? "" : " ") + argument;
        list.push_back(density > 1 ? fmt::format("{} [fdbserver.{}]: {}", key, process, command)
                                   : key + ": " + command);
      }
      return list;
    };
    if (key == monitor_key(c, ImageType::Unified, 1)) return collect(ImageType::Unified, 1);
    for (const std::vector<int>* densities :
         {&world.status.storage_densities, &world.status.log_densities}) {
      for (const int density : *densities) {
        if (key == monitor_key(c, ImageType::Split, density))
          return collect(ImageType::Split, density);
      }
    }
    if (key == monitor_key(c, ImageType::Split, 1)) return collect(ImageType::Split, 1);
  }
  return {};
}

/// Start commands of the templates that are new or change, and the new cluster file.
std::vector<std::string> new_templates(const World& world,
                                       const std::vector<std::string>& changes) {
  std::vector<std::string> lines;
  for (const std::string& change : changes) {
    const std::string key = change.substr(1);
    if (change.front() == '-') continue;
    if (key == "cluster-file") lines.push_back(key + ": " + on_one_line(world.config_map.at(key)));
    for (std::string& section : sections(world, key)) lines.push_back(std::move(section));
  }
  return lines;
}

}  // namespace

void update_config_map(World& world) {
  if (world.config_map_epoch == world.epoch()) return;
  world.config_map_epoch = world.epoch();
  auto data = config_map_data(world.inputs());
  std::vector<std::string> changes;
  Changes fields;
  for (const auto& [key, value] : data) {
    const auto old = world.config_map.find(key);
    if (old == world.config_map.end()) {
      changes.push_back("+" + key);
      add_text_changes(fields, "data." + key + ".", "", value);
    } else if (old->second != value && !old->second.empty()) {
      changes.push_back("~" + key);
      add_text_changes(fields, "data." + key + ".", old->second, value);
    }
  }
  for (const auto& [key, value] : world.config_map) {
    if (!data.contains(key) && !world.spec.config_map_overlay.contains(key)) {
      changes.push_back("-" + key);
      add_text_changes(fields, "data." + key + ".", value, "");
    }
  }
  const auto& metadata = world.spec.config_map_metadata;
  for (const auto& [key, value] : metadata) {
    const auto old = world.config_map_metadata.find(key);
    const bool is_there = old != world.config_map_metadata.end();
    if (is_there && old->second == value) continue;
    add_change(fields, "metadata." + key, is_there ? old->second : "", value);
  }
  const bool is_same = changes.empty() && fields.empty();
  const bool is_new = !world.has_config_map;
  world.config_map_metadata = metadata;
  world.config_map = std::move(data);
  world.has_config_map = true;
  if (is_same && !is_new) return;
  std::vector<std::string> templates = new_templates(world, changes);
  std::sort(changes.begin(), changes.end(),
            [](const std::string& a, const std::string& b) { return a.substr(1) < b.substr(1); });
  std::string detail;
  for (const std::string& change : changes) detail += (detail.empty() ? "" : " ") + change;
  TraceStep& step = world.emit(Reconciler::UpdateConfigMap,
                               is_new ? Action::CreateConfigMap : Action::UpdateConfigMap,
                               {config_map_name(world.snapshot->name)}, std::move(detail));
  step.because = changes.empty() && !is_new
                     ? "labels or annotations of the map differ; its data stays"
                     : "the data that spec and status ask for differs from what the map holds";
  step.listing = std::move(templates);
  for (const std::string& change : changes) {
    if (change.front() == '+') step.keys_added.push_back(change.substr(1));
    if (change.front() == '-') step.keys_removed.push_back(change.substr(1));
  }
  if (!is_new) step.changes = std::move(fields);
  world.pass.config_map_written = world.pass.config_map_written || is_new || !changes.empty();
}

bool can_sync(const Member& group) {
  return group.pod->phase == Phase::Running && !group.pod->terminating_since &&
         !group.carried.has(Condition::SidecarUnreachable) &&
         !group.carried.has(Condition::PodPending);
}

/// The files reach the pods a while after the map was written: that long after it saw them lag
/// behind, the operator looks again.
constexpr std::int64_t kLook = 15;

/// In a pass that comes earlier, for whatever reason, nothing has changed yet.
bool lagged_just_now(const World& world, const Pod& pod) {
  const auto& seen = pod.outdated_seen;
  return seen && *seen <= world.now && world.now < *seen + kLook;
}

void update_pod_config(World& world) {
  std::vector<std::string> ready;
  std::vector<std::string> late;
  for (const std::size_t i : world.awake()) {
    Member& group = world.groups[i];
    if (!group.pod || group.pod_created) continue;
    const int wanted =
        world.config_id(group.process_class, group.pod->image_type, group.pod->servers);
    if (group.pod->config == wanted) continue;
    if (group.is_marked()) {
      // Its files stay as they are; only their hash is noted.
      if (!group.pod->terminating_since) group.pod->config = wanted;
      world.rouse(group);
      continue;
    }
    if (!can_sync(group)) continue;
    const bool is_expected =
        world.is_upgrading || group.conditions.has(Condition::IncorrectConfigMap);
    if (world.pass.config_map_written || !is_expected || lagged_just_now(world, *group.pod)) {
      late.push_back(group.id);
      continue;
    }
    group.pod->config = wanted;
    if (group.was_touched && group.processes.empty() && !world.status.connection_string.empty()) {
      start_processes(world, group);
    }
    // The condition stays until the next update of the status: servers restart a pass later.
    world.rouse(group);
    ready.push_back(group.id);
  }
  if (!late.empty()) {
    bool is_new = false;
    for (const std::string& id : late) {
      Member& group = *world.find(id);
      is_new = is_new || !group.conditions.has(Condition::IncorrectConfigMap);
      group.conditions.set(Condition::IncorrectConfigMap, world.now);
    }
    world.pass.waits.emplace_back();
    world.pass.waits.back().gate = "pod-config";
    world.pass.waits.back().until = world.now + kLook;
    is_new ? world.end_pass(kLook) : world.delay_pass(kLook);
  }
  if (ready.empty()) return;
  TraceStep& step =
      world.emit(Reconciler::UpdatePodConfig, Action::SyncPodConfig, std::move(ready));
  step.because =
      "their copies of cluster file or monitor configuration are out of date; no server restarts";
}

}  // namespace ballast::fdb
