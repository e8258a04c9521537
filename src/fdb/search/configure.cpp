// SPDX-License-Identifier: BSD-2-Clause
// The database's own configuration; regions change one stage at a time.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "ballast/fdb/model/counts.hpp"
#include "ballast/fdb/search/reconcilers.hpp"

namespace ballast::fdb {
namespace {

const DataCenter* main_of(const Region& region) {
  const auto found = std::find_if(region.data_centers.begin(), region.data_centers.end(),
                                  [](const DataCenter& dc) { return !dc.is_satellite; });
  return found == region.data_centers.end() ? nullptr : &*found;
}

std::string main_id(const Region& region) {
  const DataCenter* dc = main_of(region);
  return dc == nullptr ? std::string() : dc->id;
}

Region* region_of(std::vector<Region>& regions, const std::string& id) {
  const auto found = std::find_if(regions.begin(), regions.end(),
                                  [&](const Region& r) { return main_id(r) == id; });
  return found == regions.end() ? nullptr : &*found;
}

void set_priority(Region& region, int priority) {
  for (DataCenter& dc : region.data_centers) {
    if (!dc.is_satellite) dc.priority = priority;
  }
}

/// Satellites of regions that exist already; priorities stay.
bool take_satellites(DatabaseConfiguration& next, DatabaseConfiguration wanted) {
  bool changed = false;
  for (Region& region : next.regions) {
    Region* other = region_of(wanted.regions, main_id(region));
    if (other == nullptr) continue;
    const DataCenter* dc = main_of(region);
    set_priority(*other, dc == nullptr ? 0 : dc->priority);
    changed = changed || !(*other == region);
    region = *other;
  }
  return changed;
}

bool add_region(DatabaseConfiguration& next, DatabaseConfiguration wanted) {
  if (next.regions.size() >= 2) return false;
  for (Region& region : wanted.regions) {
    if (region_of(next.regions, main_id(region)) != nullptr) continue;
    set_priority(region, next.regions.empty() ? 1 : -1);
    next.regions.push_back(region);
    return true;
  }
  return false;
}

bool retire_region(DatabaseConfiguration& next, DatabaseConfiguration wanted) {
  for (Region& region : next.regions) {
    if (wanted.regions.empty() || region_of(wanted.regions, main_id(region)) != nullptr) continue;
    const DataCenter* dc = main_of(region);
    if (dc != nullptr && dc->priority >= 0) {
      set_priority(region, -1);
      for (Region& other : next.regions) {
        const DataCenter* main = main_of(other);
        if (&other != &region && main != nullptr && main->priority < 0) set_priority(other, 1);
      }
      return true;
    }
    if (next.usable_regions > 1) {
      next.usable_regions = 1;
      return true;
    }
    const std::string id = main_id(region);
    std::erase_if(next.regions, [&](const Region& r) { return main_id(r) == id; });
    return true;
  }
  return false;
}

/// The next stage on the way from `live` to `wanted`.
DatabaseConfiguration next_stage(const DatabaseConfiguration& live,
                                 const DatabaseConfiguration& wanted) {
  if (live.regions == wanted.regions && live.usable_regions == wanted.usable_regions) return wanted;
  DatabaseConfiguration next = wanted;
  next.regions = live.regions;
  next.usable_regions = live.usable_regions;
  if (!(next == live)) return next;  // everything else goes first, in one step
  if (take_satellites(next, wanted)) return next;
  if (add_region(next, wanted)) return next;
  if (retire_region(next, wanted)) return next;
  if (next.usable_regions == static_cast<int>(std::max<std::size_t>(1, next.regions.size())) &&
      !(next.regions == wanted.regions)) {
    next.regions = wanted.regions;
    return next;
  }
  if (next.usable_regions != wanted.usable_regions) {
    next.usable_regions = wanted.usable_regions;
    return next;
  }
  return wanted;
}

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

void configure_first(World& world) {
  const bool runs = std::any_of(world.groups.begin(), world.groups.end(), [](const Member& g) {
    return g.pod && !g.pod_created && g.conditions.has(Condition::IncorrectConfigMap) == false &&
           !g.processes.empty();
  });
  if (world.status.connection_string.empty() || !runs || world.pass.config_map_written) {
    world.delay_pass(10);
    return;
  }
  Step& step = world.emit(Reconciler::UpdateDatabaseConfiguration, Action::ConfigureDatabase, {},
                          configure_text(world.wanted_configuration, true));
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
  const DatabaseConfiguration next = next_stage(live, world.wanted_configuration);
  Step& step = world.emit(self, Action::ConfigureDatabase, {}, configure_text(next, false));
  step.reason = "configuration";
  step.because = "the live configuration differs from the wanted one";
  step.needs_lock = world.spec.uses_locks;
  step.bytes = bytes_to_move(world, live, next);
  step.moves_data = true;
  world.db.configuration = next;
  world.recovery_pending = true;
  world.replication_pending = true;
  if (!(next == world.wanted_configuration)) world.delay_pass(30);
}

}  // namespace ballast::fdb
