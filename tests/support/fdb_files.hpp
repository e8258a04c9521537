// SPDX-License-Identifier: BSD-2-Clause
// Random clusters of hfdb as files, with edits, for property tests that go through files.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "ballast/core/random.hpp"
#include "ballast/fdb/backend/load.hpp"
#include "ballast/fdb/cli/state_files.hpp"
#include "ballast/fdb/search/pass/reconcilers.hpp"

namespace ballast::fdb_files {

using namespace ballast::fdb;

/// One bit for each part of a case, so that a failure shrinks to the bits that matter.
enum Feature : unsigned {
  kCounts = 1U << 0,
  kDensity = 1U << 1,
  kVolumes = 1U << 2,
  kNamed = 1U << 3,
  kLimit = 1U << 4,
  kSelector = 1U << 5,
  kKnob = 1U << 6,
  kTls = 1U << 7,
  kNames = 1U << 8,
  kVersion = 1U << 9,
  kOldVersion = 1U << 10,
  kStrategy = 1U << 11,
  kModes = 1U << 12,
  kByAddress = 1U << 13,
  kSharedZones = 1U << 14,
  kTriple = 1U << 15,
  kMaintenance = 1U << 16,
  kWithoutExclusion = 1U << 17,
  kSickPod = 1U << 18,
  kDeletedPod = 1U << 19,
  kEnvironment = 1U << 20,
  kAll = (1U << 21) - 1,
};

/// A folder of its own that goes with the object.
class Folder {
 public:
  explicit Folder(const std::string& name)
      : path_(std::filesystem::temp_directory_path() /
              fmt::format("{}-{}", name, static_cast<unsigned long>(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string write(const std::string& name, const std::string& content) const {
    const std::string path = (path_ / name).string();
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }

 private:
  std::filesystem::path path_;
};

inline tl::expected<Loaded, std::string> load_files(const Folder& folder, const StateFiles& files,
                                                    const std::vector<std::string>& sets) {
  LoadRequest request;
  request.current = folder.write("cluster.yaml", files.cluster);
  request.kube = {folder.write("kube.json", files.objects)};
  request.status = folder.write("status.json", files.database);
  request.sets = sets;
  auto loaded = load(request);
  if (loaded) return std::move(*loaded);
  std::string text;
  for (const Diagnostic& finding : loaded.error()) text += to_string(finding) + "\n";
  return tl::unexpected(text);
}

struct FileCase {
  StateFiles files;
  std::vector<std::string> sets;
};

inline std::string first_yaml(Random& random, unsigned features) {
  const bool is_old = (features & kOldVersion) != 0;
  const std::string version = is_old ? "7.1.57" : "7.3.63";
  const auto storage = random.between(3, 6);
  const auto log = random.between(3, 5);
  const auto stateless = random.between(1, 3);
  const auto zones = random.between(5, 7);
  std::string groups;
  std::string coordinators;
  int number = 0;
  int chosen = 0;
  const auto add = [&](const char* kind, std::int64_t count) {
    for (std::int64_t i = 1; i <= count; ++i, ++number) {
      const auto zone = (features & kSharedZones) != 0 ? number % zones : number;
      groups += fmt::format(
          "  - processGroupID: {0}-{1}\n    processClass: {0}\n    addresses: [10.1.{2}.{1}]\n"
          "    faultDomain: node-{3}\n",
          kind, i, kind[0] == 'l' ? 1 : kind[2], zone);
      if (kind[0] != 'l' || chosen == 3) continue;
      coordinators += fmt::format("{}10.1.1.{}:4501", chosen == 0 ? "" : ",", i);
      ++chosen;
    }
  };
  add("storage", storage);
  add("log", log);
  add("stateless", stateless);
  return fmt::format(
      "apiVersion: apps.foundationdb.org/v1beta2\nkind: FoundationDBCluster\nmetadata:\n"
      "  name: demo\n  namespace: fdb\n  generation: 3\nspec:\n  version: {0}\n"
      "  processCounts: {{storage: {1}, log: {2}, stateless: {3}}}\n"
      "  routing: {{useDNSInClusterFile: false}}\n"
      "  databaseConfiguration: {{redundancy_mode: double}}\n"
      "status:\n  runningVersion: {0}\n  configured: true\n  connectionString: demo:abc@{4}\n"
      "  requiredAddresses: {{nonTLS: true}}\n  processGroups:\n{5}",
      version, storage, log, stateless, coordinators, groups);
}

/// What a healthy database tells of itself, and the troubles of the case.
inline void fill_database(Random& random, unsigned features, World& world) {
  Database& db = world.db;
  db.is_given = true;
  db.recovered_at = world.now - 864'000;
  db.active_generations = 1;
  db.recovery_state = "fully_recovered";
  db.replicas_remaining = {2};
  db.logs = {{2, 1, 0, 0, 0, 0}};
  db.total_kv_bytes = 40'000'000'000;
  for (Member& group : world.groups) {
    for (Process& process : group.processes) {
      process.has_role = true;
      process.has_storage_role = group.process_class == ProcessClass::Storage;
      process.has_log_role = group.process_class == ProcessClass::Log;
      process.started = world.now - 864'000;
      if (!process.has_storage_role) continue;
      process.stored_bytes = 16'000'000'000;
      process.used_bytes = 20'000'000'000;
      process.disk_total_bytes = 126'000'000'000;
      process.disk_free_bytes = 100'000'000'000;
    }
  }
  Member& sick = world.groups[random.below(world.groups.size())];
  const auto since = world.now - random.between(1, 9000);
  Member& deleted = world.groups[random.below(world.groups.size())];
  if ((features & kSickPod) != 0) {
    sick.processes.clear();
    sick.pod->is_ready = false;
    sick.conditions.set(Condition::MissingProcesses, since);
    sick.conditions.set(Condition::PodFailing, since);
  }
  if ((features & kDeletedPod) != 0) deleted.pod->terminating_since = world.now - 5;
}

inline std::vector<std::string> edits(Random& random, unsigned features, const World& world) {
  std::vector<std::string> sets;
  const auto set = [&](Feature feature, std::string text) {
    if ((features & feature) != 0) sets.push_back(std::move(text));
  };
  const auto pick = [&] { return world.groups[random.below(world.groups.size())].id; };
  set(kCounts, fmt::format("processCounts.storage={}", random.between(3, 7)));
  set(kCounts, fmt::format("processCounts.log={}", random.between(3, 6)));
  set(kDensity, fmt::format("storageServersPerPod={}", random.between(1, 3)));
  set(kVolumes,
      "processes.general.volumeClaimTemplate={spec: {resources: {requests: {storage: 256G}}}}");
  set(kNamed, fmt::format("processGroupsToRemove=[{}]", pick()));
  set(kLimit, fmt::format("automationOptions.maxConcurrentReplacements={}", random.between(1, 3)));
  set(kSelector, "processes.storage.podTemplate.spec.nodeSelector={disk: fast}");
  set(kEnvironment,
      "processes.log.podTemplate.spec.containers=[{name: foundationdb, env: [{name: A, value: "
      "b}]}]");
  set(kKnob, "processes.general.customParameters=[knob_a=1]");
  set(kTls, "mainContainer.enableTls=true");
  set(kNames, "routing.useDNSInClusterFile=true");
  set(kVersion, "version=7.3.69");
  constexpr const char* kStrategies[] = {"Replace", "ReplaceTransactionSystem", "Delete"};
  set(kStrategy,
      fmt::format("automationOptions.podUpdateStrategy={}", kStrategies[random.below(3)]));
  constexpr const char* kRemovals[] = {"All", "Zone", "ProcessGroup"};
  set(kModes, fmt::format("automationOptions.removalMode={}", kRemovals[random.below(3)]));
  set(kModes, fmt::format("automationOptions.deletionMode={}", kRemovals[1 + random.below(2)]));
  set(kByAddress, "automationOptions.useLocalitiesForExclusion=false");
  set(kTriple, "databaseConfiguration.redundancy_mode=triple");
  set(kMaintenance, "automationOptions.maintenanceModeOptions.UseMaintenanceModeChecker=true");
  set(kWithoutExclusion, fmt::format("processGroupsToRemoveWithoutExclusion=[{}]", pick()));
  return sets;
}

/// The same seed and features give the same case.
inline FileCase make_file_case(const Folder& folder, std::uint64_t seed, unsigned features) {
  Random random(seed);
  LoadRequest request;
  request.current = folder.write("first.yaml", first_yaml(random, features));
  request.now = 1'700'000'000;
  auto loaded = load(request);
  if (!loaded) {
    std::fprintf(stderr, "%s\n", to_string(loaded.error().front()).c_str());
    std::abort();
  }
  World world = make_world(loaded->snapshot, loaded->snapshot.spec, {});
  fill_database(random, features, world);
  return {state_files(*loaded, world), edits(random, features, world)};
}

}  // namespace ballast::fdb_files
