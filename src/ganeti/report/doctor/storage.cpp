// SPDX-License-Identifier: BSD-2-Clause
// Online nodes where no disk fits, disks on units that their node does not list, disks whose unit
// nobody knows.
#include <fmt/format.h>

#include <algorithm>

#include "checks.hpp"

#include "ballast/ganeti/model/ids_of.hpp"

namespace ballast::ganeti::doctor {
namespace {

Finding without_storage(const Cluster& cluster, const Node& node) {
  Finding finding;
  finding.severity = Severity::Warning;
  finding.code = "node-without-storage";
  finding.subject.set("node", node.name);
  if (!cluster.has_storage) {
    finding.text = fmt::format("{} is online and has no disk space at all", node.name);
    finding.action =
        "check its volume group (gnt-cluster verify); only instances without local "
        "disks can live there";
  } else if (node.storage_told) {
    finding.text =
        fmt::format("{} is online and lists no storage unit: no disk fits there", node.name);
    finding.action =
        "add a storage unit to it, or take it out of service (gnt-node modify "
        "--offline yes)";
  } else {
    finding.text = fmt::format(
        "{} is online and does not say which storage units it has: nothing is placed there",
        node.name);
    finding.action = "give its storage in the snapshot";
  }
  return finding;
}

bool has_unit(const Node& node, StorageKeyId unit) {
  return std::any_of(node.units.begin(), node.units.end(),
                     [unit](const StorageUnit& one) { return one.key == unit; });
}

void look_at_placement(const Patient& patient, InstanceId id, NodeId place, Findings& findings) {
  const Cluster& cluster = patient.cluster;
  const Instance& instance = cluster[id];
  if (place.is_none() || cluster[place].is_offline || !cluster[place].storage_told) return;
  for (std::size_t d = 0; d < instance.disks.size(); ++d) {
    const Disk& disk = instance.disks[d];
    if (disk.unit.is_none() || has_unit(cluster[place], disk.unit)) continue;
    const std::string unit = to_string(cluster[disk.unit]);
    Finding finding;
    finding.severity = Severity::Error;
    finding.code = "disk-on-missing-unit";
    finding.text =
        fmt::format("disk {} of {} ({} MiB) is said to be on {} of {}, which has no such unit", d,
                    instance.name, disk.taken_mib, unit, cluster[place].name);
    finding.subject.set("instance", instance.name)
        .set("node", cluster[place].name)
        .set("unit", unit);
    finding.figures.set("disk", d).set("size_bytes", bytes_of(disk.taken_mib));
    finding.action = disk.is_unit_found
                         ? "tell the disk's unit in the snapshot, or with --default-storage"
                         : "correct the snapshot: the disk's unit or the node's storage";
    findings.push_back(std::move(finding));
  }
}

Finding unknown_unit(const Instance& instance) {
  Finding finding;
  finding.severity = Severity::Warning;
  finding.code = "unit-unknown";
  finding.text =
      fmt::format("{}: the storage unit of a disk is not known, so it is not moved", instance.name);
  finding.subject.set("instance", instance.name);
  finding.figures.set("disk_bytes", bytes_of(instance.disk_mib));
  finding.action = "tell it in the snapshot, or with --default-storage TYPE=KEY";
  return finding;
}

/// Whether a node of the group could miss its disks: some other has any, or an instance uses them.
bool needs_storage(const Patient& patient, GroupId group) {
  const Cluster& cluster = patient.cluster;
  const bool has_any = std::ranges::any_of(cluster.nodes, [&](const Node& node) {
    return node.group == group && (cluster.has_storage ? !node.units.empty() : node.total_disk > 0);
  });
  bool has_instances = false;
  for (const InstanceId id : instance_ids(cluster)) {
    if (cluster[patient.state[id].primary].group != group) continue;
    has_instances = true;
    const DiskTemplate own = cluster[id].disk_template;
    const bool uses_units = cluster.has_storage && own != DiskTemplate::Diskless;
    if (uses_local_disk(own) || own == DiskTemplate::File || uses_units) return true;
  }
  return has_any && !has_instances;
}

}  // namespace

void look_at_missing_storage(const Patient& patient, Findings& findings) {
  const Cluster& cluster = patient.cluster;
  for (const Node& node : cluster.nodes) {
    const bool has_none = cluster.has_storage ? node.units.empty() : !(node.total_disk > 0);
    if (!node.is_offline && has_none && needs_storage(patient, node.group))
      findings.push_back(without_storage(cluster, node));
  }
  if (!cluster.has_storage) return;
  for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
    const InstanceId id(i);
    if (cluster[id].is_unit_unknown) {
      findings.push_back(unknown_unit(cluster[id]));
      continue;
    }
    look_at_placement(patient, id, patient.state[id].primary, findings);
    if (has_secondary(cluster[id].disk_template))
      look_at_placement(patient, id, patient.state[id].secondary, findings);
  }
}

}  // namespace ballast::ganeti::doctor
