// SPDX-License-Identifier: BSD-2-Clause
// Storage units whose figures do not add up, and disks that are not the instance's disk.
#include <fmt/format.h>

#include <algorithm>

#include "checks.hpp"

#include "ballast/ganeti/model/ids_of.hpp"

namespace ballast::ganeti::doctor {
namespace {

constexpr std::int64_t kToleranceMib = 1024;

/// MiB that disks take of each capacity, by node and capacity index.
class Usage {
 public:
  explicit Usage(const Patient& patient) : cluster_(patient.cluster) {
    for (const NodeState& state : patient.state.nodes) used_.emplace_back(state.capacities.size());
    for (const InstanceId id : instance_ids(cluster_)) {
      const Instance& instance = cluster_[id];
      if (instance.is_forthcoming) continue;
      const Placement& place = patient.state[id];
      add(instance, place.primary);
      if (has_secondary(instance.disk_template)) add(instance, place.secondary);
    }
  }

  [[nodiscard]] std::int64_t at(std::size_t node, std::size_t capacity) const {
    return used_[node][capacity];
  }

 private:
  void add(const Instance& instance, NodeId node) {
    if (node.is_none()) return;
    for (const Disk& disk : instance.disks) {
      add(node, disk.unit, disk.taken_mib);
      add(node, disk.meta_unit, disk.meta_mib);
    }
  }

  void add(NodeId node, StorageKeyId unit, std::int64_t mib) {
    for (const StorageUnit& one : cluster_[node].units) {
      if (one.key == unit) used_[node.index()][static_cast<std::size_t>(one.capacity)] += mib;
    }
  }

  const Cluster& cluster_;
  std::vector<std::vector<std::int64_t>> used_;
};

Finding finding_of(const Node& node, const std::string& unit, const Capacity& room,
                   std::int64_t used) {
  const std::int64_t missing = room.total_mib - room.free_mib - used;
  const bool is_missing = missing > 0;
  Finding finding;
  finding.severity = is_missing ? Severity::Note : Severity::Warning;
  finding.code = is_missing ? "unit-space-unaccounted" : "unit-above-total";
  finding.text = fmt::format(
      "{} on {}: {} MiB {}: total {}, disks {}, free {}", unit, node.name,
      is_missing ? missing : -missing,
      is_missing ? "are used by no disk of the snapshot" : "more than the total are in use or free",
      room.total_mib, used, room.free_mib);
  finding.subject.set("node", node.name).set("unit", unit);
  finding.figures.set("total_bytes", bytes_of(room.total_mib))
      .set("disks_bytes", bytes_of(used))
      .set("free_bytes", bytes_of(room.free_mib))
      .set("missing_bytes", bytes_of(missing));
  finding.action = is_missing ? "look for orphan volumes, snapshots or other users of the unit"
                              : "disks are told for the wrong unit, or the figures are stale";
  return finding;
}

void compare_units(const Patient& patient, Findings& findings) {
  const Usage usage(patient);
  for (std::size_t n = 0; n < patient.cluster.nodes.size(); ++n) {
    const Node& node = patient.cluster.nodes[n];
    if (node.is_offline) continue;
    std::vector<bool> is_told(patient.state.nodes[n].capacities.size());
    for (const StorageUnit& unit : node.units) {
      const auto index = static_cast<std::size_t>(unit.capacity);
      const Capacity& room = patient.state.nodes[n].capacities[index];
      // A shared pool is also used by what runs elsewhere.
      if (room.is_shared || is_told[index]) continue;
      is_told[index] = true;
      const std::int64_t used = usage.at(n, index);
      const std::int64_t missing = room.total_mib - room.free_mib - used;
      if (missing > kToleranceMib || missing < 0)
        findings.push_back(finding_of(node, to_string(patient.cluster[unit.key]), room, used));
    }
  }
}

void compare_disks(const Cluster& cluster, Findings& findings) {
  for (const Instance& instance : cluster.instances) {
    if (!instance.disks_told) continue;
    std::int64_t sum = 0;
    for (const Disk& disk : instance.disks) sum += disk.taken_mib + disk.meta_mib;
    if (sum == instance.disk_mib) continue;
    Finding finding;
    finding.severity = Severity::Note;
    finding.code = "disks-do-not-add-up";
    finding.text = fmt::format("{}: its disks take {} MiB, the instance is said to take {} MiB",
                               instance.name, sum, instance.disk_mib);
    finding.subject.set("instance", instance.name);
    finding.figures.set("disks_bytes", bytes_of(sum))
        .set("instance_bytes", bytes_of(instance.disk_mib));
    finding.action = "correct the snapshot: the disks decide where it fits";
    findings.push_back(std::move(finding));
  }
}

}  // namespace

void look_at_storage_figures(const Patient& patient, Findings& findings) {
  if (!patient.cluster.has_storage) return;
  compare_units(patient, findings);
  compare_disks(patient.cluster, findings);
}

}  // namespace ballast::ganeti::doctor
