// SPDX-License-Identifier: BSD-2-Clause
// The database's own configuration.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "ballast/fdb/model/counts.hpp"
#include "ballast/fdb/model/region_stages.hpp"
#include "ballast/fdb/search/pass/reconcilers.hpp"
#include "ballast/fdb/search/world/changes.hpp"

namespace ballast::fdb {
namespace {

bool has_lag(World& world) {
  const Database& db = world.db;
  std::string problem;
  if (!db.data_is_healthy) problem = "data distribution is not healthy";
  if (db.messages.contains("unreadable_configuration"))
    problem = "the configuration cannot be read";
  if (db.data_lag_seconds.value_or(0) > 60)
    problem = fmt::format("data lag {:.0f} s, at most 60 s", *db.data_lag_seconds);
  if (db.durability_lag_seconds.value_or(0) > 60) {
    problem = fmt::format("durability lag {:.0f} s, at most 60 s", *db.durability_lag_seconds);
  }
  constexpr std::int64_t kQueue = 250LL << 20;
  if (db.log_queue_bytes.value_or(0) > kQueue)
    problem = fmt::format("log queue {} bytes, at most {}", *db.log_queue_bytes, kQueue);
  if (db.storage_queue_bytes.value_or(0) > kQueue) {
    problem = fmt::format("storage queue {} bytes, at most {}", *db.storage_queue_bytes, kQueue);
  }
  if (problem.empty() || world.options.assume_healthy) return false;
  world.block(Reconciler::UpdateDatabaseConfiguration, "lag", {}, problem);
  return true;
}

std::optional<std::int64_t> bytes_to_move(const World& world, const DatabaseConfiguration& live,
                                          const DatabaseConfiguration& next) {
  const auto total = world.db.total_kv_bytes;
  if (!total) return std::nullopt;
  if (live.storage_engine != next.storage_engine)
    return *total * redundancy_of(live.redundancy_mode).replicas;
  const int before =
      redundancy_of(live.redundancy_mode).replicas * std::max(1, live.usable_regions);
  const int after = redundancy_of(next.redundancy_mode).replicas * std::max(1, next.usable_regions);
  return *total * std::max(0, after - before);
}

/// From 7.0 on the database keeps its storage engine while storage_migration_type is "disabled",
/// which it is where nobody sets it; the operator asks again for ever.
bool is_engine_refused(const World& world, const DatabaseConfiguration& live,
                       const DatabaseConfiguration& next) {
  if (live.storage_engine == next.storage_engine) return false;
  if (world.status.running_version < Version{7, 0, 0}) return false;
  return migration_type(*world.db.configuration, next) == "disabled";
}

/// What runs, counted as the redundancy mode counts it: zones with storage, and data halls of them.
struct Places {
  std::set<std::string> zones;
  std::set<std::string> halls;
};

Places storage_places(const World& world) {
  Places places;
  const auto add = [&](ProcessClass c, const Process& process) {
    if (c != ProcessClass::Storage) return;
    if (!process.zone.empty()) places.zones.insert(process.zone);
    if (!process.data_hall.empty()) places.halls.insert(process.data_hall);
  };
  for (const Member& group : world.groups) {
    for (const Process& process : group.processes) add(group.process_class, process);
  }
  for (const ForeignProcess& other : world.db.foreign)
    add(other.process.process_class, other.process);
  return places;
}

/// Why the servers that run now cannot hold the copies that the mode wants; empty: they can.
std::string unserved(const World& world, const DatabaseConfiguration& live,
                     const DatabaseConfiguration& next) {
  if (live.redundancy_mode == next.redundancy_mode) return "";
  const Places places = storage_places(world);
  const Redundancy redundancy = redundancy_of(next.redundancy_mode);
  if (redundancy.is_three_data_hall && places.halls.size() < 3) {
    return fmt::format("{} wants copies in 3 data halls, storage servers run in {} now",
                       next.redundancy_mode, places.halls.size());
  }
  if (static_cast<int>(places.zones.size()) < redundancy.minimum_domains) {
    return fmt::format("{} wants copies in {} zones, storage servers run in {} now",
                       next.redundancy_mode, redundancy.minimum_domains, places.zones.size());
  }
  return "";
}

void configure_first(World& world) {
  const bool runs = std::any_of(world.groups.begin(), world.groups.end(), [](const Member& g) {
    return g.pod && !g.pod_created && g.conditions.has(Condition::IncorrectConfigMap) == false &&
           !g.processes.empty();
  });
  if (world.status.connection_string.empty() || !runs || world.pass.config_map_written) {
    world.delay_pass(10);
    return;
  }
  TraceStep& step = world.emit(Reconciler::UpdateDatabaseConfiguration, Action::ConfigureDatabase,
                               {}, configure_text(world.wanted_configuration, true));
  step.reason = "configuration";
  step.because = "the database has never been configured";
  step.commands = {step.detail};
  world.status.is_configured = true;
  world.db.configuration = world.wanted_configuration;
  world.recovery_pending = true;
}

}  // namespace

void configure_database(World& world) {
  if (!world.spec.automation.configure_database) {
    const bool differs =
        !world.status.is_configured ||
        (world.db.configuration &&
         !(comparable_configuration(*world.db.configuration, world.wanted_configuration) ==
           world.wanted_configuration));
    if (differs)
      world.block(Reconciler::UpdateDatabaseConfiguration, "config-disabled", {},
                  "configureDatabase is false");
    return;
  }
  if (!world.status.is_configured) {
    configure_first(world);
    return;
  }
  if (!world.db.configuration) return;
  const DatabaseConfiguration live =
      comparable_configuration(*world.db.configuration, world.wanted_configuration);
  if (live == world.wanted_configuration) return;
  if (world.is_upgrading) return;
  const Reconciler self = Reconciler::UpdateDatabaseConfiguration;
  if (has_lag(world) ||
      !passes(world, {self, world.options.flags.uptime_for_configuration, true, {}, true})) {
    world.delay_pass(10);
    return;
  }
  const DatabaseConfiguration next = next_configuration(live, world.wanted_configuration);
  if (is_engine_refused(world, live, next)) {
    world.block(self, "storage-migration", {},
                fmt::format("the database refuses to change its storage engine from {} to {} while "
                            "storage_migration_type is disabled",
                            live.storage_engine, next.storage_engine));
    world.delay_pass(10);
    return;
  }
  if (!takes_lock(world, self, {})) {
    world.delay_pass(10);
    return;
  }
  TraceStep& step = world.emit(self, Action::ConfigureDatabase, {}, configure_text(next, false));
  step.changes = configuration_changes(live, next);
  step.unserved = unserved(world, live, next);
  step.reason = "configuration";
  step.because = "the live configuration differs from the wanted one";
  step.needs_lock = world.spec.uses_locks;
  step.bytes = bytes_to_move(world, live, next);
  step.moves_data = true;
  // Settings that the wish does not name stay what they are.
  std::map<std::string, std::string> others = std::move(world.db.configuration->knobs);
  world.db.configuration = next;
  world.db.configuration->knobs.merge(others);
  world.recovery_pending = true;
  world.replication_pending = true;
  if (!(next == world.wanted_configuration)) world.delay_pass(30);
}

}  // namespace ballast::fdb
