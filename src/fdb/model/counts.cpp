// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/model/counts.hpp"

#include <algorithm>

namespace ballast::fdb {
namespace {

std::string engine_name(const std::string& engine) {
  if (engine.empty() || engine == "ssd") return "ssd-2";
  return engine == "memory" ? "memory-2" : engine;
}

int main_priority(const Region& region) {
  for (const DataCenter& dc : region.data_centers) {
    if (!dc.is_satellite) return dc.priority;
  }
  return 0;
}

std::string main_id(const Region& region) {
  for (const DataCenter& dc : region.data_centers) {
    if (!dc.is_satellite) return dc.id;
  }
  return {};
}

void sort_regions(std::vector<Region>& regions) {
  for (Region& region : regions) {
    std::sort(region.data_centers.begin(), region.data_centers.end(),
              [](const DataCenter& a, const DataCenter& b) {
                if (a.is_satellite != b.is_satellite) return !a.is_satellite;
                if (a.priority != b.priority) return a.priority > b.priority;
                return a.id < b.id;
              });
  }
  std::sort(regions.begin(), regions.end(), [](const Region& a, const Region& b) {
    const int pa = main_priority(a);
    const int pb = main_priority(b);
    return pa != pb ? pa > pb : main_id(a) < main_id(b);
  });
}

/// Defaults of the role counts, `storage` included.
DatabaseConfiguration with_roles(const ClusterSpec& spec) {
  DatabaseConfiguration c = spec.database;
  const Redundancy redundancy = spec.redundancy();
  if (c.redundancy_mode.empty()) c.redundancy_mode = "double";
  c.storage_engine = engine_name(c.storage_engine);
  if (c.usable_regions < 1) c.usable_regions = 1;
  if (c.storage == 0) c.storage = 2 * redundancy.fault_tolerance + 1;
  if (c.logs == 0) c.logs = redundancy.default_logs;
  if (c.resolvers == 0) c.resolvers = 1;
  if (c.grv_proxies > 0 || c.commit_proxies > 0) {
    c.proxies = 0;
    if (c.grv_proxies == 0) c.grv_proxies = 1;
    if (c.commit_proxies == 0) c.commit_proxies = 2;
  } else {
    c.grv_proxies = 0;
    c.commit_proxies = 0;
    if (c.proxies == 0) c.proxies = 3;
  }
  const int remote = c.usable_regions > 1 ? c.logs : -1;
  if (c.remote_logs == 0) c.remote_logs = remote;
  if (c.log_routers == 0) c.log_routers = remote;
  return c;
}

struct Placement {
  bool is_main = false;
  bool is_satellite = false;
  int satellite_logs = 0;
};

Placement placement_of(const ClusterSpec& spec) {
  Placement placement;
  for (const Region& region : spec.database.regions) {
    for (const DataCenter& dc : region.data_centers) {
      if (dc.id != spec.data_center) continue;
      if (dc.is_satellite) {
        placement.is_satellite = true;
        placement.satellite_logs = std::max(placement.satellite_logs, region.satellite_logs);
      } else {
        placement.is_main = true;
      }
    }
  }
  return placement;
}

/// The share of this Kubernetes cluster where zones are whole clusters.
int scale(const ClusterSpec& spec, int count, bool add_tolerance) {
  const FaultDomain& domain = spec.fault_domain;
  if (domain.zone_index < 0 || count <= 0) return -1;
  const Redundancy redundancy = spec.redundancy();
  if (add_tolerance) count += redundancy.fault_tolerance;
  if (domain.key != "foundationdb.org/kubernetes-cluster") return count;
  const int zones = std::max(
      1, domain.zone_count.value_or(redundancy.minimum_domains + redundancy.fault_tolerance));
  return count / zones + (domain.zone_index < count % zones ? 1 : 0);
}

int stateless_roles(const ClusterSpec& spec, const DatabaseConfiguration& roles) {
  const auto unless = [&](ProcessClass c, int count) {
    return spec.counts[index(c)] > 0 ? 0 : std::max(0, count);
  };
  int sum = unless(ProcessClass::Master, 1) + unless(ProcessClass::ClusterController, 1) +
            unless(ProcessClass::Resolution, roles.resolvers) +
            unless(ProcessClass::Ratekeeper, 1) + unless(ProcessClass::DataDistributor, 1);
  if (roles.grv_proxies > 0) {
    sum += unless(ProcessClass::GrvProxy, roles.grv_proxies) +
           unless(ProcessClass::CommitProxy, roles.commit_proxies);
  } else {
    sum += unless(ProcessClass::Proxy, roles.proxies);
  }
  return sum;
}

std::string region_json(const std::vector<Region>& regions) {
  std::string text = "[";
  for (std::size_t r = 0; r < regions.size(); ++r) {
    text += r > 0 ? ",{\"datacenters\":[" : "{\"datacenters\":[";
    for (std::size_t d = 0; d < regions[r].data_centers.size(); ++d) {
      const DataCenter& dc = regions[r].data_centers[d];
      text += d > 0 ? ",{\"id\":\"" : "{\"id\":\"";
      text += dc.id + "\"";
      if (dc.priority != 0) text += ",\"priority\":" + std::to_string(dc.priority);
      if (dc.is_satellite) text += ",\"satellite\":1";
      text += "}";
    }
    text += "]";
    if (regions[r].satellite_logs > 0) {
      text += ",\"satellite_logs\":" + std::to_string(regions[r].satellite_logs);
    }
    if (!regions[r].satellite_redundancy_mode.empty()) {
      text += ",\"satellite_redundancy_mode\":\"" + regions[r].satellite_redundancy_mode + "\"";
    }
    text += "}";
  }
  return text + "]";
}

}  // namespace

DatabaseConfiguration normalised_configuration(const ClusterSpec& spec) {
  DatabaseConfiguration configuration = with_roles(spec);
  configuration.storage = 0;
  sort_regions(configuration.regions);
  return configuration;
}

DatabaseConfiguration comparable_configuration(const DatabaseConfiguration& live,
                                               const DatabaseConfiguration& wanted) {
  DatabaseConfiguration configuration = live;
  configuration.storage = 0;
  configuration.storage_engine = engine_name(configuration.storage_engine);
  // A key that the database leaves out counts as equal to the wish.
  const auto fill = [](int& value, int other) {
    if (value == 0) value = other;
  };
  fill(configuration.logs, wanted.logs);
  fill(configuration.resolvers, wanted.resolvers);
  // Without a further region there are none of these, and the database does not tell them.
  fill(configuration.log_routers, -1);
  fill(configuration.remote_logs, -1);
  if (configuration.proxies == 0 && configuration.grv_proxies == 0 &&
      configuration.commit_proxies == 0) {
    configuration.proxies = wanted.proxies;
    configuration.grv_proxies = wanted.grv_proxies;
    configuration.commit_proxies = wanted.commit_proxies;
  }
  if (configuration.grv_proxies > 0 || configuration.commit_proxies > 0) configuration.proxies = 0;
  sort_regions(configuration.regions);
  std::erase_if(configuration.knobs,
                [&](const auto& knob) { return !wanted.knobs.contains(knob.first); });
  for (const auto& knob : wanted.knobs) configuration.knobs.insert(knob);
  return configuration;
}

std::string migration_type(const DatabaseConfiguration& live, const DatabaseConfiguration& next) {
  for (const DatabaseConfiguration* configuration : {&next, &live}) {
    const auto knob = configuration->knobs.find("storage_migration_type");
    if (knob != configuration->knobs.end()) return knob->second;
  }
  return "disabled";
}

PerClass<int> process_counts(const ClusterSpec& spec) {
  PerClass<int> counts = spec.counts;
  const DatabaseConfiguration roles = with_roles(spec);
  const Placement placement = placement_of(spec);
  int& log = counts[index(ProcessClass::Log)];
  if (placement.is_satellite && !placement.is_main) {
    if (log == 0) log = 1 + placement.satellite_logs;
    return counts;
  }
  int& storage = counts[index(ProcessClass::Storage)];
  int& stateless = counts[index(ProcessClass::Stateless)];
  if (storage == 0) storage = scale(spec, roles.storage, false);
  if (log == 0) {
    const int main_logs = std::max(0, roles.logs) + placement.satellite_logs;
    log = scale(spec, std::max(main_logs, std::max(0, roles.remote_logs)), true);
  }
  if (stateless == 0) {
    stateless = scale(spec, std::max(stateless_roles(spec, roles), roles.log_routers), true);
  }
  return counts;
}

PerClass<int> wanted_pods(const ClusterSpec& spec) {
  PerClass<int> counts = process_counts(spec);
  for (int& count : counts) count = std::max(0, count);
  return counts;
}

std::map<std::string, std::string> configuration_fields(const DatabaseConfiguration& c) {
  std::map<std::string, std::string> fields(c.knobs.begin(), c.knobs.end());
  fields["redundancy_mode"] = c.redundancy_mode;
  fields["storage_engine"] = c.storage_engine;
  if (!c.regions.empty()) fields["regions"] = region_json(c.regions);
  const std::pair<const char*, int> counts[] = {
      {"usable_regions", c.usable_regions}, {"logs", c.logs},
      {"resolvers", c.resolvers},           {"log_routers", c.log_routers},
      {"remote_logs", c.remote_logs},       {"proxies", c.proxies},
      {"commit_proxies", c.commit_proxies}, {"grv_proxies", c.grv_proxies}};
  for (const auto& [key, count] : counts) {
    if (count != 0) fields[key] = std::to_string(count);
  }
  return fields;
}

std::string configure_text(const DatabaseConfiguration& c, bool is_new) {
  std::string text = is_new ? "new " : "";
  text += c.redundancy_mode + " " + c.storage_engine;
  const auto put = [&text](std::string_view key, int value) {
    text += " ";
    text += key;
    text += "=" + std::to_string(value);
  };
  put("usable_regions", c.usable_regions);
  put("logs", c.logs);
  put("resolvers", c.resolvers);
  put("log_routers", c.log_routers);
  put("remote_logs", c.remote_logs);
  if (c.grv_proxies > 0 || c.commit_proxies > 0) {
    put("commit_proxies", c.commit_proxies);
    put("grv_proxies", c.grv_proxies);
  } else {
    put("proxies", c.proxies);
  }
  for (const auto& [key, value] : c.knobs) {
    if (key == "log_spill" || key == "log_version") text += " " + key + ":=" + value;
  }
  text += " regions=" + region_json(c.regions);
  for (const auto& [key, value] : c.knobs) {
    if (key != "log_spill" && key != "log_version") text += " " + key + "=" + value;
  }
  return text;
}

}  // namespace ballast::fdb
