// SPDX-License-Identifier: BSD-2-Clause
// Steps that only matter while versions change, and the first cluster file.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "ballast/fdb/search/pass/reconcilers.hpp"
#include "ballast/fdb/search/world/changes.hpp"
#include "ballast/fdb/search/world/coordinators.hpp"

namespace ballast::fdb {

namespace {

/// A client that knows the wanted protocol, or a newer one: it is taken to know the older ones too.
bool speaks(const std::optional<Version>& client, const Version& wanted) {
  return client && (is_protocol_compatible(*client, wanted) || *client >= wanted);
}

/// Hosts of the database's own servers: an fdbcli in one of their pods is no client to wait for.
std::set<std::string> own_hosts(const World& world) {
  std::set<std::string> hosts;
  const auto add = [&](const Process& process) {
    if (!process.addresses.empty()) hosts.insert(process.addresses.front().host);
  };
  for (const Member& group : world.groups) {
    for (const Process& process : group.processes) add(process);
  }
  for (const ForeignProcess& other : world.db.foreign) add(other.process);
  return hosts;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> unsupported_clients(const World& world) {
  const auto& ignored = world.spec.automation.ignored_log_groups;
  const std::set<std::string> hosts = own_hosts(world);
  std::vector<std::pair<std::string, std::string>> unable;
  std::set<std::pair<std::string, std::string>> seen;
  for (const ClientVersion& version : world.db.clients) {
    if (version.protocol == "Unknown") continue;
    if (speaks(parse_version(version.version), world.spec.version)) continue;
    for (const auto& client : version.clients) {
      if (std::find(ignored.begin(), ignored.end(), client.second) != ignored.end()) continue;
      const auto address = parse_address(client.first);
      if (address && hosts.contains(address->host)) continue;
      if (seen.insert(client).second) unable.push_back(client);
    }
  }
  return unable;
}

namespace {

/// The version that most servers of the database report, the newer one of two with as many; nothing
/// where none does.
std::optional<Version> reported_version(const World& world) {
  std::map<Version, int> servers;
  std::string_view text;  // mostly the same for all
  int* number = nullptr;
  const auto count = [&](const Process& process) {
    if (number == nullptr || process.version != text) {
      text = process.version;
      const auto version = parse_version(text);
      number = version ? &servers[*version] : nullptr;
    }
    if (number != nullptr) ++*number;
  };
  for (const Member& group : world.groups) {
    for (const Process& process : group.processes) count(process);
  }
  for (const ForeignProcess& other : world.db.foreign) count(other.process);
  std::optional<Version> most;
  for (const auto& [version, sum] : servers) {
    if (!most || sum >= servers.at(*most)) most = version;
  }
  return most;
}

}  // namespace

void follow_running_version(World& world) {
  // Servers change their version with their pods only; those of other objects at any time.
  if (world.is_upgrading || !(world.pods_changed || world.has_peers)) return;
  const Version running = reported_version(world).value_or(
      world.db.is_given ? world.status.running_version : world.spec.version);
  if (world.status.running_version == running) return;
  world.status.running_version = running;
  world.clear_signature_cache();
}

void check_client_compatibility(World& world) {
  if (!world.is_upgrading) return;
  if (world.spec.ignore_upgradability) return;
  const Reconciler self = Reconciler::CheckClientCompatibility;
  const Version& running = world.status.running_version;
  if (world.spec.version < running) {
    world.block(self, "downgrade", {},
                fmt::format("servers run {}, the spec wants {}", to_string(running),
                            to_string(world.spec.version)));
    world.end_pass(60);
    return;
  }
  std::string unsupported;
  for (const auto& [address, log_group] : unsupported_clients(world))
    unsupported += fmt::format("{}{} ({})", unsupported.empty() ? "" : ", ", address, log_group);
  if (unsupported.empty()) return;
  world.block(self, "client-versions", {},
              "clients without " + to_string(world.spec.version) + ": " + unsupported);
  world.end_pass(60);
}

void update_sidecars(World& world) {
  if (!world.is_upgrading) return;
  std::vector<std::string> changed;
  for (Member& group : world.groups) {
    if (group.conditions.has(Condition::ResourcesTerminating)) continue;
    if (!group.pod || group.pod->image_type != world.spec.image_type ||
        group.pod->sidecar_version == to_string(world.spec.version))
      continue;
    group.pod->sidecar_version = to_string(world.spec.version);
    changed.push_back(group.id);
  }
  if (changed.empty()) return;
  TraceStep& step =
      world.emit(Reconciler::UpdateSidecarVersions, Action::UpdateSidecarImage, std::move(changed));
  step.reason = "version";
  add_change(step.changes, "image of foundationdb-kubernetes-sidecar",
             world.snapshot->spec.sidecar_image, world.spec.sidecar_image);
  step.because =
      "the sidecars bring the new binaries before the servers restart; no pod is made anew";
}

void remove_incompatible_processes(World& world) {
  if (!world.options.flags.restart_incompatible || world.db.incompatible_connections.empty())
    return;
  std::vector<std::string> wrong;
  for (Member& group : world.groups) {
    if (!group.pod || group.pod_created || group.was_touched || !group.processes.empty()) continue;
    if (group.pod->version.empty() || group.pod->version == to_string(world.status.running_version))
      continue;
    const bool reported =
        std::any_of(world.db.incompatible_connections.begin(),
                    world.db.incompatible_connections.end(), [&](const Address& a) {
                      return std::find(group.addresses.begin(), group.addresses.end(), a.host) !=
                             group.addresses.end();
                    });
    if (!reported) continue;
    group.pod_deleted = true;
    wrong.push_back(group.id);
  }
  if (wrong.empty()) return;
  world.emit(Reconciler::RemoveIncompatibleProcesses, Action::DeletePod, std::move(wrong)).because =
      "their servers speak another protocol than the database";
}

void generate_cluster_file(World& world) {
  if (!world.status.connection_string.empty() || world.status.is_configured) return;
  const Reconciler self = Reconciler::GenerateInitialClusterFile;
  if (!world.spec.seed_connection_string.empty()) {
    world.status.connection_string = world.spec.seed_connection_string;
    world.clear_signature_cache();
    world.emit(self, Action::SetStatus, {}, "connectionString ->" + world.status.connection_string)
        .because = "the spec brings a connection string";
    return;
  }
  // Servers do not run yet: pods stand for them.
  World pods = world;
  for (Member& group : pods.groups) {
    if (!group.pod || group.pod_created || group.is_marked()) continue;
    if (group.processes.empty()) {
      start_processes(pods, group);
      for (Process& process : group.processes) {
        if (process.zone.empty()) process.zone = "<zone of " + group.id + ">";
      }
    }
  }
  // The first three do for three data halls; the rest follows once the halls are known.
  if (pods.spec.redundancy().is_three_data_hall) pods.spec.database.redundancy_mode = "double";
  const auto choice = choose_coordinators(pods);
  if (!choice) {
    world.block(self, "coordinators", {}, choice.error().message);
    world.end_pass(15);
    return;
  }
  std::string name = world.snapshot->name;
  std::replace(name.begin(), name.end(), '-', '_');
  world.status.connection_string = to_string(ConnectionString{name, "<random>", choice->addresses});
  world.clear_signature_cache();
  for (const Address& address : choice->addresses) world.db.coordinators.push_back({address, true});
  world.db.coordinators_given = true;
  TraceStep& step = world.emit(self, Action::SetStatus, {},
                               "connectionString ->" + world.status.connection_string);
  step.because = "the first coordinators are chosen among the running pods";
}

}  // namespace ballast::fdb
