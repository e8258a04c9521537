// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/search/ask/fix_addresses.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ballast/core/shell.hpp"
#include "ballast/fdb/model/identity.hpp"

namespace ballast::fdb {
namespace {

const ProcessGroup* holder_of(const Cluster& cluster, const std::string& host) {
  const auto found = std::ranges::find_if(cluster.groups, [&](const ProcessGroup& group) {
    return std::ranges::find(group.addresses, host) != group.addresses.end() ||
           (group.pod &&
            std::ranges::find(group.pod->public_ips, host) != group.pod->public_ips.end());
  });
  return found == cluster.groups.end() ? nullptr : &*found;
}

/// Where the group is now: what its pod says, else the latest address that the status knows.
std::string host_now(const ProcessGroup& group, const std::string& before) {
  if (group.pod && !group.pod->public_ips.empty()) return group.pod->public_ips.front();
  return group.addresses.empty() ? before : group.addresses.back();
}

std::vector<plan::Remedy> steps_for(const Cluster& cluster, const std::string& connection) {
  const std::string kubectl = "kubectl -n " + cluster.name_space + " ";
  const auto patch = [&](const std::string& options, const std::string& document) {
    return fmt::format("{}patch foundationdbcluster {} {}--type merge -p {}", kubectl,
                       shell_quoted(cluster.name), options, shell_quoted(document));
  };
  std::vector<plan::Remedy> steps;
  steps.push_back(
      {"keep the operator out meanwhile", {}, {patch("", R"({"spec":{"skip":true}})")}});
  plan::Remedy files{
      "write the new connection string where the servers read it, and restart them", {}, {}};
  const std::string command =
      fmt::format("echo {} > /var/fdb/data/fdb.cluster && pkill fdbserver", connection);
  for (const ProcessGroup& group : cluster.groups) {
    if (!group.pod || group.pod->phase != Phase::Running) continue;
    files.commands.push_back(fmt::format("{}exec {} -c foundationdb -- sh -c {}", kubectl,
                                         shell_quoted(group.pod->name), shell_quoted(command)));
  }
  steps.push_back(std::move(files));
  steps.push_back({"the same for pods that start later",
                   {},
                   {fmt::format("{}patch configmap {} --type merge -p {}", kubectl,
                                shell_quoted(config_map_name(cluster.name)),
                                shell_quoted(fmt::format(R"({{"data":{{"cluster-file":"{}"}}}})",
                                                         connection)))}});
  steps.push_back(
      {"tell the operator",
       {},
       {patch("--subresource=status ",
              fmt::format(R"({{"status":{{"connectionString":"{}"}}}})", connection))}});
  steps.push_back({"once the database is available again, let the operator go on",
                   {},
                   {patch("", R"({"spec":{"skip":null}})")}});
  return steps;
}

}  // namespace

FixedAddresses fix_addresses(const Cluster& cluster) {
  FixedAddresses fixed;
  fixed.before = cluster.status.connection_string;
  fixed.after = fixed.before;
  auto connection = parse_connection_string(fixed.before);
  if (!connection) return fixed;
  for (Address& address : connection->coordinators) {
    FixedCoordinator row{to_string(address), "", to_string(address)};
    if (const ProcessGroup* group = holder_of(cluster, address.host)) {
      row.group = group->id;
      address.host = host_now(*group, address.host);
      row.after = to_string(address);
    }
    fixed.coordinators.push_back(std::move(row));
  }
  fixed.after = to_string(*connection);
  if (fixed.changes()) fixed.steps = steps_for(cluster, fixed.after);
  return fixed;
}

}  // namespace ballast::fdb
