// SPDX-License-Identifier: BSD-2-Clause
// Which start commands and files the pods of a snapshot have: the old ones, the wished ones, or
// others.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "ballast/fdb/model/map_hash.hpp"
#include "ballast/fdb/search/world/commands.hpp"

namespace ballast::fdb {
namespace {

/// What commands and files are wished to be, with the addresses that are required now and with all
/// others: that changes while TLS is switched.
class Wishes {
 public:
  explicit Wishes(const World& world) : world_(world) {
    const RequiredAddresses now = world.status.required;
    for (const RequiredAddresses& required :
         {now, RequiredAddresses{false, true}, RequiredAddresses{true, true},
          RequiredAddresses{true, false}}) {
      statuses_.push_back(world.status);
      statuses_.back().required = required;
    }
  }
  [[nodiscard]] std::vector<CommandInputs> inputs() const {
    std::vector<CommandInputs> list;
    const Cluster& snapshot = *world_.snapshot;
    for (const ClusterStatus& status : statuses_)
      list.push_back({&world_.spec, &status, &snapshot.name, &snapshot.name_space});
    return list;
  }

 private:
  const World& world_;
  std::vector<ClusterStatus> statuses_;
};

/// Numbers of the commands and configurations that the snapshot asked for, and those of the wished
/// files by their hash, once for each kind of pod.
class OldSignatures {
 public:
  struct Ids {
    int command = 0;
    int config = 0;
    std::map<std::string, int> wished_configs;
  };

  OldSignatures(World& world, const CommandInputs& old) : world_(world), old_(old), wishes_(world) {
    const auto& map = world.snapshot->config_map;
    if (!map) return;
    const auto holds = [&](const std::string& key, const std::string& text) {
      const auto found = map->find(key);
      return found != map->end() && found->second == text;
    };
    is_current_ = holds("cluster-file", world.status.connection_string) &&
                  holds("running-version", to_string(world.status.running_version));
    // Hashes that somebody made up match no pod.
    knows_hashes_ = std::ranges::any_of(world.snapshot->groups, [&](const ProcessGroup& group) {
      return group.pod &&
             group.pod->config_hash == config_map_hash(*map, group.process_class,
                                                       group.pod->image_type, group.pod->servers);
    });
  }

  /// Whether the pod's files are those that the map holds, and these are not outdated; nothing
  /// where its hash does not tell.
  [[nodiscard]] std::optional<bool> has_copied(const Pod& pod, ProcessClass c) const {
    const auto& map = world_.snapshot->config_map;
    if (!map || !knows_hashes_ || pod.config_hash.empty()) return std::nullopt;
    return is_current_ && pod.config_hash == config_map_hash(*map, c, pod.image_type, pod.servers);
  }
  [[nodiscard]] const CommandInputs& inputs() const { return old_; }
  const Ids& of(const Member& group) {
    const ProcessClass c = group.process_class;
    const Pod& pod = *group.pod;
    const auto [known, is_new] = ids_.try_emplace({c, pod.image_type, pod.servers});
    if (is_new) {
      known->second = {
          world_.commands.id(command_signature(old_, c, pod.image_type, pod.servers)),
          world_.configs.id(pod_config_signature(old_, c, pod.image_type, pod.servers)),
          {}};
      for (const CommandInputs& wish : wishes_.inputs()) {
        known->second.wished_configs.emplace(
            wished_map_hash(wish, c, pod.image_type, pod.servers),
            world_.configs.id(pod_config_signature(wish, c, pod.image_type, pod.servers)));
      }
    }
    return known->second;
  }
  /// Number of the wished command that the process runs, or -1.
  int wished_command(const Member& group, const Process& process) {
    for (const CommandInputs& wish : wishes_.inputs()) {
      if (!runs_command(wish, group, process)) continue;
      const Pod& pod = *group.pod;
      return world_.commands.id(
          command_signature(wish, group.process_class, pod.image_type, pod.servers));
    }
    return -1;
  }

 private:
  World& world_;
  const CommandInputs& old_;
  const Wishes wishes_;
  bool is_current_ = false;
  bool knows_hashes_ = false;
  std::map<std::tuple<ProcessClass, ImageType, int>, Ids> ids_;
};

void number_group(Member& group, OldSignatures& signatures) {
  if (!group.pod) return;
  const CommandInputs& old = signatures.inputs();
  const Pod& pod = *group.pod;
  const auto& [running, config, wished_configs] = signatures.of(group);
  const bool is_carried = group.carried.has(Condition::IncorrectCommandLine);
  for (Process& process : group.processes) {
    process.command = running;
    if (process.command_line.empty() ? is_carried : !runs_command(old, group, process))
      process.command = -1;
    if (process.command == -1 && !process.command_line.empty())
      process.command = signatures.wished_command(group, process);
  }
  group.pod->config = config;
  const auto is_copied = signatures.has_copied(pod, group.process_class);
  const bool is_outdated = group.carried.has(Condition::IncorrectConfigMap) || !pod.has_config_hash;
  if (is_copied ? !*is_copied : is_outdated) group.pod->config = -1;
  // An edit that never reached its files is taken back, or one that has reached them is repeated.
  const auto wished = wished_configs.find(pod.config_hash);
  if (wished != wished_configs.end()) group.pod->config = wished->second;
}

}  // namespace

void number_commands(World& world, const CommandInputs& old) {
  OldSignatures signatures(world, old);
  for (Member& group : world.groups) number_group(group, signatures);
}

}  // namespace ballast::fdb
