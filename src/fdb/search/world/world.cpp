// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/search/world/coordinators.hpp"

#include <algorithm>
#include <map>

#include "ballast/fdb/model/counts.hpp"
#include "ballast/fdb/search/spread/packing.hpp"
#include "ballast/fdb/search/world/commands.hpp"
#include "ballast/fdb/search/world/sizes.hpp"
#include "ballast/fdb/search/world/world.hpp"

namespace ballast::fdb {
namespace {

void bind_domain(Member& group) {
  if (group.pod && domain_of_key(group.process_class, group.pod->distribution_key)) {
    group.fault_domain = group.pod->distribution_key;
    group.has_bound_domain = true;
  } else if (domain_of_key(group.process_class, group.fault_domain)) {
    group.has_bound_domain = true;
  }
}

std::vector<int> densities(const World& world, bool logs) {
  std::set<int> found;
  for (const Member& group : world.groups) {
    const bool fits =
        logs ? is_log_class(group.process_class) : group.process_class == ProcessClass::Storage;
    if (fits && group.pod) found.insert(group.pod->servers);
  }
  return {found.begin(), found.end()};
}

/// What the snapshot's status does not say is what a status update on the snapshot's own spec would
/// have written.
void complete_status(World& world) {
  const ClusterSpec& old = world.snapshot->spec;
  ClusterStatus& status = world.status;
  const auto add = [](std::vector<int> list, int value) {
    if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
    std::sort(list.begin(), list.end());
    return list;
  };
  if (status.storage_densities.empty()) {
    status.storage_densities = add(densities(world, false), old.density(ProcessClass::Storage));
  }
  if (status.log_densities.empty()) {
    status.log_densities = add(densities(world, true), old.density(ProcessClass::Log));
  }
  if (status.image_types.empty()) {
    std::set<ImageType> types = {old.image_type};
    for (const Member& group : world.groups) {
      if (group.pod) types.insert(group.pod->image_type);
    }
    status.image_types.assign(types.begin(), types.end());
  }
  if (!status.running_version.is_known()) status.running_version = old.version;
}

/// Pods that start, exclusions whose data still moves, pods that restart under maintenance, and who
/// coordinates.
void find_work_under_way(World& world) {
  for (Member& group : world.groups) {
    group.pod_created = is_starting(*world.snapshot, world.spec, group);
    const bool moves = std::ranges::any_of(
        group.processes, [](const Process& p) { return p.is_excluded && p.has_role; });
    group.exclude_running = group.is_marked() && !group.is_excluded() && moves;
    const bool is_away = !group.pod || group.pod->terminating_since || group.processes.empty();
    const bool is_maintained = !world.db.maintenance_zone.empty() &&
                               group.fault_domain == world.db.maintenance_zone &&
                               group.process_class == ProcessClass::Storage;
    // Since when the operator keeps in the database; whatever starts from now on is back.
    if (is_maintained && is_away) world.maintenance_groups[group.id] = world.now - 1;
  }
  world.heals = world.db.is_given && lacks_data(world);
  world.heals_storage = world.heals && lacks_data(world, ProcessClass::Storage);
  follow_coordinators(world);
}

void count_requests(Footprint& sum, const std::vector<Container>& containers, int sign) {
  std::int64_t cpu_milli = 0;
  std::int64_t memory_bytes = 0;
  for (const Container& container : containers) {
    cpu_milli += container.cpu_milli;
    memory_bytes += container.memory_bytes;
  }
  sum.cpu_milli += sign * cpu_milli;
  sum.cpu_unknown_pods += cpu_milli == 0 ? sign : 0;
  sum.memory_bytes += sign * memory_bytes;
  sum.memory_unknown_pods += memory_bytes == 0 ? sign : 0;
}

/// Adds the volume and the pod of the group to the sum, or takes them off again.
void count(Footprint& sum, const Member& group, const Cluster& snapshot, int sign) {
  if (group.volume)
    sum.volume_bytes += sign * std::max(group.volume->request_bytes, std::int64_t{0});
  if (!group.pod || group.pod_deleted) return;
  sum.pods += sign;
  sum.pods_of_class[index(group.process_class)] += sign;
  const auto& own = group.pod->containers;
  count_requests(
      sum, own.empty() ? snapshot.spec.processes[index(group.process_class)].pod.containers : own,
      sign);
}

/// The keys that are there. What a template says is compared through the specs, the rest as it is.
void adopt_config_map(World& world, const std::map<std::string, std::string>& found) {
  std::erase_if(world.config_map, [&](const auto& e) { return !found.contains(e.first); });
  for (const auto& [key, value] : found) {
    const bool is_verbatim = key == "cluster-file" || key == "running-version";
    if (is_verbatim) {
      world.config_map[key] = value;
    } else {
      world.config_map.insert({key, std::string()});
    }
  }
}

}  // namespace

bool is_starting(const Cluster& snapshot, const ClusterSpec& desired, const ProcessGroup& group) {
  if (!group.pod || !group.pod->created || group.pod->terminating_since) return false;
  const Pod& pod = *group.pod;
  const std::int64_t age = snapshot.now - *pod.created;
  if (age >= desired.automation.ignore_pending_seconds || !pod.unschedulable.empty()) return false;
  const bool waits = pod.phase == Phase::Pending && !pod.is_assumed;
  return waits || (pod.phase == Phase::Running && pod.is_ready && group.processes.empty() &&
                   snapshot.database.is_given);
}

World make_world(const Cluster& snapshot, const ClusterSpec& desired, const PlanOptions& options) {
  World world;
  world.snapshot = &snapshot;
  world.spec = desired;
  world.options = options;
  world.status = snapshot.status;
  world.db = snapshot.database;
  world.now = snapshot.now;
  world.has_headless_service = snapshot.has_headless_service;
  world.wanted = wanted_pods(desired);
  world.wanted_configuration = normalised_configuration(desired);
  for (const ProcessGroup& group : snapshot.groups) {
    world.groups.emplace_back();
    static_cast<ProcessGroup&>(world.groups.back()) = group;
    bind_domain(world.groups.back());
  }
  world.has_estimated_sizes = estimate_sizes(world);
  world.sizes = class_sizes(world.groups);
  compare_specs(world);
  complete_status(world);
  // The config map as the snapshot left it: the templates that its pods use.
  ClusterStatus old_status = world.status;
  const auto used_storage = densities(world, false);
  const auto used_logs = densities(world, true);
  if (!used_storage.empty()) old_status.storage_densities = used_storage;
  if (!used_logs.empty()) old_status.log_densities = used_logs;
  const CommandInputs old{&snapshot.spec, &old_status, &snapshot.name, &snapshot.name_space};
  world.config_map = config_map_data(old);
  world.config_map_metadata = snapshot.spec.config_map_metadata;
  world.has_config_map = !snapshot.groups.empty();
  if (snapshot.given.config_maps) {
    world.has_config_map = snapshot.config_map.has_value();
    if (snapshot.config_map) adopt_config_map(world, *snapshot.config_map);
  }
  if (!world.has_config_map) world.config_map.clear();
  number_commands(world, old);
  find_work_under_way(world);
  world.latest_footprint = world.footprint();
  world.is_upgrading = world.status.running_version.is_known() &&
                       !is_protocol_compatible(world.status.running_version, desired.version);
  return world;
}

Member* World::find(std::string_view id) {
  const auto found = std::lower_bound(groups.begin(), groups.end(), id,
                                      [](const Member& g, std::string_view i) { return g.id < i; });
  return found != groups.end() && found->id == id ? &*found : nullptr;
}

const Member* World::find(std::string_view id) const { return const_cast<World*>(this)->find(id); }

std::int64_t World::recovery_age() const {
  constexpr std::int64_t kLongAgo = std::numeric_limits<std::int32_t>::max();
  const bool is_trusted =
      options.flags.recovery_state &&
      (!status.running_version.is_known() || reports_recovery_age(status.running_version));
  if (is_trusted) return db.recovered_at ? now - *db.recovered_at : kLongAgo;
  std::int64_t age = kLongAgo;
  for (const Member& group : groups) {
    for (const Process& process : group.processes) {
      if (process.started && !process.is_excluded) age = std::min(age, now - *process.started);
    }
  }
  return age;
}

int World::command_id(ProcessClass c, ImageType image, int density) {
  const auto [entry, is_new] = command_cache_.try_emplace({c, image, density}, 0);
  if (is_new) entry->second = commands.id(command_signature(inputs(), c, image, density));
  return entry->second;
}

int World::config_id(ProcessClass c, ImageType image, int density) {
  const auto [entry, is_new] = config_cache_.try_emplace({c, image, density}, 0);
  if (is_new) entry->second = configs.id(pod_config_signature(inputs(), c, image, density));
  return entry->second;
}

const std::vector<std::size_t>& World::departing() {
  if (departing_) return *departing_;
  departing_.emplace();
  counts_ = {};
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const std::size_t c = index(groups[i].process_class);
    ++counts_.all[c];
    counts_.unmarked[c] += groups[i].is_marked() ? 0 : 1;
    if (groups[i].is_marked() || groups[i].conditions.has(Condition::ResourcesTerminating))
      departing_->push_back(i);
  }
  return *departing_;
}

const World::Counts& World::counts() {
  departing();
  return counts_;
}

const std::vector<std::size_t>& World::awake() {
  if (knows_awake_) return awake_;
  knows_awake_ = true;
  awake_.clear();
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const Member& group = groups[i];
    if (!is_settled(group) || group.is_marked() ||
        group.conditions.has(Condition::ResourcesTerminating))
      awake_.push_back(i);
  }
  return awake_;
}

int World::expected_processes(const Member& group) const {
  return group.pod ? group.pod->servers : spec.density(group.process_class);
}

Footprint World::footprint() const {
  Footprint sum;
  for (const Member& group : groups) {
    if (!group.resources_deleted) count(sum, group, *snapshot, 1);
  }
  return sum;
}

void World::shrink_footprint() {
  for (const std::size_t i : departing()) {
    if (groups[i].resources_deleted) count(latest_footprint, groups[i], *snapshot, -1);
  }
}

}  // namespace ballast::fdb
