// SPDX-License-Identifier: BSD-2-Clause
// Memory and disk of nodes that do not add up: total = node + instances + free.
#include <fmt/format.h>

#include <string_view>

#include "checks.hpp"

#include "ballast/ganeti/model/ids_of.hpp"

namespace ballast::ganeti::doctor {
namespace {

/// The reference's own tolerances.
constexpr std::int64_t kMemoryTolerance = 512;
constexpr std::int64_t kDiskTolerance = 1024;

/// All in MiB.
struct Account {
  std::int64_t total = 0;
  std::int64_t node = 0;  ///< used by the node itself
  std::int64_t instances = 0;
  std::int64_t free = 0;

  [[nodiscard]] std::int64_t missing() const { return total - node - instances - free; }
};

/// Sums by node. Counted from the placements: an allocator request attaches instances twice.
std::vector<Account> memory_accounts(const Patient& patient) {
  std::vector<Account> accounts;
  for (const Node& node : patient.cluster.nodes)
    accounts.push_back({truncated(node.total_mem), node.node_mem, 0, node.free_mem});
  for (const InstanceId id : instance_ids(patient.cluster)) {
    const Instance& instance = patient.cluster[id];
    const NodeId primary = patient.state[id].primary;
    if (!primary.is_none() && instance.uses_memory())
      accounts[primary.index()].instances += instance.memory_mib;
  }
  return accounts;
}

std::vector<Account> disk_accounts(const Patient& patient) {
  std::vector<Account> accounts;
  for (const Node& node : patient.cluster.nodes)
    accounts.push_back({truncated(node.total_disk), 0, 0, node.reported_free_disk});
  for (const InstanceId id : instance_ids(patient.cluster)) {
    const Instance& instance = patient.cluster[id];
    if (instance.is_forthcoming || !uses_local_disk(instance.disk_template)) continue;
    const Placement& place = patient.state[id];
    for (const NodeId node : {place.primary, place.secondary}) {
      if (!node.is_none()) accounts[node.index()].instances += instance.disk_mib;
    }
  }
  return accounts;
}

struct Words {
  std::string_view what;  ///< "memory"
  std::string_view more;  ///< what to do where some is missing
  std::string_view less;  ///< where there is more than the total
};

Finding finding_of(const Node& node, const Account& account, const Words& words) {
  const bool is_missing = account.missing() > 0;
  Finding finding;
  finding.severity = Severity::Warning;
  finding.code = fmt::format("{}-{}", words.what, is_missing ? "unaccounted" : "above-total");
  finding.text =
      fmt::format("{}: {} MiB of {} {}: total {}, {}instances {}, free {}", node.name,
                  is_missing ? account.missing() : -account.missing(), words.what,
                  is_missing ? "are used by nothing that Ganeti knows"
                             : "more than the node has are in use or free",
                  account.total, account.node != 0 ? fmt::format("node {}, ", account.node) : "",
                  account.instances, account.free);
  finding.subject.set("node", node.name);
  finding.figures.set("total_bytes", bytes_of(account.total))
      .set("node_bytes", bytes_of(account.node))
      .set("instances_bytes", bytes_of(account.instances))
      .set("free_bytes", bytes_of(account.free))
      .set("missing_bytes", bytes_of(account.missing()));
  finding.action = is_missing ? words.more : words.less;
  return finding;
}

void compare(const Patient& patient, const std::vector<Account>& accounts, std::int64_t tolerance,
             const Words& words, Findings& findings) {
  for (std::size_t n = 0; n < accounts.size(); ++n) {
    const Node& node = patient.cluster.nodes[n];
    const std::int64_t missing = accounts[n].missing();
    if (node.is_offline || (missing <= tolerance && missing >= -tolerance)) continue;
    findings.push_back(finding_of(node, accounts[n], words));
  }
}

}  // namespace

void look_at_figures(const Patient& patient, Findings& findings) {
  constexpr Words kMemory{"memory",
                          "look for processes or guests outside of Ganeti on it, and for orphan "
                          "instances (gnt-cluster verify)",
                          "look for instances that use less than they are given (ballooning, down "
                          "but counted as running)"};
  constexpr Words kDisk{
      "disk", "look for orphan volumes on it (gnt-cluster verify-disks, lvs)",
      "the instances' sizes or the node's figures are stale: take a new snapshot"};
  compare(patient, memory_accounts(patient), kMemoryTolerance, kMemory, findings);
  // With storage units each unit has its own account.
  if (!patient.cluster.has_storage)
    compare(patient, disk_accounts(patient), kDiskTolerance, kDisk, findings);
}

}  // namespace ballast::ganeti::doctor
